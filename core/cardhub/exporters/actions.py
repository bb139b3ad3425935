"""A game as a table, for spreadsheets and statistics."""

import csv
from collections.abc import Iterator
from io import StringIO

from cardhub import Playthrough

COLUMNS = ("number", "kind", "player", "action", "told")


def as_csv(game: Playthrough) -> Iterator[str]:
    """Yield the head and a line for each event; what it tells is joined by `; `."""
    yield _line(COLUMNS)
    for moment in game.moments:
        who = game.player(moment.seat) if moment.kind != "over" else ""
        told = "; ".join(moment.lines)
        yield _line((str(moment.number), moment.kind, who, moment.action, told))


def _line(cells: tuple[str, ...]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()
