"""What a table is: its stage, and why its game is stuck, from its file and its last game.

This module stands apart because tables in memory and on disk have one answer.
"""

from typing import NamedTuple

from cardhub.base.errors import RecordError
from cardhub.online.server.tables.storage.table_store import TableFile, TableStore
from cardhub.online.wire.server_messages import Stage
from cardhub.play.host.table_host import Host
from cardhub.play.records.reading import read_record


class TableStage(NamedTuple):
    """What a table or its last game is: open, or in progress, stuck or over.

    `why_stuck`: the reason if a game in progress does not go on before somebody helps, else empty.
    """

    stage: Stage
    why_stuck: str = ""


NOT_CONTINUED = "the game could not be continued from its record"


PLAYING, OVER = TableStage("playing"), TableStage("over")


def derive_stage(file: TableFile, game: TableStage | None) -> TableStage:
    """Return what a table is; `game`: what its last game is, or None if it cannot be read.

    The game decides whether it is over, because its record is written before the file. A full disk
    or a kill can leave the file behind by one change.
    """
    if not file.number or file.stage == "open":
        return TableStage("open")
    return game or TableStage("playing", NOT_CONTINUED)


def stored_game(store: TableStore, file: TableFile) -> TableStage | None:
    """Return what the last game of a table is on disk, or None if it cannot be read."""
    try:
        is_finished = read_record(store.record(file.table, file.number)).is_finished
    except RecordError:
        return None
    return OVER if is_finished else PLAYING


def running_game(host: Host) -> TableStage:
    """Return what the last game is in memory, whose state is never behind its record."""
    if host.activity.name not in ("fault", "halted", "failed"):
        return OVER if host.is_over else PLAYING
    status = host.status()
    return TableStage("playing", status.failure or status.fault or "")


def count_winners(file: TableFile, host: Host) -> dict[str, object]:
    """Return the changes of a file that count the winners of its last game, none if it has them."""
    if file.scored == file.number or not host.is_over:
        return {}
    scores = dict(file.scores)
    for seat in host.winners:
        name = host.players[seat].name
        scores[name] = scores.get(name, 0) + 1
    return {"scored": file.number, "scores": scores}
