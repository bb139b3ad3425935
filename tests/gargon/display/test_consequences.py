"""The consequences of Gargon's actions, shown before they are chosen."""

import pytest
from tests.gargon.positions import Position, set_up

NAMES = ["Anna", "Bob", "Chris", "David"]


def says(at: Position, text: str) -> str:
    """Return the consequence of a legal action for the seat to act."""
    observation = at.observe(at.state.seat)
    labels = observation.labels(NAMES)
    return at.game.display.consequence(
        observation.state, labels.parse(text, observation.legal()), labels
    )


def laid() -> Position:
    """Return the position of the rulebook's example with all cards laid."""
    at = set_up({0: "Y2 Y6 R9 W1", 1: "G1", 2: "B8 B2 R8", 3: "R14 R0 B12"})
    at.act("lay Y2", "lay Y6", "lay R9", "pass 2+1", "lay B8", "lay B2", "lay R8")
    return at.act("lay R14", "lay R0", "lay B12")


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("fight yellow", "No other player has laid yellow: you win Y2 Y6 (8 amulets)."),
        (
            "fight red",
            "Your R9 against Chris's R8 and David's R0 R14: you win no card, lose 1 card and draw "
            "1.",
        ),
    ],
)
def test_a_fight_is_shown_to_its_end_because_all_laid_cards_are_open(
    action: str, text: str
) -> None:
    """The battles that follow end the same way."""
    assert says(laid(), action) == text


def test_the_fight_that_was_shown_happens() -> None:
    """Chris loses B8 to B12 and wins B2, which is left alone."""
    at = laid().act("fight yellow", "fight red", "take left", "take left")
    assert says(at, "fight blue") == (
        "Your B2 B8 against David's B12: you win B2 (5 amulets), lose 1 card and draw 1."
    )
    at.act("fight blue", "take right")
    assert at.cards(at.state.won[2]) == "B2"


def test_two_zeros_alone_draw_no_card() -> None:
    """Gargon R5: both cards are discarded without a draw; with the option both owners draw."""
    for draws, end in ((False, "lose 1 card."), (True, "lose 1 card and draw 1.")):
        options = {"zero_tie_draw": draws}
        at = set_up({0: "W0 G1", 1: "W0 G2", 2: "G3"}, seats=3, options=options)
        at.act("lay W0", "done", "lay W0", "pass 1+0")
        assert says(at, "fight white").endswith(end)


def test_laying_shows_who_has_the_colour_and_which_cards_are_missing() -> None:
    """Backs are public: before the others lay, those in their hands are counted."""
    at = set_up({0: "W1 W2 G1", 1: "W3 W4 W5", 2: "G3 Y1"}, seats=3)
    assert says(at, "lay W1") == (
        "Other players hold white cards: Bob 3. Then you may lay another card, or choose done."
    )
    at.act("lay W1")
    assert says(at, "lay W2").endswith("Then you may lay another card, or choose done.")
    at.act("lay W2")
    assert says(at, "done") == "The mix is 2 cards of one colour: the others must match it or pass."
    at.act("done")
    assert says(at, "lay W3") == (
        "It meets the white cards of Anna. Then lay 1 more: the mix is 2 cards of one colour."
    )


def test_a_pass_shows_the_backs_that_will_be_drawn() -> None:
    """Gargon R4: cards of the left stack come first."""
    at = set_up({0: "W1 V1", 1: "W3", 2: "W5"}, ("B1 Y2", "R1"), seats=3).act("lay W1", "done")
    assert says(at, "pass 2+1") == (
        "You sit out the battles of this round, and draw a yellow and a blue card from the "
        "left stack and a red card from the right."
    )


def test_a_draw_shows_the_back_of_the_next_card() -> None:
    at = set_up({0: "W1 G1", 1: "W3", 2: "W5"}, ("Y1", "R2"), seats=3)
    at.act("lay W1", "done", "lay W3", "lay W5", "fight white")
    assert says(at, "take left") == "You draw a yellow card."
    assert says(at, "take right") == "You draw a red card."


def test_cards_with_like_backs_are_counted() -> None:
    at = set_up({0: "W1 V1", 1: "W3", 2: "W5"}, ("B1 B2", "R1"), seats=3).act("lay W1", "done")
    assert says(at, "pass 2+1") == (
        "You sit out the battles of this round, and draw 2 blue cards from the left stack and a "
        "red card from the right."
    )
