"""The rows below a replayed table: a timeline with chapters, and the viewpoints."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cardhub.play.host.replays.replay import Chapter
from cardhub.view.layout.canvas import Run, Style, TableGlyphs
from cardhub.view.text.glyphs import cells

# The number of rows: marks of chapters, the line, viewpoints.
TIMELINE_ROWS = 3
# Cells to the left and right of the line.
MARGIN = 2
MUTED, LINE, TEXT = Style("muted"), Style("line"), Style()
HERE, NOTE = Style("accent", is_bold=True), Style("accent")


class Viewpoint(NamedTuple):
    """A viewer that can be chosen: the key, the name and the viewer's number."""

    key: str
    name: str
    viewer: int


class Timeline(NamedTuple):
    """A game from step 0 to `last`, at `step`; `noted`: the steps with a note."""

    last: int
    step: int
    chapters: Sequence[Chapter] = ()
    noted: Sequence[int] = ()

    def column(self, step: int, width: int) -> int:
        """Return the column of a step in a row of `width` cells."""
        cells = max(width - 2 * MARGIN, 1)
        return MARGIN + (step * (cells - 1) // self.last if self.last else 0)

    def step_at(self, column: int, width: int) -> int:
        """Return the step at a column, the nearest within the game."""
        cells = max(width - 2 * MARGIN, 1)
        at = min(max(column - MARGIN, 0), cells - 1)
        return round(at * self.last / max(cells - 1, 1))

    def rows(self, width: int, glyphs: TableGlyphs) -> list[list[Run]]:
        """Return the row of marks, and the row of the line."""
        return [list(self._labels(width, glyphs)), list(self._line(width, glyphs))]

    def _labels(self, width: int, glyphs: TableGlyphs) -> Iterator[Run]:
        used, last = 0, ""
        current = max((c.first for c in self.chapters if c.first <= self.step), default=-1)
        for chapter in self.chapters:
            text, x = glyphs.texts.text(chapter.mark), self.column(chapter.first, width)
            # Skip a label that would touch or repeat the previous one.
            if x < used or x + cells(text) > width or text == last:
                continue
            yield Run(" " * (x - used), MUTED)
            yield Run(text, HERE if chapter.first == current else MUTED)
            used, last = x + cells(text) + 1, text
            yield Run(" ", MUTED)

    def _line(self, width: int, glyphs: TableGlyphs) -> Iterator[Run]:
        line, cross, dot = glyphs.heavy.line, "┼" if glyphs.texts.has_frames else "+", glyphs.pip
        marks = {self.column(chapter.first, width) for chapter in self.chapters}
        notes = {self.column(step, width) for step in self.noted}
        here = self.column(self.step, width)
        yield Run(" " * MARGIN, LINE)
        for x in range(MARGIN, max(width - MARGIN, MARGIN + 1)):
            if x == here:
                yield Run(dot if glyphs.texts.has_frames else "O", HERE)
            elif x in notes:
                yield Run("!", NOTE)
            else:
                yield Run(cross if x in marks else line, LINE)


class ViewpointRow(NamedTuple):
    """The permitted viewpoints, the current one, and the status at the right."""

    points: Sequence[Viewpoint]
    shown: int
    status: str

    def runs(self, width: int, glyphs: TableGlyphs) -> list[Run]:
        """Return the row; names are cut if they do not fit."""
        runs = [Run("  view", MUTED)]
        for point, text in zip(self.points, self._texts(width, glyphs), strict=True):
            style = HERE if point.viewer == self.shown else TEXT
            runs += [Run("  ", TEXT), Run(point.key, Style("key", is_bold=True)), Run(text, style)]
        used = sum(cells(run.text) for run in runs)
        # Without room for the pace, show only whether the replay plays.
        for text in (self.status, self.status.split(" ")[0]):
            status = glyphs.texts.text(text)
            gap = width - used - cells(status) - 2
            if gap > 1:
                return [*runs, Run(" " * gap, TEXT), Run(status, MUTED)]
        return runs

    def viewer_at(self, column: int, width: int, glyphs: TableGlyphs) -> int | None:
        """Return the viewer whose name is at a column."""
        x = cells("  view")
        for point, text in zip(self.points, self._texts(width, glyphs), strict=True):
            end = x + 2 + cells(point.key) + cells(text)
            if x + 2 <= column < end:
                return point.viewer
            x = end
        return None

    def _texts(self, width: int, glyphs: TableGlyphs) -> list[str]:
        texts = [f" {glyphs.texts.text(point.name)}" for point in self.points]
        room = width - cells("  view") - 3 * len(texts)
        if sum(map(cells, texts)) <= room:
            return texts
        longest = max(room // max(len(texts), 1), 1)
        return [text[:longest] for text in texts]
