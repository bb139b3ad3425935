"""The spots of a scene that actions refer to, and their reading order."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from cardhub.model.game.game import Game
from cardhub.model.game.scene import Area, Grid, Scene, Target
from cardhub.model.game.scene_faults import area_tokens
from cardhub.model.table.actions import Sites
from cardhub.view.equal_cards import Equals
from cardhub.view.view import Spot


def spots_of(
    game: Game[Any], scene: Scene, actions: Iterable[int], viewer: int, equals: Equals | None = None
) -> dict[int, tuple[Spot, ...]]:
    """Return each action's spots; an action with missing or ambiguous targets becomes a button.

    `equals`: by `equals_of`; an action is at the card that stands for its card.
    """
    areas = _areas_of_cards(scene)
    spots = {action: _of_action(game, scene, action, viewer, areas) for action in actions}
    if not equals:
        return spots
    return {
        action: tuple(dict.fromkeys(_shown(spot, equals) for spot in own))
        for action, own in spots.items()
    }


def _shown(spot: Spot, equals: Equals) -> Spot:
    return Spot("card", equals.get(spot.key, spot.key), spot.area) if spot.kind == "card" else spot


def by_spot(spots: dict[int, tuple[Spot, ...]]) -> dict[Spot, tuple[int, ...]]:
    """Return the actions by spot; an action with several targets is listed at each of them."""
    by_target: dict[Spot, list[int]] = {}
    for action, targets in spots.items():
        for spot in targets:
            by_target.setdefault(spot, []).append(action)
    return {spot: tuple(actions) for spot, actions in by_target.items()}


def in_reading_order(scene: Scene, spots: dict[int, tuple[Spot, ...]], viewer: int) -> list[int]:
    """Return the actions in the order of their first spots.

    The order is: shared areas, the other seats' areas, the viewer's areas, buttons. The cards of a
    hand follow the other areas of their seat.
    """
    ranks = _Ranks(scene, viewer)
    return sorted(spots, key=lambda action: min(map(ranks.rank, spots[action])))


def _areas_of_cards(scene: Scene) -> dict[int, int]:
    """Map each token to the number of the only area that shows it, or to -1 if several do."""
    areas: dict[int, int] = {}
    for number, area in enumerate(scene.areas):
        for token in spot_tokens(area):
            areas[token] = number if areas.get(token, number) == number else -1
    return areas


def spot_tokens(area: Area | Grid) -> Sequence[int]:
    """Return the tokens that the cursor can stop at; empty if the area shows only a count."""
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
        # Each player may have an area with this name; the target is the viewer's area.
        numbered = enumerate(scene.areas)
        own_areas = {n for n, area in numbered if isinstance(area, Area) and area.seat == viewer}
        spots = [spot for spot in spots if spot.area in own_areas]
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
