"""A bot's fault as data: everything needed to ask the bot once more at that decision."""

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cardhub.errors import BotFaultError, RecordError
from cardhub.files import LimitError, read_within
from cardhub.play.header import read_key
from cardhub.play.reading import Record, parse_record
from cardhub.play.recording import as_line
from cardhub.play.redaction import redact_game
from cardhub.play.referee import Referee
from cardhub.quoting import is_plain, quoted

FORMAT = 1
KEY = "cardhub_reproduction"


@dataclass(frozen=True, slots=True)
class Reproduction:
    """How a bot came to a fault.

    `bot` is its spec, `generator` the text that seeded its generator, `seat` where it sat. There is
    no generator where one could find the deal by it, by trying seeds that people choose. It was not
    asked for the first `missed` decisions of the seat, since the game went on from a record
    then. `fault`, `message`, `answer` and `details` are those of the fault. `record` holds the
    lines of the game's record up to the decision, as the seat may have it.
    """

    bot: str
    generator: str | None
    seat: int
    missed: int
    fault: str
    message: str
    answer: Any
    details: str
    record: tuple[dict[str, Any], ...]

    def as_record(self, path: Path) -> Record:
        """Return the record; raises RecordError, which names `path`."""
        data = "".join(map(as_line, self.record)).encode()
        record = parse_record(Path(f"{path}: record"), data)
        if record.header.viewer != self.seat:
            raise record.wrong(1, f"it is not redacted for seat {self.seat}")
        return record

    def as_json(self) -> dict[str, Any]:
        """Return the same as an object for JSON, as it stands in a file."""
        return {KEY: FORMAT, **asdict(self), "record": list(self.record)}


def reproduce(
    referee: Referee[Any], fault: BotFaultError, bot: str, generator: str | None, missed: int = 0
) -> Reproduction:
    """Return the reproduction of a fault in the decision that is next at the table."""
    seat = referee.seat
    record = tuple(json.loads(line) for line in redact_game(referee, seat).splitlines())
    answer = _plain(fault.answer)
    what = (fault.fault, str(fault), answer, fault.details)
    return Reproduction(bot, generator, seat, missed, *what, record)


def write_reproduction(reproduction: Reproduction, record: Path) -> Path:
    """Write a reproduction into a new file beside a record; return its path.

    Raises RecordError if it cannot be written.
    """
    number = 1
    while True:
        tag = ".fault.json" if number == 1 else f".fault{number}.json"
        path = record.with_name(record.stem + tag)
        try:
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(_laid_out(reproduction.as_json()))
        except FileExistsError:
            number += 1
        except OSError as error:
            raise RecordError(f"{path} cannot be written: {error.strerror}") from error
        else:
            return path


def read_reproduction(path: Path) -> Reproduction:
    """Read a reproduction; raises RecordError saying what is wrong with the file."""
    try:
        data = json.loads(read_within(path))
    except LimitError as error:
        raise RecordError(f"{path}: {error}") from error
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{path}: not JSON: {error}") from error
    if not isinstance(data, dict) or KEY not in data:
        raise RecordError(f"{path}: not the reproduction of a fault: it lacks {KEY!r}")
    try:
        return _read(data)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from error


def _read(data: dict[str, Any]) -> Reproduction:
    if data[KEY] != FORMAT:
        raise RecordError(f"format {data[KEY]!r} cannot be read, only format {FORMAT}")
    record = read_key(data, "record", list)
    if not all(isinstance(line, dict) for line in record):
        raise RecordError("'record' holds the lines of a record, which are objects")
    return Reproduction(
        bot=read_key(data, "bot", str),
        generator=None if data.get("generator", "") is None else read_key(data, "generator", str),
        seat=read_key(data, "seat", int),
        missed=read_key(data, "missed", int),
        fault=read_key(data, "fault", str),
        message=read_key(data, "message", str),
        answer=data.get("answer"),
        details=read_key(data, "details", str),
        record=tuple(record),
    )


def _laid_out(data: dict[str, Any]) -> str:
    """Return JSON that people can read: a line for each key, and for each line of the record."""
    lines = ",\n".join(f"  {_text(line)}" for line in data["record"])
    rest = (f"{_text(key)}: {_text(value)}" for key, value in data.items() if key != "record")
    return "{" + ",\n".join([*rest, f'"record": [\n{lines}\n]']) + "}\n"


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=True)  # a bot may have answered what is no Unicode


def _plain(answer: object) -> Any:
    """Return an answer as JSON can hold it: as it is, or else as it is quoted."""
    with suppress(TypeError, ValueError, RecursionError):
        if is_plain(answer):  # nothing else is asked to encode itself: it may do anything
            return json.loads(json.dumps(answer, allow_nan=False))
    return quoted(answer)
