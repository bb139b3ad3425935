"""Parse records: every line is decoded and validated, and errors name the line."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardhub.base.errors import CardhubError, IllegalActionError, RecordError
from cardhub.base.files import LimitError, read_lines, record_access
from cardhub.play.records.edition import Edition
from cardhub.play.records.header import (
    TYPE_NAMES,
    Header,
    read_edition_key,
    read_header,
    read_player,
)
from cardhub.play.records.recording import FORMAT
from cardhub.play.seating import Player

END_KEYS = {"scores", "places", "returns"}
LINE_KEYS = (
    *({"seat", key} for key in ("action", "shuffle", "undo", "hint", "player", "note")),
    *({"seat", "player", key} for key in ("agreed", "by")),
    *({"seat", "takeback", "agreed"} | more for more in (set(), {"chance"}, {"answers"})),
    {"seat", "takeback", "agreed", "chance", "answers"},
    {"edition", "changes"},
    *(END_KEYS | more for more in (set(), {"reveal"}, {"sides"}, {"reveal", "sides"})),
)


@dataclass(frozen=True, slots=True)
class Record:
    """A parsed record; `lines` are numbered lines after the header.

    `size` is the size of all complete lines in bytes; `torn` is set if an incomplete line follows.
    """

    path: Path
    header: Header
    lines: tuple[tuple[int, dict[str, Any]], ...]
    size: int
    torn: bool

    @property
    def is_finished(self) -> bool:
        """Whether the last line holds the scores."""
        return bool(self.lines) and "scores" in self.lines[-1][1]

    @property
    def seatings(self) -> list[tuple[int, Player]]:
        """Seats and players of the deal, then those who took a seat later; raises RecordError."""
        seats = len(self.header.players)
        later = [seating_of(self.path, *line, seats) for line in self.lines if "player" in line[1]]
        return [*enumerate(self.header.players), *later]

    @property
    def players(self) -> tuple[Player, ...]:
        """The players by seat after the last line; raises RecordError."""
        # The last player of each seat; the seats are in order because the first players are.
        return tuple(dict(self.seatings).values())

    @property
    def people(self) -> tuple[int, ...]:
        """The seats in which a person has played; raises RecordError."""
        return tuple(sorted({seat for seat, player in self.seatings if player.is_human}))

    @property
    def edition(self) -> Edition | None:
        """The cards and rules after the last line, or None in an old record; raises RecordError."""
        changed = [line for line in self.lines if "edition" in line[1]]
        if not changed:
            return self.header.edition
        number, line = changed[-1]
        try:
            return read_edition_key(line)
        except RecordError as error:
            raise RecordError(f"{self.path}:{number}: {error}") from error

    @property
    def damage(self) -> str:
        """A warning that an incomplete last line is ignored, or an empty string."""
        last = self.lines[-1][0] if self.lines else 1
        return f"{self.path}: line {last + 1} is incomplete and left out" if self.torn else ""

    @property
    def may_name_cards(self) -> bool:
        """Whether errors may name cards: if the game is over or the record is redacted."""
        # Errors in an unfinished game are shown to its players.
        return self.is_finished or self.header.viewer is not None

    def wrong(self, number: int, why: object, public: str = "") -> RecordError:
        """Return the exception for line `number` (1: the header); `public` does not name cards."""
        if isinstance(why, IllegalActionError):
            why, public = why.full, str(why)
        message = why if self.may_name_cards else public or why
        return RecordError(f"{self.path}:{number}: {message}")


def read_record(path: Path) -> Record:
    """Parse a record file without its game; raises RecordError with the line's number.

    An incomplete last line is ignored.
    """
    try:
        with record_access(path, "read"):
            return _record(path, read_lines(path))
    except LimitError as error:
        raise RecordError(f"{path}:{error.line}: {error}") from error


def parse_record(path: Path, data: bytes) -> Record:
    """Parse the content of a record; errors name `path`. See read_record."""
    return _record(path, data.splitlines(keepends=True))


def seating_of(path: Path, number: int, line: dict[str, Any], seats: int) -> tuple[int, Player]:
    """Return the seat and the player of a line with a `player`; raises RecordError."""
    seat = line["seat"]
    try:
        if type(seat) is not int or not 0 <= seat < seats:
            raise RecordError(f"there is no seat {seat!r} at this table")
        return seat, read_player(line["player"])
    except RecordError as error:
        raise RecordError(f"{path}:{number}: {error}") from error


def _record(path: Path, raw: Iterable[bytes]) -> Record:
    size, torn = 0, False

    # Read lazily: a wrong file is refused at its first line, however long it is.
    def complete() -> Iterator[bytes]:
        nonlocal size, torn
        for line in raw:
            torn = not line.endswith(b"\n")
            if not torn:
                size += len(line)
                yield line

    lines = list(_parsed(path, complete()))
    if not lines:
        raise RecordError(f"{path}:1: no complete line: a record starts with a header")
    return Record(path, header_of(path, lines[0][1]), tuple(lines[1:]), size, torn)


def _parsed(path: Path, lines: Iterable[bytes]) -> Iterator[tuple[int, dict[str, Any]]]:
    ended = 0
    for number, raw in enumerate(lines, 1):
        try:
            line = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise RecordError(f"{path}:{number}: not JSON: {error}") from error
        if not isinstance(line, dict):
            raise RecordError(
                f"{path}:{number}: a line must be a JSON object, not {TYPE_NAMES[type(line)]}"
            )
        if ended:
            raise RecordError(f"{path}:{number}: nothing may follow the scores in line {ended}")
        # Replaying looks at known keys only, so unknown ones are rejected here.
        if number > 1 and set(line) not in LINE_KEYS:
            raise RecordError(
                f"{path}:{number}: a line holds seat and one of action, shuffle, undo, hint, "
                "player, note, or takeback and agreed; or edition and changes; or scores, "
                "places and returns; "
                f"not {', '.join(line) or 'nothing'}"
            )
        ended = number if number > 1 and "scores" in line else 0
        yield number, line


def header_of(path: Path, line: dict[str, Any]) -> Header:
    """Return the header from the decoded first line of a record; raises RecordError."""
    if "cardhub_record" not in line:
        raise RecordError(f"{path}:1: not a cardhub record: the first line lacks 'cardhub_record'")
    written = line["cardhub_record"]
    # No isinstance: true in JSON becomes True, which equals 1.
    if type(written) is not int or written != FORMAT:
        raise RecordError(f"{path}:1: format {written!r} cannot be read, only format {FORMAT}")
    try:
        return read_header(line)
    except CardhubError as error:
        raise RecordError(f"{path}:1: {error}") from error
