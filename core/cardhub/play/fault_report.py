"""Fault reports: a bot's fault as data, and asking the bot again at that decision."""

import json
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from cardhub.bots.bot import Bot
from cardhub.errors import BotFaultError, RecordError
from cardhub.errors.quoting import is_plain, quoted
from cardhub.files import LimitError, read_within, unused_path
from cardhub.game.game import Game
from cardhub.play.records.header import read_key
from cardhub.play.records.reading import Record, parse_record
from cardhub.play.records.recording import as_line
from cardhub.play.records.redaction import redact_game
from cardhub.play.records.replaying import open_record, replay
from cardhub.play.referee import Referee
from cardhub.play.seeds import bot_seed
from cardhub.play.setup import ask_to_act, closing

FORMAT = 1
KEY = "cardhub_reproduction"


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A fault of a bot, with all data needed to ask the bot again.

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
        """Return the JSON object of the file."""
        return {KEY: FORMAT, **asdict(self), "record": list(self.record)}


def reproduce(
    referee: Referee[Any], fault: BotFaultError, bot: str, generator: str | None, missed: int = 0
) -> Reproduction:
    """Return the reproduction of a fault in the current decision of a game."""
    seat = referee.seat
    record = tuple(json.loads(line) for line in redact_game(referee, seat).splitlines())
    answer = _plain(fault.answer)
    what = (fault.fault, str(fault), answer, fault.details)
    return Reproduction(bot, generator, seat, missed, *what, record)


def write_reproduction(reproduction: Reproduction, record: Path) -> Path:
    """Write a reproduction to a new file beside a record; return its path.

    Raises RecordError if it cannot be written.
    """
    path = unused_path(record.parent, f"{record.stem}.fault", ".json", separator="")
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(_laid_out(reproduction.as_json()))
    except OSError as error:
        raise RecordError(f"{path} cannot be written: {error.strerror}") from error
    return path


def read_reproduction(path: Path) -> Reproduction:
    """Read a reproduction; raises RecordError if the file is invalid."""
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
    """Return JSON with a line for each key and each line of the record."""
    lines = ",\n".join(f"  {_text(line)}" for line in data["record"])
    rest = (f"{_text(key)}: {_text(value)}" for key, value in data.items() if key != "record")
    return "{" + ",\n".join([*rest, f'"record": [\n{lines}\n]']) + "}\n"


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=True)  # a bot may have answered what is no Unicode


def _plain(answer: object) -> Any:
    """Return an answer as a JSON value, or else as quoted text."""
    with suppress(TypeError, ValueError, RecursionError):
        if is_plain(answer):  # encoding other types may run third-party code
            return json.loads(json.dumps(answer, allow_nan=False))
    return quoted(answer)


Make = Callable[[Random], Bot]
SAME = ("game", "version", "options", "players")
"""Header keys that a redacted record shares with the whole one."""


class RetryResult(NamedTuple):
    """Result of asking a bot again.

    `fault` is the fault this time, or None; then `chosen` is the notation of its legal action. It
    was asked `asked` times, of `decisions`; in `changed` of those before the last it chose another
    action than in the game.
    """

    fault: BotFaultError | None
    chosen: str
    asked: int
    decisions: int
    changed: int

    @property
    def is_last(self) -> bool:
        """Whether it reached the decision of the original fault."""
        return self.asked == self.decisions


def decisions(referee: Referee[Any]) -> Counter[int]:
    """Return the number of actions of each seat so far."""
    return Counter(step.seat for step in referee.observe(len(referee.players)).history)


def save_fault(
    referee: Referee[Any], fault: BotFaultError, record: Path, missed: Counter[int]
) -> Path:
    """Write the reproduction of a fault of the bot to act, beside the game's record.

    `missed` are the `decisions` before the bots were created. Returns the path; raises RecordError.
    """
    seat, bot = referee.seat, referee.players[referee.seat].kind
    # Without a commitment the seed was chosen, or follows from one that was, as in a match.
    generator = bot_seed(referee.seed, seat) if referee.commitment else None
    return write_reproduction(reproduce(referee, fault, bot, generator, missed[seat]), record)


def generator_from(record: Record, reproduction: Reproduction) -> str:
    """Return the seed of a bot's generator, derived from the whole record of the game.

    Raises RecordError if the record is redacted or of another game.
    """
    seed = record.header.seed
    if seed is None:
        raise record.wrong(1, "a redacted record has no seed: the whole one is needed")
    failed = reproduction.as_record(record.path).header
    if any(getattr(failed, key) != getattr(record.header, key) for key in SAME):
        raise record.wrong(1, "this is not the game in which the bot failed")
    return bot_seed(seed, reproduction.seat)


def ask_again(game: Game[Any], reproduction: Reproduction, path: Path, make: Make) -> RetryResult:
    """Ask a new bot at every decision of the original one, up to that of the fault.

    The recorded actions are played, not the new bot's. Without a generator it gets a random one.
    Raises RecordError, naming `path`, if the record does not replay, and BotError if the bot cannot
    be created.
    """
    bot = make(Random(reproduction.generator))
    with closing({reproduction.seat: bot}):
        return _ask_again(game, reproduction, path, bot)


def _ask_again(game: Game[Any], reproduction: Reproduction, path: Path, bot: Bot) -> RetryResult:
    record, seat = reproduction.as_record(path), reproduction.seat
    referee = open_record(game, record)
    lines = replay(record, referee)
    own = ["action" in line and line.get("seat") == seat for _, line in record.lines]
    total, asked, changed = own.count(True) - reproduction.missed + 1, 0, 0
    try:
        for number, is_own in enumerate(own):
            chosen = None
            if is_own and own[:number].count(True) >= reproduction.missed:
                asked += 1
                chosen = ask_to_act(referee, bot)
            next(lines)
            if chosen is not None:
                changed += chosen != referee.observe(seat).history[-1].action
        if referee.seat != seat:
            raise RecordError(f"{path}: at its end seat {seat} is not to act")
        asked += 1
        action = ask_to_act(referee, bot)
    except BotFaultError as fault:
        return RetryResult(fault, "", asked, total, changed)
    return RetryResult(None, _words(referee, action), asked, total, changed)


def _words(referee: Referee[Any], action: int) -> str:
    observation = referee.observe(referee.seat)
    return observation.labels().notation(action, observation.legal())
