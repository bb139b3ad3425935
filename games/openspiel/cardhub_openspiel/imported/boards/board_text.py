"""A board of rows and columns in OpenSpiel's text of a state."""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

# A row: perhaps its number, one character for each cell, perhaps the number again.
ROW = re.compile(
    r"\s*(?P<number>\d+ |\d(?=\S))?\s*(?P<cells>[^\s|]{3,}|[^\s|](?: [^\s|])+?)(?: +\d+)?\s*"
)
# The ranks of a position in chess notation, from the last rank; digits are numbers of empty cells.
RANKS = re.compile(r"(?P<ranks>[A-Za-z\d]+(?:/[A-Za-z\d]+){2,})(?P<rest> .*)?")
# The least number of rows and of columns of a board.
LEAST = 3


class BoardText(NamedTuple):
    """A board in a text: its cells row by row, and the other lines of the text."""

    rows: int
    columns: int
    cells: str
    other_lines: list[str]


class _Row(NamedTuple):
    line: int
    number: int | None
    cells: str


def board_in(text: str) -> BoardText | None:
    """Return the largest board in a text, or None if the text shows no board.

    Numbered rows are sorted by their numbers, because the rows of a grid are numbered from 1.
    """
    if ranks := RANKS.fullmatch(text.strip()):
        return _of_ranks(ranks["ranks"].split("/"), ranks["rest"] or "")
    lines = text.splitlines()
    # A row of letters above numbered rows is a header, which names the columns.
    runs = groupby(_rows(lines), lambda row: (row.number is None, len(row.cells)))
    boards = [list(run) for (_, columns), run in runs if columns >= LEAST]
    largest = max((rows for run in boards for rows in _unbroken(run)), key=len, default=[])
    if len(largest) < LEAST:
        return None
    rows = sorted(largest, key=lambda row: row.number or 0)
    inside = {row.line for row in rows}
    other_lines = [line for n, line in enumerate(lines) if n not in inside and not _is_header(line)]
    return BoardText(len(rows), len(rows[0].cells), "".join(row.cells for row in rows), other_lines)


def board_of_size(text: str, rows: int, columns: int) -> BoardText | None:
    """Return the largest board in a text, or None if it has another size."""
    board = board_in(text)
    return board if board and (board.rows, board.columns) == (rows, columns) else None


def _of_ranks(ranks: list[str], rest: str) -> BoardText | None:
    rows = [re.sub(r"\d", lambda digit: "." * int(digit[0]), rank) for rank in reversed(ranks)]
    is_board = len({len(row) for row in rows}) == 1
    return BoardText(len(rows), len(rows[0]), "".join(rows), [rest.strip()]) if is_board else None


def _rows(lines: list[str]) -> Iterator[_Row]:
    for number, line in enumerate(lines):
        if match := ROW.fullmatch(line):
            label = match["number"]
            cells = match["cells"].replace(" ", "")
            if not cells.isdigit():
                yield _Row(number, int(label) if label else None, cells)


def _unbroken(rows: list[_Row]) -> Iterator[list[_Row]]:
    for _, run in groupby(enumerate(rows), lambda numbered: numbered[1].line - numbered[0]):
        yield [row for _, row in run]


def _is_header(line: str) -> bool:
    letters = line.replace(" ", "").casefold()
    return letters.isalpha() and len(letters) >= LEAST and list(letters) == sorted(set(letters))
