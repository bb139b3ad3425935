"""Lists for people and for programs."""

import json
from collections.abc import Sequence
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any

from cardhub.cli.console import echo
from cardhub.errors.printable import in_json, printable
from cardhub.text.glyphs import cells, pad


def print_json(value: Any) -> None:
    """Print a value for programs."""
    echo(in_json(json.dumps(value, ensure_ascii=False, indent=2)))


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows in columns under their heads; the last column is wrapped to the terminal."""
    table = [[printable(cell) for cell in row] for row in (heads, *rows)]
    widths = [max(cells(row[column]) for row in table) for column in range(len(heads) - 1)]
    left = sum(widths) + 2 * len(widths)
    room = max(get_terminal_size().columns - left, 30)
    for *firsts, last in table:
        start = "".join(f"{pad(cell, width)}  " for cell, width in zip(firsts, widths, strict=True))
        first, *more = wrap(last, room) or [""]
        for line in (start + first, *(" " * left + line for line in more)):
            echo(line.rstrip())
