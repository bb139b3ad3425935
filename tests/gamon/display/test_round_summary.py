"""The summary of a round of Gamon, and its coins by round."""

from random import Random
from typing import Any

from cardhub import Summary
from cardhub.model.game.scene import Names
from cardhub.model.hidden.observation import Observation
from cardhub.play.announcing.announcer import past_events
from cardhub.play.seating import Player
from cardhub.play.setup import set_up as set_up_game
from cardhub_gamon import Gamon
from cardhub_gamon.table import ACTIONS, Table

from ..positions import Position, set_up

NAVY = "gunner corsair petty-officer naval-spy high-officer cadet"
PIRATES = "cannoneer boatswain deckhand mate-with-a-cutlass gambling-drunk polly-the-parrot"


def summary(at: Position, action: str, viewer: int = 2) -> Summary | None:
    """Carry out an action and return its summary for a viewer or spectator."""
    game, before = Gamon(), at.state.clone()
    legal = game.legal(before)
    number = Observation(game, before, before.seat).labels().parse(action, legal)
    at.act(action)
    was, now = (Observation[Table](game, state, viewer) for state in (before, at.state))
    names: Names = now.labels(["Anna", "Bob"])
    return game.display.summary(was.state, number, now.state, names)


def rows(summed: Summary | None) -> list[list[Any]]:
    """Return the rows below the heading."""
    assert summed is not None
    return [list(row) for row in summed.rows[1:]]


def test_a_round_is_summed_up_with_its_turns_purses_cards_and_calls() -> None:
    """The cards of a round lie open at its end."""
    at = set_up(NAVY, PIRATES, prize=2, purse=(3, 4)).turn("gunner 4", "boatswain 2")
    at.act("place high-officer", "call 3", "place cannoneer", "call 4")
    assert summary(at, "believe") is None
    summed = summary(at, "believe")
    assert summed is not None
    assert summed.title == f"Round {at.state.round - 1}: Anna wins 3 coins"
    assert rows(summed) == [
        ["Anna", "2", "6", "Gunner 4, High Officer 3"],
        ["Bob", "0", "4", "Boatswain 2, Cannoneer 4"],
    ]


def test_the_summary_of_a_round_names_each_cry_of_gamon() -> None:
    at = set_up(NAVY, PIRATES, prize=2).turn("gunner 4", "boatswain 6", "believe", "gamon")
    at.act("place high-officer", "call 3", "place cannoneer", "call 4")
    played = [row[3] for row in rows(summary(at, "gamon"))]
    assert played == [
        "Gunner 4, High Officer 3 (Bob cried Gamon)",
        "Boatswain 6 (Anna cried Gamon), Cannoneer 4",
    ]


def test_the_turns_of_a_round_are_counted_once_with_any_last_action() -> None:
    """The turn is won before the effects of its cards, and a choice for one may end the round."""
    referee = set_up_game(Gamon(), [Player("Anna", "random"), Player("Bob", "random")], {}, 4)
    referee.proceed()
    rng = Random(4)
    while not referee.is_over:
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
    ends = [event for event in past_events(referee, 2) if event.summary]
    verbs = {ACTIONS.verb_and_index[event.action or 0][0] for event in ends}
    assert verbs >= {"gamon", "move", "remove"}
    for event in ends:
        assert max(int(row[1]) for row in rows(event.summary)) == 2
        assert sum(int(row[1]) for row in rows(event.summary)) in (2, 3)
    assert [int(row[2]) for row in rows(ends[-1].summary)] == referee.scores()


def test_a_round_won_because_no_card_could_be_placed_says_so() -> None:
    """Gamon N15: two turns lost for want of a card that may be placed."""
    at = set_up(NAVY, "queen-annes-vengeance the-flying-dutchman", prize=0, only_named=True)
    summed = rows(summary(at, "prize 2"))
    assert summed[0] == ["Anna", "2", "2", ""]
    assert summed[1] == ["Bob", "0", "0", "no card could be placed"]


def test_a_round_won_because_no_card_was_left_says_so() -> None:
    """Gamon N5: the third turn cannot be played."""
    at = set_up("gunner corsair", PIRATES, prize=2, pile=0, only_named=True)
    at.turn("gunner 4", "boatswain 2").act("place corsair", "call 3", "place cannoneer", "call 4")
    assert summary(at, "believe") is None
    summed = rows(summary(at, "believe"))
    assert summed[0] == ["Anna", "1", "0", "Gunner 4, Corsair 3, no card left"]
    assert summed[1] == ["Bob", "1", "2", "Boatswain 2, Cannoneer 4"]


def test_a_round_shows_the_prize_and_what_cards_have_moved() -> None:
    """The Naval Spy takes a coin from the prize before it is paid."""
    at = set_up(NAVY, PIRATES, prize=2).turn("naval-spy 2", "cannoneer 4")
    at.turn("high-officer 3", "boatswain 2").turn("corsair 4", "mate-with-a-cutlass 3")
    [section] = Gamon().display.breakdown(at.state)
    [row] = section.rows
    assert (row.label, list(row.points), list(row.notes)) == (
        "Round 1",
        [3, 0],
        ["prize 2, cards +1", ""],
    )


def test_the_coins_that_cards_gave_the_loser_of_a_round_name_their_cause() -> None:
    """A coin without a prize beside it would come from nowhere."""
    at = set_up(NAVY, PIRATES, prize=3).turn("naval-spy 2", "cannoneer 4")
    at.turn("cadet 3", "boatswain 2")
    [section] = Gamon().display.breakdown(at.state)
    [row] = section.rows
    assert list(row.notes)[1].startswith("prize")
    assert (row.points[0], row.notes[0]) == (1, "cards +1")


def test_the_rounds_of_a_whole_game_add_up_to_the_score() -> None:
    """Coins change hands by prizes and by effects."""
    referee = set_up_game(Gamon(), [Player("Anna", "random"), Player("Bob", "random")], {}, 4)
    referee.proceed()
    rng = Random(4)
    while not referee.is_over:
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
    state = referee.observe(2).state
    [section] = Gamon().display.breakdown(state)
    assert [row.label for row in section.rows] == [
        f"Round {number}" for number in range(1, state.round + 1)
    ]
    assert all(sum(note.startswith("prize ") for note in row.notes) == 1 for row in section.rows)
    totals = [sum(row.points[seat] for row in section.rows) for seat in range(2)]
    assert totals == referee.scores()
