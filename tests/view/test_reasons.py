"""Reasons why actions are not legal, and the names of unseen cards and players for people."""

from typing import Any

import pytest
from tests.games.raiders import RAID, TAKE, Raiders, RaidersDisplay, Table
from tests.gamon.positions import set_up
from tests.gargon.positions import set_up as gargon_position
from tests.gargon.test_battles import fight

from cardhub import per_token
from cardhub.base.errors import IllegalActionError
from cardhub.model.game.scene import Area, Look, Place, Scene, Target
from cardhub.model.hidden.labels import Labels
from cardhub.model.hidden.observation import Observation
from cardhub.play import Table as TableInPlay
from cardhub.testing import ByHand
from cardhub.view.action_spots import spots_of
from cardhub.view.building import build_view
from cardhub.view.explain.reasons import Reasons
from cardhub.view.view import Spot
from cardhub_openspiel.imported.hands.hand_checks import dealt
from cardhub_openspiel.imported.named_games import game_named
from kuhn import Kuhn

NAMES = ["Anna", "Bob Lee", "2"]


def deal() -> ByHand[Table]:
    """Return three players with three cards each; Anna is to act."""
    at = ByHand(Raiders(), seats=3)
    for seat, cards in enumerate(("R1 R1 R2", "R2 R3 R3", "R4 R4 R5")):
        at.state.put_all(at.take(cards), at.state.hand, seat)
    return at


def labels(at: ByHand[Table]) -> Labels:
    """Return the labels of the seat to act."""
    return at.observe(at.state.seat).labels(NAMES)


def reasons(at: ByHand[Table]) -> Reasons:
    """Return the reasons for the seat to act."""
    return Reasons(at.observe(at.state.seat), NAMES)


def test_actions_on_players_have_their_names_for_people_and_seats_in_records() -> None:
    named = labels(deal())
    assert list(named.choices([RAID, RAID + 1, RAID + 2])) == [
        "raid Anna",
        "raid Bob Lee",
        "raid seat2",
    ]
    assert list(named.notations([RAID, RAID + 1])) == ["raid seat0", "raid seat1"]
    assert named.notation(RAID + 1) == "raid seat1"
    assert deal().observe(0).labels().label(RAID + 1) == "raid seat 1"


@pytest.mark.parametrize(
    "text", ["raid Bob Lee", "raid bob", "r b", "lee", "bob lee", "raid 1", "raid seat1"]
)
def test_players_are_typed_by_name_or_seat(text: str) -> None:
    assert labels(deal()).parse(text, [RAID + 1, RAID + 2]) == RAID + 1


def test_a_number_that_is_also_a_name_is_never_guessed_at() -> None:
    """The player called 1 has seat 0; records always use the seat."""
    named = deal().observe(2).labels(["1", "Bob", "Anna"])
    with pytest.raises(IllegalActionError, match=r"'raid 1' could be raid seat0, raid Bob$"):
        named.parse("raid 1", [RAID, RAID + 1])
    assert named.parse("raid seat1", [RAID, RAID + 1]) == RAID + 1


def test_seats_without_a_player_are_no_actions() -> None:
    named = labels(deal())
    assert [named.is_action(RAID + seat) for seat in range(4)] == [True, True, True, False]


def test_an_action_on_a_player_is_at_the_seat() -> None:
    at = deal()
    spots = spots_of(at.game, at.observe(0).scene(), at.game.legal(at.state), 0)
    assert spots == {RAID + 1: (Spot("seat", 1),), RAID + 2: (Spot("seat", 2),)}


def test_unseen_cards_of_one_hand_are_numbered_by_their_place() -> None:
    """Records use the token instead, which people would have to guess."""
    at = deal().act("raid seat1")
    named, legal = labels(at), at.game.legal(at.state)
    assert list(named.choices(legal)) == ["take R? 1", "take R? 2", "take R? 3"]
    assert list(named.notations(legal)) == [f"take R?#{token}" for token in at.state.hand[1]]
    assert named.parse("take R? 3", legal) == named.parse("t R? 3", legal) == legal[2]


def test_which_of_several_unseen_cards_is_asked() -> None:
    at = deal().act("raid seat1")
    with pytest.raises(IllegalActionError, match=r"could be take R\? 1, take R\? 2, take R\? 3$"):
        labels(at).parse("take R?", at.game.legal(at.state))


def test_unseen_cards_of_several_hands_are_numbered_with_their_owner() -> None:
    at = deal()
    tokens = [TAKE + hand[1] for hand in at.state.hand[1:]]
    assert list(labels(at).choices(tokens)) == ["take R? Bob Lee 2", "take R? 2 2"]
    assert [labels(at).parse(f"take R? {who} 2", tokens) for who in ("bob lee", "2")] == tokens


def test_a_known_card_counts_where_it_lies_among_unseen_ones() -> None:
    at = deal().act("raid seat1")
    at.state.show(at.state.hand[1][1], 0)
    names = labels(at).choices(at.game.legal(at.state))
    assert list(names) == ["take R? 1", "take R3", "take R? 3"]


def test_of_equal_cards_that_nobody_can_tell_apart_the_first_is_chosen() -> None:
    at = deal()
    hand = at.state.hand[0]
    alike = [TAKE + token for token in hand[:2]]
    assert labels(at).parse("take R1", alike) == alike[0]
    assert list(labels(at).choices(alike[::-1])) == ["take R1", "take R1 2"]
    at.state.show(hand[1], 2)
    with pytest.raises(IllegalActionError, match=r"could be take R1 1, take R1 2$"):
        labels(at).parse("take R1", alike)
    assert labels(at).parse("take R1 2", alike) == alike[1]


class NotedTable(Table):
    """A position with a public note on each card."""

    note = per_token()


class NotedRaiders(Raiders):
    """Raiders with notes."""

    state_type = NotedTable


def test_equal_cards_with_different_notes_are_told_apart() -> None:
    """Notes by token are public, so all players know which card is meant."""
    at: ByHand[Any] = ByHand(NotedRaiders(), seats=3)
    at.state.put_all(at.take("R1 R1 R2"), at.state.hand, 0)
    alike = [TAKE + token for token in at.state.hand[0][:2]]
    assert labels(at).parse("take R1", alike) == alike[0]
    at.state.note[at.state.hand[0][1]] = 1
    with pytest.raises(IllegalActionError, match=r"could be take R1 1, take R1 2$"):
        labels(at).parse("take R1", alike)


def test_the_reason_of_the_game_follows_the_card_or_action() -> None:
    at = deal()
    at.state.hand[1].clear()
    assert reasons(at).of(RAID) == "'raid Anna' is not possible: that is you."
    assert reasons(at).typed("raid bob") == (
        "'raid Bob Lee' is not possible: Bob Lee has no card left."
    )


def test_actions_with_one_reason_for_all_of_them_are_explained_by_it() -> None:
    """`why pass` gets the reason if passing in general is against the rules."""
    gargon = gargon_position({0: "R1 R2 R3", 1: "B1 B2 B3", 2: "Y1 Y2 Y3"}, seats=3)
    reason = Reasons(gargon.observe(0), NAMES).typed("pass")
    assert reason == "'pass' is not possible: the starting player may not pass."
    assert reasons(deal()).typed("take") == (
        "'take' is not possible now. Your choices: raid Bob Lee, seat2."
    )


def test_without_a_reason_the_legal_actions_are_named_in_short() -> None:
    at = deal()
    hand = Spot("card", at.state.hand[0][0], 0)
    refusal = "You cannot take R1 now. Your choices: raid Bob Lee, seat2."
    assert reasons(at).at(hand) == refusal
    assert reasons(at).typed("take r1") == refusal


def test_numbers_are_listed_by_their_runs() -> None:
    at = set_up("ship-in-the-fog gunner", "boatswain deckhand").act("place ship-in-the-fog")
    hand = Spot("card", at.state.hand[0][0], 0)
    possible = Reasons(at.observe(0), NAMES[:2]).here(hand)
    assert possible == "There is nothing to do here. Your choices now: call 1–4, 6."


def test_many_cards_are_counted() -> None:
    at = ByHand(Raiders(), seats=4)
    for seat, cards in enumerate(("R1 R1", "R2 R2 R3 R3 R4")):
        at.state.put_all(at.take(cards), at.state.hand, seat)
    assert reasons(at.act("raid seat1")).possible() == "take one of 5 cards"


@pytest.mark.parametrize(
    ("text", "possible"),
    [("tic_tac_toe", "one of 9 actions"), ("kuhn_poker", "Pass, Bet"), ("connect_four", "0–6")],
)
def test_actions_without_a_verb_are_told_by_their_words(text: str, possible: str) -> None:
    game = game_named(f"openspiel:{text}", text)
    assert Reasons(Observation(game, dealt(game, 1), 0), NAMES).possible() == possible


def test_a_legal_action_needs_no_reason() -> None:
    at = deal()
    assert reasons(at).typed("raid bob") is None
    assert reasons(at).typed("dance") is None
    spot = Spot("seat", 1)
    assert reasons(at).at(spot) is None
    assert reasons(at).here(spot) == "Your choices here: raid Bob Lee."


def test_each_card_of_a_stack_has_the_choices_of_the_stack() -> None:
    at = fight("W1", "W9", "W5").act("fight white")
    observation = at.observe(0)
    areas = [area for area in observation.scene().areas if isinstance(area, Area)]
    number = [area.caption for area in areas].index("left stack")
    card = Spot("card", areas[number].tokens[3], number)
    assert Reasons(observation, NAMES[:2]).here(card) == "Your choices here: take left."


@pytest.mark.parametrize(
    ("seat", "look", "place"),
    [
        (None, "hand", None),
        (None, "pile", None),
        (0, "hand", None),
        (0, "row", None),
        (1, "hand", None),
        (1, "hand", "centre"),
        (1, "pile", "front"),
    ],
)
def test_what_is_said_of_a_card_of_an_area_is_what_it_does(
    seat: int | None, look: Look, place: Place | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def scene(_: RaidersDisplay, state: Table, __: int) -> Scene:
        area = Area("market", state.hand[2], seat, look, place=place)
        return Scene("raid a player", [area], {RAID + 1: Target("area", "market")})

    monkeypatch.setattr(RaidersDisplay, "scene", scene)
    observation = deal().observe(0)
    card = Spot("card", observation.state.hand[2][0], 0)
    choices = build_view(observation, NAMES).choices_at(card)
    said = Reasons(observation, NAMES).here(card)
    assert said.startswith("Your choices here: ") == bool(choices)


def test_a_part_of_the_table_for_looking_only_has_no_reason() -> None:
    booty = Spot("area", 0, 1)
    assert reasons(deal()).at(booty) is None
    assert reasons(deal()).here(booty).endswith("Your choices now: raid Bob Lee, seat2.")


def test_a_reason_is_made_for_the_seat_to_act() -> None:
    with pytest.raises(IllegalActionError, match="seat 1 is not to act"):
        Reasons(Observation(deal().game, deal().state, 1), NAMES)


@pytest.mark.parametrize(
    ("actions", "tried", "answer"),
    [
        ((), "fold", "'fold' is not possible now. Your choices: check or bet."),
        (("bet",), "check", "'check' is not possible now. Your choices: fold or call."),
    ],
)
def test_a_game_without_reasons_is_answered_by_the_legal_actions(
    actions: tuple[str, ...], tried: str, answer: str
) -> None:
    kuhn = Kuhn()
    table = TableInPlay(kuhn, seed=1)
    for action in actions:
        table.act(action)
    number = next(n for n in range(4) if kuhn.actions.text(n, str) == tried)
    assert Reasons(table.observation(), NAMES[:2]).of(number) == answer
