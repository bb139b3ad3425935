"""Where actions point."""

import pytest

from cardhub import Area, Scene, Target
from cardhub.view.action_spots import by_spot, spots_of
from cardhub.view.view import Spot
from cardhub_gargon import Gargon
from cardhub_gargon.table import DONE, LAY

HAND = Target("area", "hand")
BUTTON = Spot("button", DONE)


def test_of_several_areas_of_one_name_the_viewers_own_is_meant() -> None:
    """Every seat has a hand, and a game points at one by its caption."""
    scene = Scene("", [Area("hand", seat=0), Area("hand", seat=1)], {DONE: HAND})
    assert spots_of(Gargon(), scene, [DONE], viewer=1) == {DONE: (Spot("area", 0, 1),)}


@pytest.mark.parametrize("areas", [[], [Area("hand"), Area("hand")]])
def test_a_target_that_is_nowhere_or_everywhere_becomes_a_button(areas: list[Area]) -> None:
    """No action gets lost with the thing it points at."""
    scene = Scene("", areas, {DONE: HAND})
    assert spots_of(Gargon(), scene, [DONE], viewer=0) == {DONE: (BUTTON,)}


def test_a_card_that_is_only_counted_is_reached_by_a_button() -> None:
    """A card that is not drawn cannot be clicked."""
    scene = Scene("", [Area("won", [5], look="count")])
    found = spots_of(Gargon(), scene, [LAY + 5], viewer=0)
    assert found == {LAY + 5: (Spot("button", LAY + 5),)}


def test_several_actions_on_one_card_share_its_spot() -> None:
    """Choosing the card opens the list of its actions."""
    scene = Scene("", [Area("hand", [5], seat=0)], {DONE: Target("card", 5)})
    found = by_spot(spots_of(Gargon(), scene, [LAY + 5, DONE], viewer=0))
    assert found == {Spot("card", 5, 0): (LAY + 5, DONE)}
