"""The regions of a table of hands, from top to bottom."""

from cardhub.view.layout.frame import Box
from cardhub.view.layout.regions.ladder import (
    HandSizes,
    centre_rows,
    hand_rows,
    others_rows,
    rows_of,
)
from cardhub.view.layout.regions.panes import PanePlan
from cardhub.view.layout.shape import Shape

# Where spare rows go, one each in turn; `inside` is a row at either side of the centre, once.
OUTSIDE = ("actions", "above", "below", "prompt")
INSIDE = "inside"


def table_regions(shape: Shape, panes: PanePlan, sizes: HandSizes) -> dict[str, Box]:
    """Return the boxes of a table of hands between prompt bar and footer."""
    spare = max(panes.table.height - rows_of(shape, panes, sizes), 0)
    centre = centre_rows(shape, sizes.centre)
    gaps = spread(spare, bool(shape.front and centre))
    front = shape.sizes.heights[sizes.front] if shape.front else 0
    rows = _Rows(panes.table)
    rows.add("news", 0 if panes.has_pane else 1)
    rows.skip(gaps["prompt"])
    rows.add("others", others_rows(shape, sizes))
    rows.skip(gaps["above"])
    rows.add("fronts", front if shape.seats > 1 else 0)
    rows.skip(gaps[INSIDE])
    # A terminal of few rows shows piles beside each other.
    lacking = rows_of(shape, panes, sizes) - panes.table.height
    rows.add("centre", max(centre - max(lacking, 0), min(centre, 1)))
    rows.skip(gaps[INSIDE])
    rows.add("own_front", front)
    rows.skip(gaps["below"])
    rows.add("own_line", 1)
    rows.add("own_row", int(shape.own_row))
    rows.add("hand", hand_rows(shape, sizes.hand))
    rows.skip(gaps["actions"])
    rows.add("actions", sizes.actions)
    rows.add("detail", sizes.detail)
    return rows.boxes


def spread(spare: int, has_inside: bool) -> dict[str, int]:
    """Return how spare rows are spread over the gaps of a table."""
    gaps = dict.fromkeys((*OUTSIDE, INSIDE), 0)
    while spare:
        for gap in OUTSIDE:
            if spare:
                gaps[gap] += 1
                spare -= 1
        if has_inside and not gaps[INSIDE] and spare >= 2:
            gaps[INSIDE] = 1
            spare -= 2
    return gaps


class _Rows:
    """Boxes below each other, as wide as the table."""

    def __init__(self, table: Box) -> None:
        self.boxes: dict[str, Box] = {}
        self._table = table
        self._y = table.y

    def add(self, name: str, height: int) -> None:
        if height > 0:
            self.boxes[name] = Box(self._table.x, self._y, self._table.width, height)
            self._y += height

    def skip(self, rows: int) -> None:
        self._y += rows
