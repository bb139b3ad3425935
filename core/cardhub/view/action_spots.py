"""The spots of a scene that actions refer to, and their reading order."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from cardhub.game.game import Game
from cardhub.game.scene import Area, Grid, Scene, Target
from cardhub.table.actions import Sites
from cardhub.view.spots import Spot


def spots_of(
    game: Game[Any], scene: Scene, actions: Iterable[int], viewer: int
) -> dict[int, tuple[Spot, ...]]:
    """Return the spots by action; an action whose targets are missing or ambiguous is a button."""
    return {action: _of_action(game, scene, action, viewer) for action in actions}


def by_spot(spots: dict[int, tuple[Spot, ...]]) -> dict[Spot, tuple[int, ...]]:
    """Return the actions by spot; an action with several targets is at each of them."""
    found: dict[Spot, list[int]] = {}
    for action, each in spots.items():
        for spot in each:
            found.setdefault(spot, []).append(action)
    return {spot: tuple(actions) for spot, actions in found.items()}


def in_reading_order(scene: Scene, spots: dict[int, tuple[Spot, ...]], viewer: int) -> list[int]:
    """Return the actions in the order of their first spots.

    Shared areas come first, then those of the other seats, the viewer's own and the buttons; the
    cards of hands follow the other areas of their seat.
    """
    ranks = _Ranks(scene, viewer)
    return sorted(spots, key=lambda action: min(map(ranks.rank, spots[action])))


def _of_action(game: Game[Any], scene: Scene, action: int, viewer: int) -> tuple[Spot, ...]:
    targets = scene.targets(action)
    seat = game.actions.seat(action)
    if not targets and seat is not None:
        return (Spot("seat", seat),)
    targets = targets or _own_targets(game, action)
    located = (_locate(scene, target, viewer) for target in targets)
    # dict.fromkeys: two targets may be at one spot, such as two cards of a stack.
    return tuple(dict.fromkeys(filter(None, located))) or (Spot("button", action),)


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
        if target.kind == "area":
            if target.key == area.caption:
                yield Spot("area", 0, number)
        elif isinstance(area, Grid):
            site = _site(area, target)
            if site is not None:
                yield Spot("site", site, number)
        # An area that only counts its cards shows none that the cursor could stop at.
        elif target.kind == "card" and area.look != "count" and target.key in area.tokens:
            yield Spot("card", int(target.key), number)


def _site(grid: Grid, target: Target) -> int | None:
    if target.kind == "site" and 0 <= int(target.key) < len(grid.stacks):
        return int(target.key)
    if target.kind == "card":
        sites = (site for site, stack in enumerate(grid.stacks) if target.key in stack)
        return next(sites, None)
    return None


class _Ranks:
    def __init__(self, scene: Scene, viewer: int) -> None:
        self._areas = scene.areas
        self._viewer = viewer
        seats = (area.seat for area in scene.areas if isinstance(area, Area))
        self._order = {seat: n for n, seat in enumerate(dict.fromkeys(seats))}
        self._last = len(self._order)

    def rank(self, spot: Spot) -> tuple[int, ...]:
        """Return a sort key: group, seat, cards of a hand, area, position in the area."""
        if spot.kind == "button":
            return (3,)
        if spot.kind == "seat":
            return (*self._of_seat(spot.key), -1)
        area = self._areas[spot.area]
        if isinstance(area, Grid):
            return (0, 0, 0, spot.area, spot.key if spot.kind == "site" else -1)
        if spot.kind == "area":
            return (*self._of_seat(area.seat), 0, spot.area, -1)
        position = area.tokens.index(spot.key)
        is_in_hand = area.look == "hand" and area.seat is not None
        return (*self._of_seat(area.seat), int(is_in_hand), spot.area, position)

    def _of_seat(self, seat: int | None) -> tuple[int, int]:
        if seat is None:
            return (0, 0)
        return (2 if seat == self._viewer else 1, self._order.get(seat, self._last + seat))
