"""Both readings of "top layer"."""

from .positions import set_up

UNEVEN = "C1/B1/A1 B2/A2 A3 \n B5/B4 A5 . \n . . ."


def test_on_the_surface_heights_do_not_matter() -> None:
    """Garner R2: one exposed card per non-empty site, at any height."""
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
    """All members of a group are on the same layer."""
    at = set_up("B2/A1 B1 B3/C1 \n . . . \n . . .", layout="a", top_layer="level")
    assert at.legal() == {"lift A1", "lift C1"}
    assert set_up("B2/A1 B1 B3/C1 \n . . . \n . . .", layout="a").legal() == {"lift A1"}
