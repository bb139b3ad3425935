"""Write records: JSON Lines, append-only, flushed after every line."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cardhub.errors import RecordError
from cardhub.errors.printable import in_json
from cardhub.files import sync, sync_folder
from cardhub.hidden.chance import Outcome
from cardhub.hidden.labels import Labels
from cardhub.play.records.notation import write_faces
from cardhub.play.referee import Referee
from cardhub.table.state import CHANCE

FORMAT = 1
"""The version of the record format, the value of `cardhub_record` in the first line."""


class Recorder:
    """Appends each entry of a game to a record; a Journal.

    A line is completely written before the call returns, so that no entry is lost if the program is
    killed. Raises RecordError if it cannot be written.
    """

    def __init__(
        self,
        referee: Referee[Any],
        append: Callable[[str], object],
        viewer: int | None = None,
        answers: Sequence[bool] = (),
    ) -> None:
        self._referee = referee
        self._viewer = viewer
        self._answers = answers
        self._game = referee.game
        self._append = append

    def open(self, deal: Outcome) -> None:
        """See Journal."""
        line = header(self._referee, write_faces(self._game, deal.faces, deal.backs))
        if self._viewer is not None:  # the seed would tell the whole deal
            line |= {"seed": None, "viewer": self._viewer}
        if self._answers:
            line |= {"answers": list(self._answers)}
        self._write(line)

    def take(self, seat: int, action: int, labels: Labels, legal: Sequence[int]) -> None:
        """See Journal."""
        self.note(seat, labels.notation(action, legal))

    def note(self, seat: int, notation: str) -> None:
        """Write an action that is given in notation."""
        self._write({"seat": _seat(seat), "action": notation})

    def shuffle(self, outcome: Outcome) -> None:
        """See Journal."""
        faces = write_faces(self._game, outcome.faces, outcome.backs)
        self._write({"seat": _seat(CHANCE), "shuffle": faces})

    def undo(self, seat: int) -> None:
        """See Journal."""
        self._write({"seat": seat, "undo": 1})

    def hint(self, seat: int, bot: str) -> None:
        """See Journal; a redacted record has only the hints of its viewer."""
        if self._viewer in (None, seat):
            self._write({"seat": seat, "hint": bot})

    def end(self, scores: list[int], places: list[int], returns: list[float]) -> None:
        """See Journal."""
        line = {"scores": scores, "places": places, "returns": returns}
        if self._viewer is None and self._referee.commitment:
            line |= {"reveal": self._referee.seed}
        self._write(line)

    def _write(self, line: Mapping[str, Any]) -> None:
        self._append(as_line(line))


def header(referee: Referee[Any], deal: list[str]) -> dict[str, Any]:
    """Return the first line of a record, the deal given as card names in token order."""
    commitment = {"commitment": referee.commitment} if referee.commitment else {}
    return {
        "cardhub_record": FORMAT,
        "game": referee.game.name,
        "version": referee.game.version,
        "options": dict(referee.settings),
        "players": [{"name": p.name, "kind": p.kind} for p in referee.players],
        "seed": referee.seed,
        **commitment,
        "deal": deal,
    }


def record_to(referee: Referee[Any], path: Path) -> None:
    """Start a new record of a game; raises RecordError if the file exists or cannot be created."""
    try:
        path.open("x").close()
    except FileExistsError:
        raise RecordError(f"{path} exists already: a record is never overwritten") from None
    except OSError as error:
        raise _unwritable(path, error) from error
    try:
        referee.record_in(Recorder(referee, _RecordFile(referee, path).append))
    except RecordError:
        path.unlink()  # a record without a complete header cannot be read
        raise
    try:
        sync_folder(path.parent)
    except OSError as error:
        raise _unwritable(path, error) from error


def continue_record(referee: Referee[Any], path: Path, size: int) -> None:
    """Append to a record whose first `size` bytes are complete lines; the rest is truncated.

    Raises RecordError if it cannot be written.
    """
    try:
        with path.open("r+b") as file:
            file.truncate(size)
    except OSError as error:
        raise _unwritable(path, error) from error
    referee.record_in(Recorder(referee, _RecordFile(referee, path).append), anew=False)


def as_line(line: Mapping[str, Any]) -> str:
    """Return a line of a record as text; equal content gives equal bytes."""
    return in_json(json.dumps(line, ensure_ascii=False, separators=(", ", ": "))) + "\n"


def _seat(seat: int) -> int | str:
    return "chance" if seat == CHANCE else seat


class _RecordFile:
    """Appends lines to a file that is closed after each, so that no line is lost by a kill.

    After an action of a person, before one, and at the end of the game, the file is also synced to
    disk; actions of bots in between need not survive a power failure.
    """

    def __init__(self, referee: Referee[Any], path: Path) -> None:
        self._referee = referee
        self._path = path
        self._is_settled = True

    def append(self, line: str) -> None:
        """Add a line."""
        was_settled, self._is_settled = self._is_settled, self._concerns_people()
        try:
            with self._path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(line)
                if was_settled or self._is_settled:
                    sync(file)
        except OSError as error:
            raise _unwritable(self._path, error) from error

    def _concerns_people(self) -> bool:
        """Return whether a person acts next or the game is over."""
        referee = self._referee
        return referee.is_over or (referee.seat >= 0 and referee.players[referee.seat].is_human)


def _unwritable(path: Path, error: OSError) -> RecordError:
    return RecordError(f"{path} cannot be written: {error.strerror}")
