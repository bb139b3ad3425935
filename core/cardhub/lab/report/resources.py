"""What the bots of a match with limits have used: the table `resources.csv`, from its timing."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from cardhub.base.csv_text import csv_text
from cardhub.base.errors import MatchError
from cardhub.lab.match.log.log_reader import TIMING, explained
from cardhub.lab.match.log.log_writer import replace_file
from cardhub.lab.match.task import Spent, Timing

RESOURCES = "resources.csv"
COLUMNS = (
    *("bot", "games", "answers", "seconds", "longest"),
    *("processor_seconds", "waited_seconds", "memory_bytes"),
)


def write_resources(folder: Path) -> None:
    """Write the table from `timing.jsonl`; raises MatchError."""
    games: Counter[str] = Counter()
    spent: dict[str, Spent] = {}
    for timing in _timings(folder / TIMING):
        for bot, part in timing.bots.items():
            games[bot] += 1
            spent[bot] = spent.get(bot, Spent()).joined(part)
    rows = (_row(bot, games[bot], spent[bot]) for bot in sorted(spent))
    replace_file(folder / RESOURCES, csv_text(COLUMNS, rows))


def _timings(path: Path) -> Iterator[Timing]:
    with explained(path), path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                yield msgspec.json.decode(line, type=Timing)
            except msgspec.DecodeError as error:
                raise MatchError(f"{path}:{number}: {error}") from error


def _row(bot: str, games: int, spent: Spent) -> dict[str, Any]:
    numbers = {
        "seconds": spent.seconds,
        "longest": spent.longest,
        "processor_seconds": spent.processor,
        "waited_seconds": spent.waited,
    }
    known = {key: f"{value:.3f}" for key, value in numbers.items() if value is not UNSET}
    memory = {} if spent.memory is UNSET else {"memory_bytes": spent.memory}
    return {"bot": bot, "games": games, "answers": spent.answers, **known, **memory}
