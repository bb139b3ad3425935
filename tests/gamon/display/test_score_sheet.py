"""The coins of Gamon by round."""

from random import Random

from cardhub.play.seating import Player
from cardhub.play.setup import set_up as set_up_game
from cardhub_gamon import Gamon

from ..positions import set_up

NAVY = "gunner corsair petty-officer naval-spy high-officer cadet"
PIRATES = "cannoneer boatswain deckhand mate-with-a-cutlass gambling-drunk polly-the-parrot"


def test_a_round_shows_the_prize_and_what_cards_have_moved() -> None:
    """The Naval Spy takes a coin from the prize before it is paid."""
    at = set_up(NAVY, PIRATES, prize=2).turn("naval-spy 2", "cannoneer 4")
    at.turn("high-officer 3", "boatswain 2").turn("corsair 4", "mate-with-a-cutlass 3")
    [section] = Gamon().breakdown(at.state)
    [row] = section.rows
    assert (row.label, list(row.points), list(row.notes)) == ("Round 1", [3, 0], ["prize 2", ""])


def test_the_rounds_of_a_whole_game_add_up_to_the_score() -> None:
    """Coins change hands by prizes and by effects."""
    referee = set_up_game(Gamon(), [Player("Anna", "random"), Player("Bob", "random")], {}, 4)
    referee.proceed()
    rng = Random(4)
    while not referee.is_over:
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
    state = referee.observe(2).state
    [section] = Gamon().breakdown(state)
    assert [row.label for row in section.rows] == [
        f"Round {number}" for number in range(1, state.round + 1)
    ]
    assert all(sum(note.startswith("prize ") for note in row.notes) == 1 for row in section.rows)
    totals = [sum(row.points[seat] for row in section.rows) for seat in range(2)]
    assert totals == referee.scores()
