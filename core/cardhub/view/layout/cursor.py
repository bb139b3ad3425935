"""The place of the cursor in a new frame."""

from collections.abc import Sequence

from cardhub.view.layout.frame import Stop
from cardhub.view.layout.navigation import CELL_HEIGHT, stop_of
from cardhub.view.spots import Spot
from cardhub.view.view import View


def kept_spot(
    stops: Sequence[Stop], before: Stop | None, view: View, *, is_placed: bool
) -> Spot | None:
    """Return the spot of the cursor in a new frame, None if it must not be at any.

    A cursor that the person moved there since the last action, `is_placed`, stays at its card.
    Otherwise it goes to the nearest choice that could be taken back, never to one that could not:
    Enter may be pressed once too often.
    """
    same = stop_of(stops, before.spot) if before else None
    if same is not None and is_placed:
        return same.spot
    legal = view.legal_spots()
    safe = {choice.action for choice in view.choices if choice.can_undo}
    # Several actions at one spot ask which, so that Enter alone does not act there.
    harmless = [s for s in stops if len(legal.get(s.spot, ())) != 1 or legal[s.spot][0] in safe]
    choices = [stop for stop in harmless if stop.spot in legal]
    if same is not None and same in (choices or harmless):
        return same.spot
    if not choices:
        # A card of the hand to look at, so that the cursor is near where it will be needed.
        own = Spot("seat", view.own)
        choices = [stop for stop in harmless if stop.region == "hand"]
        choices = choices or [stop for stop in harmless if stop.spot == own] or harmless
    if not choices:
        return None
    if before is None:
        return choices[0].spot
    return min(choices, key=lambda stop: _distance(before, stop)).spot


def _distance(one: Stop, other: Stop) -> float:
    (x, y), (u, v) = _middle(one), _middle(other)
    return abs(x - u) + abs(y - v) * CELL_HEIGHT


def _middle(stop: Stop) -> tuple[float, float]:
    box = stop.box
    return box.x + (box.width - 1) / 2, box.y + (box.height - 1) / 2
