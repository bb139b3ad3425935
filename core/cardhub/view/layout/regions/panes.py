"""The panes beside the table, and the width and the fixed rows that they leave to it."""

from collections.abc import Mapping
from typing import NamedTuple

from cardhub.view.layout.frame import Box

# The table is never wider; the panes take the rest.
WIDEST_TABLE = 112
# Least columns of the terminal, and columns of the pane at the right.
RIGHT_PANES = ((160, 52), (118, 38), (100, 30))
LEFT_PANE, LEFT_PANE_FROM = 36, 160
# The columns that panes leave to the table where there are two: as many as beside one pane at 120.
LEAST_BETWEEN = 82
# Rows of the pane for what is under the cursor, its heading included.
DETAIL_ROWS, MOST_DETAIL_ROWS = 7, 12


class PanePlan(NamedTuple):
    """Boxes of prompt bar, footer and panes, and the box that is left for the table.

    The table's box is that between prompt bar and footer.
    """

    table: Box
    has_pane: bool
    regions: Mapping[str, Box]


def panes_of(width: int, height: int, has_log: bool) -> PanePlan:
    """Return the panes of a terminal."""
    left = LEFT_PANE if has_log and width >= LEFT_PANE_FROM else 0
    right = _right(width, left) if has_log else 0
    table = min(width - left - right, WIDEST_TABLE)
    if right:
        # Panes take what the table leaves, the right one first: sentences of the log are long.
        right = width - left - table
    # Without panes a wide terminal has the table in its middle.
    x = left or (width - table - right) // 2
    regions = {
        "prompt": Box(0, 0, width, 1),
        "footer": Box(0, height - 1, width, 1),
        **(_right_pane(width - right, right, height) if right else {}),
        **({"standing": Box(0, 1, left - 1, height - 2)} if left else {}),
    }
    return PanePlan(Box(x, 1, table, height - 2), right > 0, regions)


def _right(width: int, left: int) -> int:
    fitting = (
        pane
        for least, pane in RIGHT_PANES
        if width >= least and (not left or width - left - pane >= LEAST_BETWEEN)
    )
    return next(fitting, 0)


def _right_pane(x: int, width: int, height: int) -> dict[str, Box]:
    detail = min(max(DETAIL_ROWS, height // 4), MOST_DETAIL_ROWS)
    log = height - 2 - detail
    return {"log": Box(x, 1, width, log), "here": Box(x, 1 + log, width, detail)}
