"""The consequences of Gamon's actions, shown before they are chosen."""

import pytest

from ..positions import Position, set_up

NAVY = "gunner corsair petty-officer naval-spy high-officer all-hands-on-deck"
PIRATES = "cannoneer boatswain deckhand mate-with-a-cutlass gambling-drunk polly-the-parrot"


def says(at: Position, text: str) -> str:
    """Return the consequence of a legal action for the seat to act."""
    observation = at.observe(at.state.seat)
    labels = observation.labels(["Anna", "Bob"])
    return at.game.display.consequence(
        observation.state, labels.parse(text, observation.legal()), labels
    )


def test_the_prize_shows_the_coins_that_stay_in_the_pile() -> None:
    """One coin is in the prize already."""
    at = set_up(NAVY, PIRATES, prize=0, pile=20)
    assert says(at, "prize 3") == "The round is for 3 coins; the pile still holds 17 coins."


@pytest.mark.parametrize(
    ("card", "text"),
    [
        ("gunner", "Its base value is 4."),
        ("corsair", "Its base value is 3, and a lie makes it worth more."),
        ("high-officer", "Its base value is 3. It is worth 5 now."),
        (
            "all-hands-on-deck",
            "It is worth the number that you call, and any call is a lie.",
        ),
    ],
)
def test_a_card_shows_its_present_value(card: str, text: str) -> None:
    at = set_up(f"{NAVY} petty-officer", PIRATES)
    at.turn("petty-officer 1", "cannoneer 4", "gamon")
    assert says(at, f"place {card}") == text


def test_a_call_shows_the_results_of_doubt_and_belief() -> None:
    """Corsair is worth more under a false call."""
    at = set_up(NAVY, PIRATES).act("place corsair")
    assert says(at, "call 3") == (
        "That is the truth: if Bob cries Gamon, you win the turn. "
        "If Bob believes it, your card is worth 3."
    )
    assert says(at, "call 5") == (
        "That is a lie: if Bob cries Gamon, you lose the turn. "
        "If Bob believes it, your card is worth 6."
    )


def test_gamon_shows_how_many_cards_the_call_is_true_for() -> None:
    """Three Gunners in 29 Navy cards; Lord of the Seas could not be placed."""
    at = set_up(NAVY, PIRATES).act("place gunner", "call 4", "place boatswain", "call 2")
    assert says(at, "gamon") == (
        "Of the 28 cards that may lie there, 3 have the base value 4. "
        "If the call is a lie, you win the turn; if it is true, Anna wins the turn."
    )
    assert says(at, "believe") == "Your card is worth 2, but Anna may still doubt your call of 2."
    at.act("believe")
    assert says(at, "believe") == (
        "Your card is worth 4. The higher value wins the turn, and Bob wins a tie."
    )


def test_gamon_shows_the_stakes_of_the_round() -> None:
    """The second turn won takes the prize."""
    at = set_up(NAVY, PIRATES, prize=3).turn("corsair 3", "cannoneer 4")
    at.act("place gunner", "call 4", "place boatswain", "call 2")
    assert says(at, "gamon").endswith(
        "If the call is a lie, you win the round and 4 coins; if it is true, Anna wins the turn."
    )


def test_amounts_show_prize_and_purses() -> None:
    """Polly moves coins, the Petty Officer removes them, the Drunk pays."""
    at = set_up(NAVY, PIRATES, purse=(2, 0)).turn("gunner 5", "polly-the-parrot 3", "gamon")
    assert says(at, "move 2") == "Then the prize is 3 coins, and Anna's purse holds no coins."
    at = set_up(NAVY, PIRATES, purse=(2, 5)).turn("gunner 4", "gambling-drunk 2")
    assert says(at, "pay 1") == (
        "Then the prize is 3 coins, your purse holds 4 coins, "
        "and your next card this round counts 2 more."
    )
    at = set_up(NAVY, PIRATES, prize=3).turn("petty-officer 1", "cannoneer 4")
    assert says(at, "remove 2") == "Then the prize is 1 coin."
    at = set_up(NAVY, PIRATES, prize=2).turn("petty-officer 1", "cannoneer 4")
    assert says(at, "remove 2") == "Then the prize is empty."
