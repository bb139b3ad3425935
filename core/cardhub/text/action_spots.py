"""The spots of the table that legal actions refer to."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from cardhub.game.game import Game
from cardhub.game.scene import Area, Grid, Scene, Target
from cardhub.table.actions import Sites
from cardhub.text.sheet import Spot


def spots_of(
    game: Game[Any], scene: Scene, legal: Iterable[int], viewer: int
) -> dict[Spot, tuple[int, ...]]:
    """Return the legal actions by spot; an action with several targets is at each of them.

    An action whose targets are missing or ambiguous becomes a button, so every action has a spot.
    """
    found: dict[Spot, list[int]] = {}
    for action in legal:
        targets = scene.targets(action) or _own_targets(game, action)
        spots = [spot for target in targets if (spot := _locate(scene, target, viewer))]
        if not targets and (spot := _spot_of_seat(scene, game.actions.seat(action))):
            spots = [spot]
        # dict.fromkeys: two targets may be at one spot, such as two cards of a stack.
        for spot in dict.fromkeys(spots) or (Spot(Target("button", action), -1),):
            found.setdefault(spot, []).append(action)
    return {spot: tuple(actions) for spot, actions in found.items()}


def _spot_of_seat(scene: Scene, seat: int | None) -> Spot | None:
    """Return the first area of a seat, beside the name of its player."""
    for number, area in enumerate(scene.areas):
        if seat is not None and isinstance(area, Area) and area.seat == seat:
            return Spot(Target("area", area.caption), number)
    return None


def _own_targets(game: Game[Any], action: int) -> Sequence[Target]:
    token = game.actions.token(action)
    if token is not None:
        return (Target("card", token),)
    group, index = game.actions.group(action)
    return (Target("site", index),) if isinstance(group, Sites) else ()


def _locate(scene: Scene, target: Target, viewer: int) -> Spot | None:
    spots = list(_spots(scene, target))
    if len(spots) > 1 and target.kind == "area":
        # Every player may have an area of this name: the viewer's own is meant.
        areas = enumerate(scene.areas)
        own = {n for n, area in areas if isinstance(area, Area) and area.seat == viewer}
        spots = [spot for spot in spots if spot.area in own]
    return spots[0] if len(spots) == 1 else None


def _spots(scene: Scene, target: Target) -> Iterator[Spot]:
    for number, area in enumerate(scene.areas):
        if isinstance(area, Grid):
            site = _site(area, target)
            if site is not None:
                yield Spot(Target("site", site), number)
        elif _is_in(area, target):
            yield Spot(target, number)


def _is_in(area: Area, target: Target) -> bool:
    if target.kind == "card":
        # An area that only counts its cards draws none that the cursor could stop at.
        return target.key in area.tokens and area.look != "count"
    return target.kind == "area" and target.key == area.caption


def _site(grid: Grid, target: Target) -> int | None:
    if target.kind == "site" and 0 <= int(target.key) < len(grid.stacks):
        return int(target.key)
    if target.kind == "card":
        sites = (site for site, stack in enumerate(grid.stacks) if target.key in stack)
        return next(sites, None)
    return None
