"""The consequences of Garner's actions, shown before they are chosen."""

import pytest

from ..positions import Position, set_up

ROWS = "C9/A1 B1 C2 \n A4 C5 C4 \n A2 B4 ."


def says(at: Position, text: str) -> str:
    """Return the consequence of a legal action."""
    observation = at.observe(at.state.seat)
    labels = observation.labels(["Ada", "Bo"])
    return at.game.display.consequence(
        observation.state, labels.parse(text, observation.legal()), labels
    )


def test_a_lift_shows_its_cards_and_the_cards_below() -> None:
    """A lift shows the group of A1 and B1, and C9 below A1."""
    at = set_up(ROWS, layout="a")
    assert says(at, "lift A1") == (
        "You lift A1 and B1 and then place them one by one. That uncovers C9."
    )
    assert says(at, "lift A2") == "You lift A2 and then place it."


def test_a_placement_shows_the_group_that_the_card_joins() -> None:
    """A1 joins A4 and A2: the group has three cards of suit A."""
    at = set_up(ROWS, layout="a").act("lift A1")
    assert says(at, "place r2c0") == (
        "A1 covers A2. It joins A4 in a group of 2. Then place 1 more."
    )
    assert says(at, "place r2c2") == (
        "A1 takes an empty site. No card of its suit is next to it. Then place 1 more."
    )
    at.act("place r1c1")
    assert says(at, "place r2c2") == "B1 takes an empty site. It joins B4 in a group of 2."


@pytest.mark.parametrize(
    ("won", "text"),
    [
        ({}, "That makes 2 of suit A; 5 win it."),
        ({0: "A5-7"}, "That makes 5 of suit A: you win it."),
        ({0: "A5-7 B5-9"}, "That makes 5 of suit A: you win it, and with it the game."),
        ({0: "A5-9"}, "You have won suit A already."),
        ({1: "A5-9"}, "That makes 2 of suit A, but the suit is lost."),
    ],
)
def test_a_collection_shows_the_standing_of_its_suit(won: dict[int, str], text: str) -> None:
    """More than half of all cards of a suit win it."""
    at = set_up("A1 A2 . \n . C5 . \n . . B4", won, layout="a").act("lift B4", "place r2c2")
    assert says(at, "collect A1") == f"You collect 2 cards: A1 A2. {text}"


def test_exactly_six_is_shown_beforehand() -> None:
    """Garner R6: one card of the group stays; a lone card stays, so no card is collected."""
    at = set_up("A1 A2 A3 \n B8 . . \n . . C1", {0: "A4-6 C2-6"}, layout="b")
    at.act("lift B8", "place r2c0")
    assert says(at, "collect A1") == (
        "You collect 3 cards: A1 A2 A3. That would make exactly 6 of suit A, so one of them stays."
    )
    assert says(at, "collect C1") == (
        "You collect 1 card: C1. That would make exactly 6 of suit C, so it stays, and you collect "
        "no card."
    )
    at.act("collect A1")
    assert says(at, "leave A2") == "A2 stays on b1. That makes 5 of suit A; 7 win it."
