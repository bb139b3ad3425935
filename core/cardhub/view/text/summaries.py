"""The summary of a round as lines of text: its title, and its rows in columns."""

from collections.abc import Sequence

from cardhub.view.text.glyphs import UNICODE, Glyphs, cells, pad, wrapped
from cardhub.view.view import SummaryView

INDENT = 2
GAP = "  "
# A long last column with less room, in cells, is wrapped together with its row.
NARROWEST = 16


def summary_lines(
    summary: SummaryView,
    width: int = 80,
    glyphs: Glyphs = UNICODE,
    *,
    titled: bool = True,
) -> list[str]:
    """Return the title, if wanted, and the rows, wrapped to a width in cells.

    Columns of numbers are aligned on the right; the first row may be their heading.
    """
    width = max(width, 1)
    # Convert before measuring: ASCII text may be longer.
    rows = [[glyphs.text(cell) for cell in row] for row in summary.rows]
    columns = list(zip(*rows, strict=True))
    widths = [max(map(cells, column)) for column in columns]
    are_numbers = [_has_numbers(column) for column in columns]
    title = glyphs.text(summary.title)
    lines = wrapped(title, width) if titled and title else []
    for row in rows:
        padded = [
            " " * (size - cells(cell)) + cell if is_number else pad(cell, size)
            for cell, size, is_number in zip(row, widths, are_numbers, strict=True)
        ]
        lines += _row_lines(padded, width)
    return lines


def _has_numbers(column: Sequence[str]) -> bool:
    filled = [cell for cell in column[1:] if cell] or [cell for cell in column if cell]
    return bool(filled) and all(
        any(map(str.isnumeric, cell)) and not any(map(str.isalpha, cell)) for cell in filled
    )


def _row_lines(row: Sequence[str], width: int) -> list[str]:
    begin = " " * INDENT + "".join(f"{cell}{GAP}" for cell in row[:-1])
    room = width - cells(begin)
    if room < min(NARROWEST, cells(row[-1])):
        text = GAP.join(cell.strip() for cell in row).strip()
        return wrapped(" " * INDENT + text, width, hang=" " * (INDENT + 2))
    first, *others = wrapped(row[-1], max(room, 1))
    return [(begin + first).rstrip(), *(" " * cells(begin) + part for part in others)]
