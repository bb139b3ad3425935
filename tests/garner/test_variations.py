"""New positions, straight lines, and both readings of "top layer"."""

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


UNEVEN = "C1/B1/A1 B2/A2 A3 \n B5/B4 A5 . \n . . ."


def test_on_the_surface_heights_do_not_matter() -> None:
    """Garner R2: each non-empty site has one exposed card, at any height."""
    at = set_up(UNEVEN, layout="a")
    assert at.legal() == {"lift A1", "lift A2", "lift A3", "lift B4", "lift A5"}
    assert at.act("lift B4", "place r2c2").legal() == {"collect A1", "collect B5", "collect B4"}


def test_level_takes_only_the_cards_at_the_greatest_height_for_both_phases() -> None:
    """Garner R2: only the cards at the greatest height that still has a card."""
    at = set_up("C1/B1/A1 A2/B2/C2 A3 \n B5/B4 A5 . \n . . .", layout="a", top_layer="level")
    assert at.legal() == {"lift A1", "lift C2"}
    assert at.act("lift A1", "place r2c2").legal() == {"collect C2"}


def test_the_greatest_height_is_computed_after_all_placements() -> None:
    """Garner R5: a card placed on a stack of the greatest height opens a higher layer."""
    at = set_up("A1 B1 C2 \n A4 C5 C4 \n A2 B4 A3", layout="a", top_layer="level")
    assert at.act("lift A1", "place r2c2", "place r2c1").legal() == {"collect A1", "collect B1"}
    at.act("collect A1")
    assert at.legal() == {"lift B1"}, "the layer that was opened is still the top layer"


def test_lifting_the_highest_cards_can_lower_the_greatest_height() -> None:
    """Garner R5: the greatest height is computed at the start of each phase."""
    at = set_up("A2/A1 B2 . \n . . . \n . . .", layout="a", top_layer="level")
    assert at.legal() == {"lift A1"}
    assert at.act("lift A1", "place r2c2").legal() == {"collect A2", "collect B2", "collect A1"}


def test_level_groups_hang_together_on_that_layer_only() -> None:
    at = set_up("B2/A1 B1 B3/C1 \n . . . \n . . .", layout="a", top_layer="level")
    assert at.legal() == {"lift A1", "lift C1"}
    assert set_up("B2/A1 B1 B3/C1 \n . . . \n . . .", layout="a").legal() == {"lift A1"}
