"""Ratios of compiled to interpreted speed for each installed game, printed as a table.

Random play and search (`ismcts`) from first decisions, as in `goals.py`. Two processes, one of them
with compiled modules turned off, take turns; the figure is decisions or iterations per second of
processor time. A game that is not compiled runs on the compiled core, and is marked.
"""

import argparse
import os
import subprocess
import sys
from contextlib import ExitStack
from functools import cache
from random import Random
from statistics import median

import contenders as c
from cardhub.base.native.finder import build_status
from cardhub.base.native.folder import VARIABLE
from goals import mode
from peers import Run, measure
from speed import surroundings, working_games

ITERATIONS = 100
WORKS = ("play", "search")


class Side:
    """A process that measures on demand."""

    def __init__(self, stack: ExitStack, **variables: str) -> None:
        self._process = stack.enter_context(  # at the end closes its input, which ends it
            subprocess.Popen(
                [sys.executable, __file__, "--side"],
                env={**os.environ, **variables},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )

    def rate(self, work: str, game: str, seconds: float) -> float:
        """Return the steps per second of a work."""
        assert self._process.stdin
        assert self._process.stdout
        print(work, game, seconds, file=self._process.stdin, flush=True)
        return float(self._process.stdout.readline())


def main() -> None:
    """Run the benchmark and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", help="only these")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.2, help="of one measurement")
    parser.add_argument("--side", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.side:
        serve()
        return
    if mode() != "compiled":
        raise SystemExit("nothing is compiled. fix: cardhub compile")
    print(surroundings(), "", "| game | random play | search |", "|---|---|---|", sep="\n")
    with ExitStack() as stack:
        sides = Side(stack), Side(stack, **{VARIABLE: "0"})
        for name in arguments.games or [game.name for game in working_games()]:
            cells = [ratio(sides, work, name, arguments) for work in WORKS]
            mark = "" if build_status(name) == "compiled" else ", rules interpreted"
            print(f"| {name}{mark} | {' | '.join(cells)} |", flush=True)


def ratio(sides: tuple[Side, Side], work: str, game: str, arguments: argparse.Namespace) -> str:
    """Return the ratio of the first side to the second: median, minimum and maximum."""
    ratios = []
    for _ in range(arguments.rounds):
        compiled, interpreted = (side.rate(work, game, arguments.seconds) for side in sides)
        ratios.append(compiled / interpreted)
    return f"{median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def serve() -> None:
    """Measure for each line on standard input."""
    for line in sys.stdin:
        work, game, seconds = line.split()
        print(measure(run_of(work, game), float(seconds), Random(0)).steps, flush=True)


@cache
def run_of(work: str, game: str) -> Run:
    """Return a work, run once before it is measured."""
    run = c.cardhub_play(game, {}) if work == "play" else c.cardhub_search(game, {}, ITERATIONS)
    run(Random(1))
    return run


if __name__ == "__main__":
    main()
