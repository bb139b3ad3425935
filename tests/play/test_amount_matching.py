"""Typed amounts: a verb with a number or a shortcut."""

import pytest
from tests.kit.holdem_hands import hand, view_of

from cardhub.cli.session.text_table import Typed, read_line
from cardhub.play.view_matching import read_choice
from holdem.table import RAISE

VIEW = view_of(hand(100, 100, 100))
ASKED = "Type an amount from 4 to 100: `raise 4`, `raise half the pot` (4), `raise pot` (7) or "


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("raise 37", 37),
        ("Raise to 37", 37),
        ("r 37", 37),
        ("raise pot", 7),
        ("all-in", 100),
        ("raise half the pot", 4),
    ],
)
def test_a_verb_with_a_number_or_a_shortcut_is_an_amount(text: str, amount: int) -> None:
    assert read_choice(VIEW, text) == RAISE.action(amount)
    assert read_line(text, VIEW) == Typed("act", action=RAISE.action(amount))


@pytest.mark.parametrize("text", ["raise", "raise to", "r", "3"])
def test_a_verb_or_number_alone_asks_for_the_amount(text: str) -> None:
    typed = read_line(text, VIEW)
    assert typed.command == "refused"
    assert typed.text.startswith(ASKED)


@pytest.mark.parametrize("text", ["raise 101", "raise 3", "raise 4.5", "37"])
def test_an_amount_that_is_not_legal_becomes_the_question_why(text: str) -> None:
    assert read_line(text, VIEW) == Typed("why", text)


@pytest.mark.parametrize(("text", "action"), [("call", 2), ("c", 2), ("1", 0)])
def test_other_choices_are_typed_as_before(text: str, action: int) -> None:
    assert read_line(text, VIEW) == Typed("act", action=action)
