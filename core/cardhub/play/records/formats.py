"""Recorded games as a transcript, and as a table for spreadsheets and statistics."""

import csv
from collections.abc import Iterator
from io import StringIO

from cardhub.plugins.hookspecs import hookimpl
from cardhub.plugins.registrations import Exporter, Playthrough
from cardhub.table.settings import format_value

COLUMNS = ("number", "kind", "player", "action", "told")


def as_csv(game: Playthrough) -> Iterator[str]:
    """Yield the header and one line per event; its sentences are joined by `; `."""
    yield _csv_line(COLUMNS)
    for moment in game.moments:
        player = game.player(moment.seat) if moment.kind != "over" else ""
        told = "; ".join(moment.lines)
        yield _csv_line((str(moment.number), moment.kind, player, moment.action, told))


def as_text(game: Playthrough) -> Iterator[str]:
    """Yield the lines of a transcript."""
    yield f"{_title(game)}\n"
    yield f"At the table: {', '.join(_player(*player) for player in game.players)}\n"
    yield f"As seen by: {game.viewer}\n\n"
    for moment in game.moments:
        for line in moment.lines:
            yield f"{moment.number:4}  {line}\n"
    yield "\n"
    yield from _result(game)


def _csv_line(cells: tuple[str, ...]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def _title(game: Playthrough) -> str:
    defaults = {name: option.default for name, option in game.game.options.items()}
    changed = [f"{n}={format_value(v)}" for n, v in game.settings.items() if v != defaults[n]]
    seed = [] if game.seed is None else [f"seed {game.seed}"]
    return ", ".join([game.game.title, *changed, *seed])


def _result(game: Playthrough) -> Iterator[str]:
    if game.places is None or game.scores is None:
        yield "The game is not over yet.\n"
        return
    yield "Result:\n"
    ranked = zip(game.places, range(len(game.players)), game.scores, strict=True)
    for place, seat, score in sorted(ranked):
        yield f"  {place}. {game.player(seat)}  {score}\n"


def _player(name: str, kind: str) -> str:
    return name if kind == "human" else f"{name} ({kind})"


@hookimpl
def register_exporters() -> list[Exporter]:
    """Register a transcript and a table."""
    return [
        Exporter("text", "a transcript: the whole game in sentences", as_text),
        Exporter("csv", "a table: a line for each event, with who did what", as_csv),
    ]
