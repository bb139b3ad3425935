"""How much memory a long match needs: peaks of this process after more and more games.

The games are short, so that there are many. Memory should not grow with them; statistics, which
are worked out at the end, are a line of their own.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import perf_counter

from cardhub.analysis import analyse
from cardhub.match.run.executors import make_executor
from cardhub.match.run.runner import Nobody, Running, run
from cardhub.match.task import GameResult, Timing
from cardhub.plugins.discovery import find_plugins
from matching import AHEAD, match_of_dice
from speed import surroundings

STEPS = (2_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000)
SEATS = 2


class Scales(Nobody):
    """Prints the peak so far after some numbers of games."""

    def __init__(self) -> None:
        self._games = 0
        self._begun = perf_counter()

    def game(self, result: GameResult, timing: Timing | None) -> None:
        """See Watcher."""
        self._games += 1
        if self._games in STEPS:
            self.tell(f"{self._games} games")

    def tell(self, what: str) -> None:
        """Print a line."""
        print(f"{what:>16}{peak():>12.1f}{perf_counter() - self._begun:>12.0f}", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="kuhn")
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--statistics", action="store_true", help="work them out at the end")
    arguments = parser.parse_args()
    registry, scales = find_plugins(), Scales()
    match = match_of_dice(registry, arguments.game, arguments.games // SEATS)
    ahead = AHEAD * arguments.workers if arguments.workers > 1 else 1
    how = Running(make_executor(arguments.workers), ahead, scales)
    print(surroundings(), f"{'':16}{'peak MB':>12}{'seconds':>12}", sep="\n\n")
    with tempfile.TemporaryDirectory() as folder:
        run(match, registry, Path(folder), how)
        scales.tell("played")
        run(match, registry, Path(folder), how=Running())
        scales.tell("read again")
        if arguments.statistics:
            analyse(match, Path(folder))
            scales.tell("statistics")


def peak() -> float:
    """Return the most memory that this process has had, in megabytes."""
    most = getrusage(RUSAGE_SELF).ru_maxrss
    return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)


if __name__ == "__main__":
    main()
