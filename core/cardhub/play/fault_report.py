"""Fault reports: a bot's fault as data, and asking the bot again at that decision."""

import json
from collections import Counter
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from cardhub.base.errors import BotFaultError, RecordError
from cardhub.base.errors.quoting import is_plain, quoted
from cardhub.base.files import LimitError, numbered_paths, read_within, record_access, write_unused
from cardhub.bots.bot import Bot
from cardhub.model.game.game import Game
from cardhub.play.records.header import read_key
from cardhub.play.records.reading import Record, parse_record
from cardhub.play.records.recording import as_line
from cardhub.play.records.redaction import redact_game, why_not_redacted
from cardhub.play.records.replaying import open_record, replay
from cardhub.play.referee import Referee, seats_to_act
from cardhub.play.seeds import bot_seed
from cardhub.play.setup import MakeBot, ask_to_act, closing

FORMAT = 1
KEY = "cardhub_reproduction"
TYPES: dict[str, type[Any]] = {
    "bot": str,
    "seat": int,
    "missed": int,
    "fault": str,
    "message": str,
    "details": str,
}


@dataclass(frozen=True, slots=True)
class Reproduction:
    """A fault of a bot, with all data needed to ask the bot again.

    `bot` is its spec and `seat` its seat. `generator` seeded its generator; None if it could reveal
    the deal. `missed` counts the decisions of the seat before the bot was created, in a game that
    was resumed. `record` holds the lines of the game's record up to the decision, redacted for the
    seat. The other fields describe the fault.
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
        if not self.record:
            raise RecordError(
                f"{path}: it has no record, because the game has secrets other than cards. "
                "fix: play the bot again with the seeds of its table or match"
            )
        data = "".join(map(as_line, self.record)).encode()
        record = parse_record(Path(f"{path}: record"), data)
        if record.header.viewer != self.seat:
            raise record.wrong(1, f"it is not redacted for seat {self.seat}")
        return record

    def as_json(self) -> dict[str, Any]:
        """Return the JSON object of the file."""
        return {KEY: FORMAT, **asdict(self), "record": list(self.record)}


def reproduce(
    referee: Referee[Any],
    fault: BotFaultError,
    bot: str,
    generator: str | None,
    missed: int = 0,
    *,
    seat: int | None = None,
) -> Reproduction:
    """Return the reproduction of a fault in the current decision of a game.

    `seat`: by default the referee's; another one only if they choose at the same time.
    """
    # Redacted, because the author of the bot gets the file and must not see the cards of other
    # seats.
    seat = referee.seat if seat is None else seat
    lines = [] if why_not_redacted(referee.game) else redact_game(referee, seat).splitlines()
    return Reproduction(
        bot,
        generator,
        seat,
        missed,
        fault.fault,
        str(fault),
        _plain(fault.answer),
        fault.details,
        tuple(map(json.loads, lines)),
    )


def write_reproduction(reproduction: Reproduction, record: Path) -> Path:
    """Write a reproduction to a new file next to a record, return its path; raises RecordError."""
    paths = numbered_paths(record.parent, f"{record.stem}.fault", ".json", separator="")
    with record_access(record.with_suffix(".fault.json"), "written"):
        data = reproduction.as_json()
        # One line for each key and each line of the record, to make the file readable.
        lines = ",\n".join(f"  {_as_json(line)}" for line in data["record"])
        rest = (f"{_as_json(key)}: {_as_json(data[key])}" for key in data if key != "record")
        return write_unused(paths, "{" + ",\n".join([*rest, f'"record": [\n{lines}\n]']) + "}\n")


def read_reproduction(path: Path) -> Reproduction:
    """Read a reproduction; raises RecordError if the file is invalid."""
    try:
        with record_access(path, "read"):
            data = json.loads(read_within(path))
    except LimitError as error:
        raise RecordError(f"{path}: {error}") from error
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
    has_generator = data.get("generator", "") is not None
    return Reproduction(
        generator=read_key(data, "generator", str) if has_generator else None,
        answer=data.get("answer"),
        record=tuple(record),
        **{key: read_key(data, key, kind) for key, kind in TYPES.items()},
    )


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=True)  # an answer can have lone surrogates


def _plain(answer: object) -> Any:
    with suppress(TypeError, ValueError, RecursionError):
        if is_plain(answer):  # encoding other types may run third-party code
            return json.loads(json.dumps(answer, allow_nan=False))
    return quoted(answer)


class RetryResult(NamedTuple):
    """Result of asking a bot again.

    `fault` is the fault this time, or None; then `chosen` is the notation of its legal action. It
    was asked at `asked` of the `decisions`; at `changed` of the decisions before the last it chose
    another action than in the game.
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
    """Return the number of actions by seat."""
    return Counter(step.seat for step in referee.observe(len(referee.players)).history)


def save_fault(
    referee: Referee[Any],
    fault: BotFaultError,
    record: Path,
    missed: Counter[int],
    seat: int | None = None,
) -> Path:
    """Write the reproduction of a fault of the bot to act, next to the game's record.

    `missed` are the `decisions` before the bots were created; `seat`: as in `reproduce`. Returns
    the path; raises RecordError.
    """
    seat = referee.seat if seat is None else seat
    bot = referee.players[seat].kind
    # Without a commitment the seed was chosen, or follows from a chosen seed, as in a match.
    generator = bot_seed(referee.seed, seat) if referee.commitment else None
    reproduction = reproduce(referee, fault, bot, generator, missed[seat], seat=seat)
    return write_reproduction(reproduction, record)


def generator_from(record: Record, reproduction: Reproduction) -> str:
    """Return the seed of a bot's generator, derived from the whole record of the game.

    Raises RecordError if the record is redacted or of another game.
    """
    seed = record.header.seed
    if seed is None:
        raise record.wrong(1, "a redacted record has no seed: the whole one is needed")
    if not record.header.is_same_game(reproduction.as_record(record.path).header):
        raise record.wrong(1, "this is not the game in which the bot failed")
    return bot_seed(seed, reproduction.seat)


def ask_again(
    game: Game[Any], reproduction: Reproduction, path: Path, make: MakeBot
) -> RetryResult:
    """Ask a new bot at every decision of the original bot, up to the decision with the fault.

    Without a generator it gets a random one.
    Raises RecordError, naming `path`, if the record does not replay, and BotError if the bot cannot
    be created.
    """
    # Made once: what it learned in earlier decisions may be the cause of the fault.
    bot = make(Random(reproduction.generator))
    with closing({reproduction.seat: bot}):
        return _ask_again(game, reproduction, path, bot)


def _ask_again(game: Game[Any], reproduction: Reproduction, path: Path, bot: Bot) -> RetryResult:
    record, seat = reproduction.as_record(path), reproduction.seat
    referee = open_record(game, record)
    lines = replay(record, referee)
    own = sum(_is_decision(line, seat) for _, line in record.lines)
    total = own - reproduction.missed + 1
    taken = asked = changed = 0
    try:
        # The bot is asked before each of its lines is replayed, but the recorded action is played:
        # the game stays the same, even if the bot now chooses another action.
        for _, line in record.lines:
            is_own = _is_decision(line, seat)
            is_asked = is_own and taken >= reproduction.missed
            chosen = ask_to_act(referee, bot) if is_asked else None
            next(lines)
            taken, asked = taken + is_own, asked + is_asked
            if is_asked:
                changed += chosen != referee.observe(seat).history[-1].action
        if seat not in seats_to_act(referee):
            raise RecordError(f"{path}: at its end seat {seat} is not to act")
        action = ask_to_act(referee, bot, seat)
    except BotFaultError as fault:
        return RetryResult(fault, "", asked + 1, total, changed)
    seen = referee.observe(seat)
    return RetryResult(
        None, seen.labels().notation(action, seen.legal()), asked + 1, total, changed
    )


def _is_decision(line: dict[str, Any], seat: int) -> bool:
    return "action" in line and line.get("seat") == seat
