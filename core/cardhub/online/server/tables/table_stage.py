"""What a table is: its stage, and why its game is stuck, from its file and its last game.

This module stands apart because tables in memory and on disk have one answer.
"""

from typing import NamedTuple

from cardhub.base.errors import RecordError
from cardhub.online.server.tables.storage.table_store import TableFile, TableStore
from cardhub.online.wire.server_messages import Stage
from cardhub.play.host.table_host import Host
from cardhub.play.records.reading import read_record


class LastGame(NamedTuple):
    """The last game of a table: whether it has ended, and why it does not go on if it is stuck."""

    is_finished: bool
    stuck_by: str = ""


class TableStage(NamedTuple):
    """What a table is: open, or its last game is in progress, stuck or over.

    `why_stuck`: the reason if a game in progress does not go on before somebody helps, else empty.
    """

    stage: Stage
    why_stuck: str = ""


NOT_CONTINUED = "the game could not be continued from its record"


def derive_stage(file: TableFile, game: LastGame | None) -> TableStage:
    """Return what a table is; `game`: the game `file.number`, or None if it cannot be read.

    The game decides whether it is over, because its record is written before the file. A full disk
    or a kill can leave the file behind by one change.
    """
    if not file.number or file.stage == "open":
        return TableStage("open")
    if game is None:
        return TableStage("playing", NOT_CONTINUED)
    if game.is_finished:
        return TableStage("over")
    return TableStage("playing", game.stuck_by)


def stored_game(store: TableStore, file: TableFile) -> LastGame | None:
    """Return the last game of a table that is not in memory, or None if it cannot be read."""
    try:
        return LastGame(read_record(store.record(file.table, file.number)).is_finished)
    except RecordError:
        return None


def running_game(host: Host) -> LastGame:
    """Return the last game of a table in memory, whose state is never behind its record."""
    if host.activity.name not in ("fault", "halted", "failed"):
        return LastGame(host.is_over)
    status = host.status()
    return LastGame(False, status.failure or status.fault or "")


def count_winners(file: TableFile, host: Host) -> dict[str, object]:
    """Return the changes of a file that count the winners of its last game, none if it has them."""
    if file.scored == file.number or not host.is_over:
        return {}
    scores = dict(file.scores)
    for seat in host.winners:
        name = host.players[seat].name
        scores[name] = scores.get(name, 0) + 1
    return {"scored": file.number, "scores": scores}
