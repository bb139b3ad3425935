"""Why an action of Gamon is not legal: one sentence for every rule."""

import pytest
from tests.gamon.positions import set_up

NAVY = "gunner corsair petty-officer naval-spy hms-peril lord-of-the-seas"
PIRATES = "cannoneer boatswain deckhand singing-sirens queen-annes-vengeance polly-the-parrot"


def test_some_cards_are_placed_under_a_condition_only() -> None:
    """Gamon N14: three ships bring a condition."""
    at = set_up(NAVY, PIRATES)
    assert at.why_not("place lord-of-the-seas") == (
        "it may be placed only while the other purse is larger"
    )
    assert at.why_not("place hms-peril") is None
    at.act("place gunner", "call 4")
    assert at.why_not("place queen-annes-vengeance") == (
        "it may be placed only while the prize holds at least four coins"
    )
    at.act("place cannoneer", "call 5", "gamon")
    assert at.state.lost == [0, 1]
    at = set_up(NAVY, PIRATES).turn("corsair 4", "boatswain 2", "gamon")
    assert at.why_not("place hms-peril") == (
        "it may be placed only if you have lost no battle this round"
    )


def test_cards_are_placed_from_the_own_hand() -> None:
    assert set_up(NAVY, PIRATES).why_not("place deckhand") == "it is not in your hand"


def test_some_cards_are_never_called_a_number() -> None:
    """Gamon N7: it is printed on the card."""
    at = set_up(NAVY, PIRATES).act("place gunner", "call 4", "place singing-sirens")
    assert at.why_not("call 5") == "Singing Sirens must not be called 5"


@pytest.mark.parametrize(
    ("actions", "attempt", "reason"),
    [
        ("", "call 4", "first place a card face down"),
        ("place gunner", "place corsair", "first call a value for the card that you have placed"),
        ("place gunner; call 4", "gamon", "first place a card face down"),
        (
            "place gunner; call 4; place boatswain; call 2",
            "place deckhand",
            "first believe the call or cry Gamon",
        ),
    ],
)
def test_a_turn_has_an_order(actions: str, attempt: str, reason: str) -> None:
    """The order is: place, call, and then doubt or believe."""
    at = set_up(NAVY, PIRATES).act(*filter(None, actions.split("; ")))
    assert at.why_not(attempt) == reason


def test_the_prize_is_set_first_by_the_coins_there_are() -> None:
    """Gamon N2: one to four, if the pile has them."""
    at = set_up(NAVY, PIRATES, prize=0, pile=2)
    assert at.why_not("prize 3") == "the pile has only 1 coin to add"
    assert at.why_not("place gunner") == "first set the prize of this round"
    assert at.why_not("first navy") == "chance decides which side attacks first"


def test_effects_move_the_coins_there_are() -> None:
    """Gamon N11: amounts are limited; N12: the owner of the card decides."""
    at = set_up(NAVY, PIRATES, purse=(2, 0)).turn("gunner 5", "polly-the-parrot 3", "gamon")
    assert at.why_not("move 3") == "seat 0's purse holds only 2 coins"
    assert at.why_not("pay 1") == "you are asked how many coins to move to the prize"
    assert at.why_not("place deckhand") == "first say how many coins to move to the prize"
    at = set_up(NAVY, PIRATES).turn("petty-officer 1", "cannoneer 4")
    assert at.why_not("remove 2") == "the prize holds only 1 coin"
