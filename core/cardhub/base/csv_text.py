"""Tables as comma-separated values; a module of its own, because few commands load `csv`."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from typing import Any


def csv_text(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return a table with a line of heads; missing values are empty cells."""
    text = StringIO()
    # Not the default "\r\n", because files have the same line ends on every system.
    writer = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
