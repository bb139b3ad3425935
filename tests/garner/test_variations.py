"""New positions and straight lines."""

import pytest

from .positions import set_up

PAIR = "A1 B1 C2 \n A4 C5 C4 \n A2 B4 A3"
ALL = {f"r{row}c{column}" for row in range(3) for column in range(3)}


def test_with_all_no_card_goes_back_where_it_lay() -> None:
    """`new_position: all`: every lifted card gets another site than before."""
    at = set_up(PAIR, layout="a", new_position="all").act("lift A1")
    assert at.sites() == ALL - {"r0c0"}
    assert at.act("place r2c2").sites() == ALL - {"r0c1", "r2c2"}


def test_swapping_sites_within_the_group_is_a_new_position() -> None:
    """Garner R10: swapping sites within the group counts as a new position."""
    at = set_up(PAIR, layout="a", new_position="all").act("lift A1", "place r0c1", "place r0c0")
    assert {at.stacks()["r0c0"], at.stacks()["r0c1"]} == {"A1", "B1"}
    at = set_up(PAIR, layout="a", new_position="any").act("lift A1", "place r0c1")
    assert at.sites() == ALL - {"r0c1"}


def test_with_any_only_the_last_card_may_be_forced() -> None:
    """`new_position: any`: at least one lifted card gets another site than before."""
    at = set_up(PAIR, layout="a", new_position="any").act("lift A1")
    assert at.sites() == ALL
    assert at.act("place r0c0").sites() == ALL - {"r0c0", "r0c1"}
    at = set_up(PAIR, layout="a", new_position="any").act("lift A1", "place r2c0")
    assert at.sites() == ALL - {"r2c0"}


@pytest.mark.parametrize("rule", ["any", "all"])
def test_a_lone_card_must_move(rule: str) -> None:
    at = set_up(PAIR, layout="a", new_position=rule).act("lift C5")
    assert at.sites() == ALL - {"r1c1"}


def test_straight_lines_are_rows_columns_and_diagonals() -> None:
    """Garner R10: any distance, stacks in between do not block; staying put is allowed."""
    rows = "\n".join(["E1 A2 B3 C4 D5", ". . . . .", ". . A9 . .", ". . . . .", ". . . . ."])
    at = set_up(rows, straight_line=True).act("lift E1")
    row, column = {f"r0c{n}" for n in range(5)}, {f"r{n}c0" for n in range(5)}
    assert at.sites() == row | column | {f"r{n}c{n}" for n in range(5)}
    at = set_up(rows, straight_line=True).act("lift A9")
    diagonals = {f"r{n}c{n}" for n in range(5)} | {f"r{n}c{4 - n}" for n in range(5)}
    assert at.sites() == diagonals | {f"r2c{n}" for n in range(5)} | {f"r{n}c2" for n in range(5)}


def test_straight_lines_end_where_the_layout_ends() -> None:
    """A layout that is not square has shorter lines."""
    rows = ". A1 . . . \n . . . . . \n . . . . ."
    at = set_up(rows, layout="d", straight_line=True).act("lift A1")
    assert at.sites() == {f"r0c{n}" for n in range(5)} | {"r1c1", "r2c1", "r1c0", "r1c2", "r2c3"}


def test_staying_put_is_forbidden_by_new_position_only() -> None:
    """Garner R10: staying put is allowed unless `new_position` forbids it."""
    for rule, stays in (("none", True), ("any", False), ("all", False)):
        at = set_up(PAIR, layout="a", straight_line=True, new_position=rule).act("lift C5")
        assert ("r1c1" in at.sites()) is stays
