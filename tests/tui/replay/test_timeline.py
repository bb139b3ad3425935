"""The timeline of a replay: columns and steps, chapters, notes, viewpoints."""

import pytest

from cardhub.play.host.replays.replay import Chapter
from cardhub.tui.replay.timeline import (
    Timeline,
    Viewpoint,
    ViewpointRow,
)
from cardhub.view.layout.canvas import ASCII_TABLE, COLOUR_TABLE, NARROW_TABLE, Run
from cardhub.view.text.glyphs import cells, is_ambiguous

MARKS = [Chapter(str(n), 14 * n - 14) for n in range(1, 16)]
POINTS = [
    Viewpoint("1", "Anna", 0),
    Viewpoint("2", "Bob", 1),
    Viewpoint("0", "all", -1),
    Viewpoint("p", "public", 2),
]


def text(runs: list[Run]) -> str:
    """Return the text of a row."""
    return "".join(run.text for run in runs)


def test_the_line_has_a_cross_for_each_chapter_and_a_dot_for_the_step() -> None:
    labels, line = (text(row) for row in Timeline(214, 78, MARKS, [100]).rows(80, COLOUR_TABLE))
    assert line[Timeline(214, 78).column(78, 80)] == "●"
    assert line[Timeline(214, 78).column(100, 80)] == "!"
    assert line.count("┼") in (14, 15)
    for mark in MARKS:
        column = Timeline(214, 78).column(mark.first, 80)
        assert labels[column:].startswith(mark.mark)


@pytest.mark.parametrize("width", [60, 80, 200])
@pytest.mark.parametrize("last", [0, 1, 30, 5000])
def test_every_column_leads_to_a_step_and_back(width: int, last: int) -> None:
    line = Timeline(last, 0)
    steps = [line.step_at(column, width) for column in range(width)]
    assert (steps[0], steps[-1]) == (0, last)
    assert steps == sorted(steps)
    for column in range(2, width - 2):
        assert abs(line.column(line.step_at(column, width), width) - column) <= (last > 0) or (
            last < width
        )


@pytest.mark.parametrize("width", [60, 80, 120])
def test_rows_are_never_wider_than_the_screen(width: int) -> None:
    many = [Chapter(f"round {'i' * (n + 1)}", n) for n in range(100)]
    for glyphs in (COLOUR_TABLE, ASCII_TABLE):
        rows = Timeline(99, 50, many).rows(width, glyphs)
        row = ViewpointRow(POINTS * 3, 0, "playing · 0.6 s").runs(width, glyphs)
        assert all(cells(text(runs)) <= width for runs in (*rows, row))
        assert text(rows[0]).split("round")[1].strip()


def test_a_click_on_a_viewpoint_finds_its_viewer() -> None:
    row = ViewpointRow(POINTS, 0, "paused")
    shown = text(row.runs(80, COLOUR_TABLE))
    for point in POINTS:
        at = shown.index(f"{point.key} {point.name}")
        assert row.viewer_at(at, 80, COLOUR_TABLE) == point.viewer
        assert row.viewer_at(at + len(point.name) + 1, 80, COLOUR_TABLE) == point.viewer
    assert row.viewer_at(shown.index("paused"), 80, COLOUR_TABLE) is None


def test_ascii_has_ascii_only() -> None:
    rows = Timeline(50, 20, MARKS[:3], [40]).rows(60, ASCII_TABLE)
    assert all(text(row).isascii() for row in rows)
    assert "O" in text(rows[1])


def test_a_narrow_line_has_no_character_of_two_cells() -> None:
    rows = Timeline(50, 20, MARKS[:3], [40]).rows(60, NARROW_TABLE)
    assert not any(is_ambiguous(char) for row in rows for char in text(row))
    assert "O" in text(rows[1])
