"""What the bots of a match with limits have used: the table `resources.csv`.

It is written from the timing and the faults of a match; its report reads only the table, because
the public folder has no timing.
"""

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, UnsetType, structs

from cardhub.base.csv_text import csv_text
from cardhub.base.errors import MatchError
from cardhub.lab.match.log.log_reader import TIMING, explained, read_games
from cardhub.lab.match.log.log_writer import replace_file
from cardhub.lab.match.task import Spent, Timing

N = TypeVar("N", int, float)

RESOURCES = "resources.csv"


class BotUse(Struct, frozen=True):
    """What a bot has used in its games; values that were not measured are None.

    `seconds`: the time of its answers. `processor_seconds` and `waited_seconds`: how long its
    processes computed, and waited for a processor. `late_seconds`: the time of questions that it
    did not answer in time. `faults`: the number of each kind, as text.
    """

    bot: str
    games: int
    answers: int
    seconds: float
    longest: float
    processor_seconds: float | None = None
    waited_seconds: float | None = None
    memory_bytes: int | None = None
    late_seconds: float | None = None
    late_processor_seconds: float | None = None
    late_waited_seconds: float | None = None
    faults: str = ""


def write_resources(folder: Path) -> None:
    """Write the table from `timing.jsonl` and the log; raises MatchError."""
    games: Counter[str] = Counter()
    spent: dict[str, Spent] = {}
    for timing in _timings(folder / TIMING):
        for bot, part in timing.bots.items():
            games[bot] += 1
            spent[bot] = spent.get(bot, Spent()).joined(part)
    faults: dict[str, Counter[str]] = {}
    for _, result in read_games(folder):
        for note in result.faults:
            faults.setdefault(note.bot, Counter())[note.fault] += 1
    rows = (_row(_use(bot, games[bot], spent[bot], faults.get(bot))) for bot in sorted(spent))
    replace_file(folder / RESOURCES, csv_text(BotUse.__struct_fields__, rows))


def read_resources(folder: Path) -> tuple[BotUse, ...]:
    """Return the rows of the table, or an empty tuple without a table; raises MatchError."""
    path = folder / RESOURCES
    if not path.exists():
        return ()
    with explained(path), path.open(encoding="utf-8", newline="") as file:
        try:
            rows = csv.DictReader(file)
            filled = [{key: cell for key, cell in row.items() if cell} for row in rows]
            return msgspec.convert(filled, tuple[BotUse, ...], strict=False)
        except (csv.Error, msgspec.ValidationError, TypeError, UnicodeDecodeError) as error:
            raise MatchError(f"{path}: {error}\nfix: remove it") from error


def _timings(path: Path) -> Iterator[Timing]:
    with explained(path), path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                yield msgspec.json.decode(line, type=Timing)
            except msgspec.DecodeError as error:
                raise MatchError(f"{path}:{number}: {error}") from error


def _use(bot: str, games: int, spent: Spent, faults: Counter[str] | None) -> BotUse:
    return BotUse(
        bot=bot,
        games=games,
        answers=spent.answers,
        seconds=spent.seconds,
        longest=spent.longest,
        processor_seconds=_known(spent.processor),
        waited_seconds=_known(spent.waited),
        memory_bytes=_known(spent.memory),
        late_seconds=_known(spent.late),
        late_processor_seconds=_known(spent.late_processor),
        late_waited_seconds=_known(spent.late_waited),
        faults=", ".join(f"{kind}: {number}" for kind, number in sorted((faults or {}).items())),
    )


def _known(value: N | UnsetType) -> N | None:
    return None if isinstance(value, UnsetType) else value


def _row(use: BotUse) -> dict[str, Any]:
    cells = {key: value for key, value in structs.asdict(use).items() if value is not None}
    return {key: f"{v:.3f}" if isinstance(v, float) else v for key, v in cells.items()}
