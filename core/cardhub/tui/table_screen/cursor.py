"""Positions of the cursor on a sheet, and its moves between them."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from cardhub.text.sheet import Line
from cardhub.view.spots import Spot

Direction = Literal["left", "right", "up", "down"]


class Stop(NamedTuple):
    """A position of the cursor: its spot, the index of its line, its cells `start` to `end`."""

    spot: Spot
    line: int
    start: int
    end: int
    is_legal: bool

    @property
    def middle(self) -> float:
        """The middle of the stop, in cells."""
        return (self.start + self.end) / 2


def find_stops(lines: Iterable[Line]) -> list[Stop]:
    """Return the stops of some lines in reading order, each spot once."""
    found: dict[Spot, Stop] = {}
    for number, line in enumerate(lines):
        cell = 0
        for span in line:
            # A card of two lines has one stop, at the first of them.
            if span.is_stop and span.spot and span.spot not in found:
                end = cell + span.width
                found[span.spot] = Stop(span.spot, number, cell, end, span.is_legal)
            cell += span.width
    return list(found.values())


def spot_at(line: Line, cell: int) -> Spot | None:
    """Return the spot that a line shows at a cell."""
    for span in line:
        if cell < span.width:
            return span.spot
        cell -= span.width
    return None


def distance(stop: Stop, line: int, column: float) -> tuple[int, float]:
    """Return the distance of a stop from a position, in lines first, then in cells."""
    return abs(stop.line - line), abs(stop.middle - column)


def neighbour(stops: Sequence[Stop], current: int, direction: Direction, column: float) -> int:
    """Return the index of the next stop in a direction; the current one at the edge.

    Left and right follow reading order; up and down go to the nearest line, and there to the stop
    nearest to `column`.
    """
    if direction in ("left", "right"):
        step = 1 if direction == "right" else -1
        return min(max(current + step, 0), len(stops) - 1)
    line, sign = stops[current].line, 1 if direction == "down" else -1
    # All lines beyond, not only the next one: lines without a stop are skipped.
    beyond = [n for n, stop in enumerate(stops) if (stop.line - line) * sign > 0]
    return min(beyond, key=lambda n: distance(stops[n], line, column), default=current)
