"""Statistics as cells of a table, and as CSV and JSON for export."""

import csv
from collections.abc import Sequence
from io import StringIO
from typing import Any

from cardhub.model.game.game import Game
from cardhub.play.host.saved.personal_results import PersonalResult, StatisticsRow, tabulate
from cardhub.play.host.saved.saved_list import SavedGame

# The heads of `statistics_cells`.
COLUMNS = ("game", "bots", "games", "won", "average", "")
CSV_COLUMNS = (
    *("time", "game", "name", "bots", "seats", "seat", "place", "score", "won", "hints", "undos"),
    "file",
)


def statistics_cells(row: StatisticsRow, game: Game[Any] | None) -> tuple[str, ...]:
    """Return the texts of a row: game, bots, games, share won, average, note.

    `game` is None if it is no longer installed; the average then is a plain number.
    """
    title, unit = (game.title, game.unit) if game else (row.game, "")
    note = "with hints or undo" if row.is_helped else ""
    average = f"{row.average:.1f} {unit}".rstrip()
    return title, row.against, str(row.games), share_text(row), average, note


def share_text(row: StatisticsRow) -> str:
    """Return the share of games won with its interval: `62% (31%–86%)`; `–` without opponents."""
    if row.share is None or row.low is None or row.high is None:
        return "–"
    return f"{row.share:.0%} ({row.low:.0%}–{row.high:.0%})"


def statistics_facts(results: Sequence[PersonalResult]) -> dict[str, Any]:
    """Return the rows and all results as JSON values."""
    return {
        "rows": [row._asdict() for row in tabulate(results)],
        "games": [_facts(result) for result in results],
    }


def statistics_csv(results: Sequence[PersonalResult]) -> str:
    """Return all results as CSV, the game played last first, with a line of heads."""
    text = StringIO()
    writer = csv.DictWriter(text, CSV_COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(_facts(result) for result in results)
    return text.getvalue()


def _facts(result: PersonalResult) -> dict[str, Any]:
    saved: SavedGame = result.saved
    return {
        "time": saved.time,
        "game": saved.game,
        "name": result.name,
        "bots": result.against,
        "seats": len(saved.players),
        "seat": saved.people[0],
        "place": result.place,
        "score": result.score,
        "won": result.won,
        "hints": saved.hints,
        "undos": saved.undos,
        "file": str(saved.path),
    }
