"""The spots that actions refer to, and the actions of groups of spots."""

import pytest
from tests.view.text.patchwork import Patchwork

from cardhub.model.game.scene import Area, Grid, Scene, Target
from cardhub.view.action_spots import by_spot, spots_of
from cardhub.view.view import Spot
from cardhub_gargon import Gargon
from cardhub_gargon.table import DONE, LAY

HAND = Target("area", "hand")
BUTTON = Spot("button", DONE)


def test_of_several_areas_of_one_name_the_viewers_own_is_meant() -> None:
    scene = Scene("", [Area("hand", seat=0), Area("hand", seat=1)], {DONE: HAND})
    assert spots_of(Gargon(), scene, [DONE], viewer=1) == {DONE: (Spot("area", 0, 1),)}


@pytest.mark.parametrize("areas", [[], [Area("hand"), Area("hand")]])
def test_a_target_that_is_nowhere_or_everywhere_becomes_a_button(areas: list[Area]) -> None:
    scene = Scene("", areas, {DONE: HAND})
    assert spots_of(Gargon(), scene, [DONE], viewer=0) == {DONE: (BUTTON,)}


def test_a_card_that_is_only_counted_is_reached_by_a_button() -> None:
    scene = Scene("", [Area("won", [5], look="count")])
    actions = spots_of(Gargon(), scene, [LAY + 5], viewer=0)
    assert actions == {LAY + 5: (Spot("button", LAY + 5),)}


def test_several_actions_on_one_card_share_its_spot() -> None:
    scene = Scene("", [Area("hand", [5], seat=0)], {DONE: Target("card", 5)})
    actions = by_spot(spots_of(Gargon(), scene, [LAY + 5, DONE], viewer=0))
    assert actions == {Spot("card", 5, 0): (LAY + 5, DONE)}


GRID = Grid("layout", 1, 3, [[0], [1], []])


def spots(scene: Scene, *legal: int) -> dict[Spot, tuple[int, ...]]:
    """Return the spots of the given actions."""
    return by_spot(spots_of(Patchwork(), scene, legal, 0))


def test_an_action_on_a_group_is_at_every_card_of_it() -> None:
    group = [Target("site", 0), Target("site", 1)]
    actions = spots(Scene("lift", [GRID], {0: group, 1: Target("site", 2)}), 0, 1)
    assert actions == {
        Spot("site", 0, 0): (0,),
        Spot("site", 1, 0): (0,),
        Spot("site", 2, 0): (1,),
    }


def test_targets_that_are_one_spot_offer_the_action_once() -> None:
    actions = spots(Scene("lift", [GRID], {0: [Target("site", 1), Target("card", 1)]}), 0)
    assert actions == {Spot("site", 1, 0): (0,)}


def test_an_action_none_of_whose_targets_is_in_sight_becomes_a_button() -> None:
    scene = Scene("lift", [GRID, Area("lifted")], {0: [Target("card", 7), Target("card", 8)]})
    assert spots(scene, 0) == {Spot("button", 0): (0,)}
    scene.points = {0: [Target("card", 7), Target("card", 1)]}
    assert spots(scene, 0) == {Spot("site", 1, 0): (0,)}
