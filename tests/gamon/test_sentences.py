"""The sentences that the rules of Gamon log."""

import pytest

from cardhub.model.hidden.observation import Observation
from cardhub.model.table.beats import Moments
from cardhub.view.explain.action_texts import tell_action
from cardhub_gamon import Gamon

from .positions import Position, set_up

NAVY = "gunner corsair petty-officer naval-spy high-officer cadet"
PIRATES = "cannoneer boatswain deckhand mate-with-a-cutlass gambling-drunk polly-the-parrot"


def event_texts(at: Position, action: str, viewer: int = 2) -> list[str]:
    """Return the event texts of an action for a viewer or spectator."""
    game, before = Gamon(), at.state.clone()
    legal = game.legal(before)
    number = Observation(game, before, before.seat).labels().parse(action, legal)
    at.act(action)
    was, now = (Observation(game, state, viewer) for state in (before, at.state))
    moments = Moments([], [*at.log_sentences])
    return list(tell_action(was, before.seat, number, now, ["Anna", "Bob"], moments))


def test_a_placed_card_is_named_to_its_owner_only() -> None:
    """Gamon N19: a card not yet flipped is hidden."""
    assert event_texts(set_up(NAVY, PIRATES), "place gunner", 0) == ["Anna places Gunner"]
    assert event_texts(set_up(NAVY, PIRATES), "place gunner", 1) == ["Anna places a Navy card"]


def test_a_lie_is_explained() -> None:
    at = set_up(NAVY, PIRATES).act("place corsair", "call 4", "place boatswain")
    assert event_texts(at, "call 6") == ["Bob calls 6"]
    assert event_texts(at, "gamon") == [
        "Bob doubts Anna's 4 and cries GAMON!",
        "Bob shows Boatswain",
        "Corsair is a 3, not a 4: Anna lied, and Bob wins the turn",
    ]


def test_values_are_explained() -> None:
    at = set_up(NAVY, PIRATES).turn("gunner 4", "boatswain 2")
    at.act("place high-officer", "call 3", "place cannoneer", "call 4")
    assert event_texts(at, "believe") == ["Bob believes Anna's 3"]
    assert event_texts(at, "believe") == [
        "Anna believes Bob's 4",
        "Anna shows High Officer: 3 + 2 for 1 card played = 5",
        "Bob shows Cannoneer: 4",
        "Anna wins the turn, 5 to 4",
        "Anna wins the round and a prize of 2 coins",
        "Round 2: Bob attacks",
    ]


@pytest.mark.parametrize(
    ("turn", "action", "text"),
    [
        ("petty-officer 1, cannoneer 4", "remove 2", "Anna removes 2 coins from"),
        ("gunner 4, gambling-drunk 2", "pay 1", "Bob pays a coin into the prize"),
        ("gunner 4, gambling-drunk 2", "pay 0", "Bob pays nothing into the prize: no +2 for"),
        ("cadet 1, polly-the-parrot 1", "move 1", "Bob moves 1 coin from Anna's"),
    ],
)
def test_choices_have_event_texts(turn: str, action: str, text: str) -> None:
    attacker, _, defender = turn.partition(", ")
    at = set_up(NAVY, PIRATES, prize=3, purse=(3, 3)).turn(attacker, defender)
    assert event_texts(at, action)[0].startswith(text)


def test_the_prize_has_an_event_text() -> None:
    text = event_texts(set_up(NAVY, PIRATES, prize=0), "prize 1")[0]
    assert text == "Anna leaves the prize at 1 coin"
    text = event_texts(set_up(NAVY, PIRATES, prize=0), "prize 4")[0]
    assert text == "Anna raises the prize to 4 coins"


def test_a_stuck_player_says_so() -> None:
    """Gamon N15: a player with cards but none playable says so."""
    hands = (NAVY, "queen-annes-vengeance the-flying-dutchman")
    lines = event_texts(set_up(*hands, prize=0, only_named=True), "prize 2")
    assert lines[1] == "Bob holds no card that may be placed, so Anna wins the turn"
