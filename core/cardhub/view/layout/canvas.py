"""A canvas: styled text written at cells, turned into the rows of a frame."""

from collections.abc import Sequence
from itertools import groupby

from cardhub.view.layout.frame import TEXT, Box, LoggedRow, Run, Stop, Style
from cardhub.view.text.glyphs import cells, clip

# What a cell holds to the right of a character that is two cells wide.
COVERED = ""


class Canvas:
    """Cells of a table that is being drawn, and the stops of its cursor.

    Text outside the canvas is cut off, so that every row is exactly `width` cells wide.
    """

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.stops: list[Stop] = []
        self.logged: list[LoggedRow] = []
        self._chars = [[" "] * width for _ in range(height)]
        self._styles = [[TEXT] * width for _ in range(height)]

    def write(self, x: int, y: int, text: str, style: Style = TEXT, limit: int = -1) -> int:
        """Write text from a cell, cut to `limit` cells if given; return the column after it."""
        room = self.width - x if limit < 0 else min(limit, self.width - x)
        if not 0 <= y < self.height or x < 0 or room <= 0:
            return x
        shown = clip(text, room)
        width = cells(shown)
        if width:
            self._free(y, x, x + width)
            self._chars[y][x : x + width] = shown if width == len(shown) else _by_cell(shown)
            self._styles[y][x : x + width] = [style] * width
        return x + width

    def runs(self, x: int, y: int, runs: Sequence[Run], limit: int = -1) -> int:
        """Write runs one after the other, cut to `limit` cells if given; return the end."""
        end = self.width if limit < 0 else min(x + limit, self.width)
        for text, style in runs:
            x = self.write(x, y, text, style, max(end - x, 0))
        return x

    def fill(self, box: Box, style: Style, char: str = " ") -> None:
        """Fill a rectangle with one character."""
        for y in range(box.y, box.y + box.height):
            self.write(box.x, y, char * box.width, style)

    def rows(self) -> tuple[tuple[Run, ...], ...]:
        """Return the cells as runs, neighbours of one style joined."""
        return tuple(map(_joined, self._chars, self._styles))

    def _free(self, y: int, start: int, end: int) -> None:
        # A wide character that loses one of its cells becomes a blank.
        row = self._chars[y]
        if row[start] == COVERED:
            row[start - 1] = " "
        if end < self.width and row[end] == COVERED:
            row[end] = " "


def _by_cell(text: str) -> list[str]:
    found: list[str] = []
    for char in text:
        width = cells(char)
        if width == 0 and found:
            # Combining characters share the cell of the character before them.
            index = -1 if found[-1] != COVERED or len(found) < 2 else -2
            found[index] += char
        else:
            found += [char, *[COVERED] * (width - 1)]
    return found


def _joined(chars: list[str], styles: list[Style]) -> tuple[Run, ...]:
    runs, start = [], 0
    for style, group in groupby(styles):
        end = start + len(list(group))
        runs.append(Run("".join(chars[start:end]), style))
        start = end
    return tuple(runs)
