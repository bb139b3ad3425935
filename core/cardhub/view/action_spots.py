"""The spots of a scene that actions refer to, and their reading order."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from cardhub.model.game.game import Game
from cardhub.model.game.scene import Area, Grid, Scene, Target
from cardhub.model.game.scene_faults import area_tokens
from cardhub.model.table.actions import Sites
from cardhub.view.view import Spot


def spots_of(
    game: Game[Any], scene: Scene, actions: Iterable[int], viewer: int
) -> dict[int, tuple[Spot, ...]]:
    """Return the spots by action; an action whose targets are missing or ambiguous is a button."""
    areas = _areas_of_cards(scene)
    return {action: _of_action(game, scene, action, viewer, areas) for action in actions}


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


def _areas_of_cards(scene: Scene) -> dict[int, int]:
    """Return by token the number of the only area that shows it, negative if several do."""
    found: dict[int, int] = {}
    for number, area in enumerate(scene.areas):
        for token in spot_tokens(area):
            found[token] = number if found.get(token, number) == number else -1
    return found


def spot_tokens(area: Area | Grid) -> Sequence[int]:
    """Return the tokens that the cursor can stop at: none of an area that only counts its cards."""
    return () if isinstance(area, Area) and area.look == "count" else area_tokens(area)


def _of_action(
    game: Game[Any], scene: Scene, action: int, viewer: int, areas: Mapping[int, int]
) -> tuple[Spot, ...]:
    targets = scene.targets(action)
    seat = game.actions.seat(action)
    if not targets and seat is not None:
        return (Spot("seat", seat),)
    targets = targets or _own_targets(game, action)
    located = (_locate(scene, target, viewer, areas) for target in targets)
    # dict.fromkeys: two targets may be at one spot, such as two cards of a stack.
    return tuple(dict.fromkeys(filter(None, located))) or (Spot("button", action),)


def _own_targets(game: Game[Any], action: int) -> Sequence[Target]:
    token = game.actions.token(action)
    if token is not None:
        return (Target("card", token),)
    group, index = game.actions.group(action)
    return (Target("site", index),) if isinstance(group, Sites) else ()


def _locate(scene: Scene, target: Target, viewer: int, areas: Mapping[int, int]) -> Spot | None:
    if target.kind == "card":
        return _card_spot(scene, int(target.key), areas.get(int(target.key), -1))
    spots = list(_spots(scene, target))
    if len(spots) > 1 and target.kind == "area":
        # Every player may have an area of this name: the viewer's own is meant.
        all_areas = enumerate(scene.areas)
        own = {n for n, area in all_areas if isinstance(area, Area) and area.seat == viewer}
        spots = [spot for spot in spots if spot.area in own]
    return spots[0] if len(spots) == 1 else None


def _card_spot(scene: Scene, token: int, number: int) -> Spot | None:
    if number < 0:
        return None
    area = scene.areas[number]
    if isinstance(area, Area):
        return Spot("card", token, number)
    return Spot("site", next(n for n, stack in enumerate(area.stacks) if token in stack), number)


def _spots(scene: Scene, target: Target) -> Iterator[Spot]:
    """Yield the spots of an area or of a site."""
    for number, area in enumerate(scene.areas):
        if target.kind == "area":
            if target.key == area.caption:
                yield Spot("area", 0, number)
        elif (
            target.kind == "site"
            and isinstance(area, Grid)
            and 0 <= int(target.key) < len(area.stacks)
        ):
            yield Spot("site", int(target.key), number)


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
