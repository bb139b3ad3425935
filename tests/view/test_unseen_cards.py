"""The cards that a viewer has not seen."""

from collections.abc import Callable
from typing import Any

from cardhub.view.explain.unseen_cards import unseen_lines


def test_there_is_a_line_for_each_back_with_the_faces_and_their_number(
    table: Callable[..., Any],
) -> None:
    """Own cards are left out; of a zero that is in play twice, two may be unseen."""
    lines = unseen_lines(table(seats=5).observe(0))
    assert [line.partition(":")[0] for line in lines][:2] == ["White card", "Blue card"]
    red = next(line for line in lines if line.startswith("Red card: "))
    assert red.startswith("Red card: 2×R0 R1 R2")
    assert "R14" not in red.split()
