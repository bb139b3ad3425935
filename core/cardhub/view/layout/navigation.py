"""Moves of the cursor between the stops of a frame, and its place in a new frame."""

from collections.abc import Callable, Sequence
from typing import Literal

from cardhub.view.layout.canvas import Box, Stop
from cardhub.view.view import Spot, View

Direction = Literal["left", "down", "up", "right"]
# The cost of a cell aside relative to a cell ahead: arrows stay in their row or column.
ASIDE = 3.0
# A terminal's cell is about twice as high as wide.
CELL_HEIGHT = 2.0


def nearest(stops: Sequence[Stop], cursor: Spot | None, direction: Direction) -> Spot | None:
    """Return the nearest spot in a direction, or the cursor's spot if there is none."""
    start = stop_of(stops, cursor)
    if start is None:
        return stops[0].spot if stops else None
    # Stops may share a place, for example cards beyond the end of a row: use reading order then.
    order = -1 if direction in ("left", "up") else 1
    ahead = [
        (far, order * number)
        for number, stop in enumerate(stops)
        if (far := _distance(start.box, stop.box, direction)) is not None and stop is not start
    ]
    return stops[abs(min(ahead)[1])].spot if ahead else start.spot


def next_region(stops: Sequence[Stop], cursor: Spot | None, step: int = 1) -> Spot | None:
    """Return the first spot of the next region in reading order, or of the previous one."""
    firsts: dict[str, Spot] = {}
    for stop in stops:
        firsts.setdefault(stop.region, stop.spot)
    start = stop_of(stops, cursor)
    names = list(firsts)
    at = names.index(start.region) if start else -min(step, 0) - 1
    return firsts[names[(at + step) % len(names)]] if names else None


def next_legal(
    stops: Sequence[Stop], view: View, cursor: Spot | None, step: int = 1
) -> Spot | None:
    """Return the next spot with a legal action in reading order, or the previous one."""
    legal = view.legal_spots()
    return _next(stops, cursor, step, lambda spot: spot in legal)


def next_group(view: View, cursor: Spot | None, picked: int | None, step: int = 1) -> int | None:
    """Return the next action on several sites or cards after the picked one, None without any.

    Actions are in the order of the choices; by default the action at the cursor counts as picked.
    """
    groups = [choice.action for choice in view.choices if len(choice.spots) > 1]
    if not groups:
        return None
    if picked is None and cursor is not None:
        picked = next((choice.action for choice in view.choices_at(cursor)), None)
    at = groups.index(picked) if picked in groups else -min(step, 0) - 1
    return groups[(at + step) % len(groups)]


def stop_of(stops: Sequence[Stop], spot: Spot | None) -> Stop | None:
    """Return the stop of a spot, or None if the frame does not have it."""
    return next((stop for stop in stops if stop.spot == spot), None)


def stop_at(stops: Sequence[Stop], x: int, y: int) -> Stop | None:
    """Return the stop at a cell; of several, the last one drawn."""
    for stop in reversed(stops):
        box = stop.box
        if box.x <= x < box.x + box.width and box.y <= y < box.y + box.height:
            return stop
    return None


def _next(
    stops: Sequence[Stop], cursor: Spot | None, step: int, wanted: Callable[[Spot], bool]
) -> Spot | None:
    spots = [stop.spot for stop in stops]
    at = spots.index(cursor) if cursor in spots else -min(step, 0) - 1
    for distance in range(1, len(spots) + 1):
        spot = spots[(at + step * distance) % len(spots)]
        if wanted(spot):
            return spot
    return None


def _distance(start: Box, end: Box, direction: Direction) -> float | None:
    """Return the distance to a box in a direction, None if it lies elsewhere."""
    across = (end.x + end.width / 2) - (start.x + start.width / 2)
    down = CELL_HEIGHT * ((end.y + end.height / 2) - (start.y + start.height / 2))
    if direction in ("left", "right"):
        # Left and right lead only to boxes that share a row.
        if start.y >= end.y + max(end.height, 1) or end.y >= start.y + max(start.height, 1):
            return None
        ahead, aside = (across if direction == "right" else -across), 0.0
    else:
        ahead, aside = (down if direction == "down" else -down), abs(across)
        if start.x < end.x + end.width and end.x < start.x + start.width:
            aside = 0
    return ahead + ASIDE * aside if ahead > 0 else None


def kept_spot(
    stops: Sequence[Stop], before: Stop | None, view: View, *, is_placed: bool
) -> Spot | None:
    """Return the spot of the cursor in a new frame, None without stops.

    `is_placed`: the person moved the cursor since they became the player to act; then it stays at
    its card. Otherwise it goes to the nearest legal card or site, else to an area, a seat or the
    first button, so Enter plays on. It never goes to an action that needs confirmation, because a
    person may press Enter once too often.
    """
    same = stop_of(stops, before.spot) if before else None
    if same is not None and (is_placed or not view.choices):
        return same.spot
    choices = _inviting(stops, view)
    if not choices:
        # The hand, because the cursor will probably be needed there.
        own_seat, legal = Spot("seat", view.own), view.legal_spots()
        others = [stop for stop in stops if stop.spot not in legal]
        choices = [stop for stop in others if stop.region == "hand"]
        choices = choices or [stop for stop in others if stop.spot == own_seat] or others
    if not choices:
        return None
    if before is None or choices[0].region == "actions":
        return choices[0].spot
    return min(choices, key=lambda stop: _distance_between(before, stop)).spot


def _inviting(stops: Sequence[Stop], view: View) -> list[Stop]:
    """Return the stops at which the cursor may wait for Enter.

    They are cards of the hand, else other cards, else areas, else buttons of actions that usually
    come next, else other buttons.
    """
    usual = {spot for choice in view.choices if choice.tone == "primary" for spot in choice.spots}
    plain = {spot for choice in view.choices if choice.tone != "costly" for spot in choice.spots}
    legal = [stop for stop in stops if stop.spot in plain]
    cards = [stop for stop in legal if stop.spot.kind in ("card", "site")]
    hand = [stop for stop in cards if stop.region == "hand"]
    areas = [stop for stop in legal if stop.region != "actions"]
    return hand or cards or areas or [stop for stop in legal if stop.spot in usual] or legal


def _distance_between(first: Stop, second: Stop) -> float:
    (x, y), (u, v) = _middle(first), _middle(second)
    return abs(x - u) + abs(y - v) * CELL_HEIGHT


def _middle(stop: Stop) -> tuple[float, float]:
    box = stop.box
    return box.x + (box.width - 1) / 2, box.y + (box.height - 1) / 2
