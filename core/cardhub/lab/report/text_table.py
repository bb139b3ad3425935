"""A table with strings as cells."""

from collections.abc import Sequence
from typing import NamedTuple


class TextTable(NamedTuple):
    """Heads of columns and rows of cells, all of them strings without markup.

    Columns with heads that begin with `>` align right.
    """

    heads: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
