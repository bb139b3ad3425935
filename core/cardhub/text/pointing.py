"""Where on the table the legal actions point."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from cardhub.game.game import Game
from cardhub.game.scene import Area, Grid, Scene, Target
from cardhub.table.actions import Sites
from cardhub.text.sheet import Spot


def spots_of(
    game: Game[Any], scene: Scene, legal: Iterable[int], viewer: int
) -> dict[Spot, tuple[int, ...]]:
    """Return the spots with the legal actions at each; one on a group is at each of its cards.

    An action whose target is not on the table, or is several times, becomes a button, so that there
    is none that cannot be reached.
    """
    found: dict[Spot, list[int]] = {}
    for action in legal:
        targets = scene.targets(action) or _own_targets(game, action)
        spots = [spot for target in targets if (spot := _locate(scene, target, viewer))]
        for spot in dict.fromkeys(spots) or (Spot(Target("button", action), -1),):
            found.setdefault(spot, []).append(action)
    return {spot: tuple(actions) for spot, actions in found.items()}


def _own_targets(game: Game[Any], action: int) -> Sequence[Target]:
    token = game.actions.token(action)
    if token is not None:
        return (Target("card", token),)
    group, index = game.actions.group(action)
    return (Target("site", index),) if isinstance(group, Sites) else ()


def _locate(scene: Scene, target: Target, viewer: int) -> Spot | None:
    """Return the only spot a target is at; of several areas of one name, the viewer's own."""
    spots = list(_places(scene, target))
    if len(spots) > 1 and target.kind == "area":
        spots = [spot for spot in spots if _seat(scene, spot) == viewer]
    return spots[0] if len(spots) == 1 else None


def _seat(scene: Scene, spot: Spot) -> int | None:
    area = scene.areas[spot.area]
    return area.seat if isinstance(area, Area) else None


def _places(scene: Scene, target: Target) -> Iterator[Spot]:
    for number, area in enumerate(scene.areas):
        if isinstance(area, Grid):
            site = _site(area, target)
            if site is not None:
                yield Spot(Target("site", site), number)
        elif _is_in(area, target):
            yield Spot(target, number)


def _is_in(area: Area, target: Target) -> bool:
    if target.kind == "card":
        return target.key in area.tokens and area.look != "count"
    return target.kind == "area" and target.key == area.caption


def _site(grid: Grid, target: Target) -> int | None:
    """Return the site meant: itself, or where a card lies."""
    if target.kind == "site" and 0 <= int(target.key) < len(grid.stacks):
        return int(target.key)
    if target.kind == "card":
        lying = (site for site, stack in enumerate(grid.stacks) if target.key in stack)
        return next(lying, None)
    return None
