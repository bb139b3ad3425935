"""Peak memory of a long match, by number of games.

The games are short, and there are many of them. Memory should not grow with their number. The
statistics, computed at the end, have a separate line.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import perf_counter

from cardhub.lab.analysis import analyse
from cardhub.lab.match.run.executors import make_executor
from cardhub.lab.match.run.runner import RunOptions, Watcher, run
from cardhub.lab.match.task import GameResult, Timing
from cardhub.plugins.registry import find_plugins
from matching import AHEAD, match_of_dice
from speed import surroundings

STEPS = (2_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000)
SEATS = 2


class MemoryReport(Watcher):
    """A watcher that prints the peak memory after each number of games in STEPS."""

    def __init__(self) -> None:
        self._games = 0
        self._begun = perf_counter()

    def game(self, result: GameResult, timing: Timing | None) -> None:
        """See Watcher."""
        self._games += 1
        if self._games in STEPS:
            self.tell(f"{self._games} games")

    def tell(self, label: str) -> None:
        """Print the peak memory and the time with a label."""
        print(f"{label:>16}{peak():>12.1f}{perf_counter() - self._begun:>12.0f}", flush=True)


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="kuhn")
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument(
        "--statistics", action="store_true", help="compute the statistics at the end"
    )
    arguments = parser.parse_args()
    registry, report = find_plugins(), MemoryReport()
    match = match_of_dice(registry, arguments.game, arguments.games // SEATS)
    ahead = AHEAD * arguments.workers if arguments.workers > 1 else 1
    how = RunOptions(make_executor(arguments.workers), ahead, report)
    print(surroundings(), f"{'':16}{'peak MB':>12}{'seconds':>12}", sep="\n\n")
    with tempfile.TemporaryDirectory() as folder:
        run(match, registry, Path(folder), how)
        report.tell("played")
        run(match, registry, Path(folder), options=RunOptions())
        report.tell("read again")
        if arguments.statistics:
            analyse(match, Path(folder))
            report.tell("statistics")


def peak() -> float:
    """Return the peak resident memory of this process in megabytes."""
    most = getrusage(RUSAGE_SELF).ru_maxrss
    return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)


if __name__ == "__main__":
    main()
