"""Spots of actions whose targets the scene names."""

from tests.view.text.patchwork import Patchwork

from cardhub.model.game.scene import Area, Grid, Scene, Target
from cardhub.view.action_spots import by_spot, spots_of
from cardhub.view.view import Spot

GRID = Grid("layout", 1, 3, [[0], [1], []])


def spots(scene: Scene, *legal: int) -> dict[Spot, tuple[int, ...]]:
    """Return the spots of some actions."""
    return by_spot(spots_of(Patchwork(), scene, legal, 0))


def test_an_action_on_a_group_is_at_every_card_of_it() -> None:
    """Any of several targets: each choice stands for the whole group."""
    group = [Target("site", 0), Target("site", 1)]
    found = spots(Scene("lift", [GRID], {0: group, 1: Target("site", 2)}), 0, 1)
    assert found == {
        Spot("site", 0, 0): (0,),
        Spot("site", 1, 0): (0,),
        Spot("site", 2, 0): (1,),
    }


def test_targets_that_are_one_spot_offer_the_action_once() -> None:
    """A card on a site and the site itself."""
    found = spots(Scene("lift", [GRID], {0: [Target("site", 1), Target("card", 1)]}), 0)
    assert found == {Spot("site", 1, 0): (0,)}


def test_an_action_none_of_whose_targets_is_in_sight_becomes_a_button() -> None:
    """There is none that cannot be reached; one that is in sight is enough."""
    scene = Scene("lift", [GRID, Area("lifted")], {0: [Target("card", 7), Target("card", 8)]})
    assert spots(scene, 0) == {Spot("button", 0): (0,)}
    scene.points = {0: [Target("card", 7), Target("card", 1)]}
    assert spots(scene, 0) == {Spot("site", 1, 0): (0,)}
