"""CPU seconds and peak memory of all commands on a long match of short games, as a table.

Each step is a separate process with one worker: `play` plays the match, with its statistics and
reports; `restart` plays the finished match again; `middle` reads half of the log and plays one
game; the others are commands of `cardhub match`. Seconds are processor time of all processes
of the step.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from speed import surroundings

# Memory is in units of 1 KB on Linux, of a byte on macOS.
MEGABYTE = 1 << 20 if sys.platform == "darwin" else 1 << 10
# Exit code of a match whose test is undecided.
UNDECIDED = 2
CLI = [sys.executable, "-m", "cardhub"]
TWO = "{id: one, use: random}, {id: two, use: random}"
FIVE = f"{TWO}, {{id: three, use: random}}, {{id: four, use: random}}, {{id: five, use: random}}"
RANKED = "[{game: kuhn, score: rank}]"
# A finished half of a log is continued until the first new game is played.
MIDDLE = """
import os, sys
from pathlib import Path
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.runner import RunOptions, Watcher, run
from cardhub.plugins.registry import find_plugins

class OneGame(Watcher):
    def game(self, result, timing):
        if timing is not None:
            os._exit(0)

registry = find_plugins()
match = read_match(Path(sys.argv[1]), registry)
run(match, registry, Path(sys.argv[2]), RunOptions(watcher=OneGame()))
"""
STATISTICS = """
import sys
from pathlib import Path
from cardhub.lab.analysis import analyse
from cardhub.lab.match.log.lookup import match_in

analyse(match_in(Path(sys.argv[1])), Path(sys.argv[1]))
"""


class Subject(NamedTuple):
    """A match to measure: its bots and games as in a match file, and the games of a deal.

    `stop` is its sequential test, which is undecided to the end.
    """

    bots: str
    games: str
    games_of_deal: int
    stop: str = "{}"
    mode: str = "round_robin"


SUBJECTS = {
    "pair": Subject(TWO, RANKED, 2),
    "points": Subject(TWO, "[{game: kuhn, score: points}]", 2),
    "cup": Subject(FIVE, "[{game: kuhn, score: rank}, {game: leduc}]", 40),
    "test": Subject(TWO, RANKED, 2, stop="{sprt: {a: one, b: two, nelo: [0, 1]}}"),
    "race": Subject(FIVE, RANKED, 2, mode="racing, margin: 0"),
}


class Cost(NamedTuple):
    """CPU seconds and peak memory in megabytes of a process."""

    seconds: float
    memory: float


def main() -> None:
    """Run the benchmark and print its tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, nargs="+", default=[10_000])
    parser.add_argument("--matches", nargs="+", choices=SUBJECTS, default=list(SUBJECTS))
    parser.add_argument("--steps", nargs="+", help="only these, of a match played before")
    parser.add_argument("--folder", type=Path, help="keep the matches here, and use them again")
    arguments = parser.parse_args()
    print(surroundings())
    with tempfile.TemporaryDirectory() as scratch:
        parent = arguments.folder or Path(scratch)
        for name in arguments.matches:
            for games in arguments.games:
                print(f"\n{name}, {games} games\n{'':16}{'CPU s':>10}{'peak MB':>10}", flush=True)
                for step, cost in costs(name, games, parent.absolute(), arguments.steps):
                    print(f"{step:16}{cost.seconds:>10.1f}{cost.memory:>10.0f}", flush=True)


def costs(
    name: str, games: int, parent: Path, wanted: Sequence[str] | None
) -> Iterator[tuple[str, Cost]]:
    """Measure the steps on one match, which is played first unless it is there already."""
    folder, file = parent / f"{name}-{games}", parent / f"{name}-{games}.yaml"
    parent.mkdir(parents=True, exist_ok=True)
    file.write_text(match_file(name, games), "utf-8")
    play = [*CLI, "match", str(file), "--out", str(folder), "--workers", "1", "--quiet"]
    if not (folder / "result.json").exists():
        yield "play", measured(play)
    for step, command in steps(folder, play).items():
        if wanted is None or step in wanted:
            yield step, measured(command)
    if wanted is None or "middle" in wanted:
        yield "middle", middle(file, folder)


def steps(folder: Path, play: list[str]) -> dict[str, list[str]]:
    """Return the command of each step."""
    where = str(folder)
    match = [*CLI, "match"]
    return {
        "statistics": [sys.executable, "-c", STATISTICS, where],
        "report": [*match, "report", where],
        "verify": [*match, "verify", where],
        "restart": play,
        "games": [*match, "games", where],
        "show": [*match, "show", where, last_game(folder), "--record", str(new_file(folder))],
    }


def last_game(folder: Path) -> str:
    """Return the id of the last game of a log."""
    with (folder / "games.jsonl").open("rb") as file:
        (line,) = deque(file, maxlen=1)
    return str(json.loads(line)["id"])


def new_file(folder: Path) -> Path:
    """Return the path of a record that does not exist."""
    path = folder.with_name(f"{folder.name}.record.jsonl")
    path.unlink(missing_ok=True)
    return path


def match_file(name: str, games: int) -> str:
    """Return the text of a match file."""
    subject = SUBJECTS[name]
    return f"""\
cardhub_match: 1
name: {name}
seed: 1
bots: [{subject.bots}]
games: {subject.games}
schedule: {{mode: {subject.mode}, blocks: {games // subject.games_of_deal}}}
stop: {subject.stop}
"""


def middle(file: Path, folder: Path) -> Cost:
    """Measure a restart in the middle, on a copy of the first half of the log."""
    half = folder.with_name(f"{folder.name}-half")
    half.mkdir(exist_ok=True)
    try:
        lines = sum(1 for _ in (folder / "games.jsonl").open("rb")) // 2
        with (folder / "games.jsonl").open("rb") as whole, (half / "games.jsonl").open("wb") as out:
            out.writelines(line for line, _ in zip(whole, range(lines), strict=False))
        return measured([sys.executable, "-c", MIDDLE, str(file), str(half)])
    finally:
        shutil.rmtree(half)


def measured(command: list[str]) -> Cost:
    """Run a command and return its cost; exits if it fails."""
    quiet = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
    process = os.posix_spawn(command[0], command, os.environ, file_actions=quiet)
    _, status, usage = os.wait4(process, 0)
    code = os.waitstatus_to_exitcode(status)
    if code not in (0, UNDECIDED):
        sys.exit(f"exit code {code}: {' '.join(command)}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / MEGABYTE)


if __name__ == "__main__":
    main()
