"""Throughput of cardhub and other frameworks, printed as tables for docs/benchmarks.md.

In every round each contender runs for the same time, one after the other, in rotating order. Rates
are medians over rounds; ratios are of two rates in the same round, with median and range. Time is
CPU time, which reduces the influence of other programs on the machine. Contenders that are not
installed are skipped and listed.
"""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from random import Random
from statistics import median
from time import process_time
from typing import NamedTuple

import contenders as c
from cardhub.model.table.settings import Value
from speed import surroundings

LIBRARIES = ("open_spiel", "rlcard", "pettingzoo", "pgx", "jax")


class Rate(NamedTuple):
    """Throughput per second: games or searches, and decisions or iterations."""

    runs: float
    steps: float


Run = Callable[[Random], int]
"""A callback that plays a game or searches in a position, and returns the number of steps."""


Make = Callable[[], Run]
"""A factory of a contender; raises ImportError if it is not installed."""


Contest = tuple[str, dict[str, Make]]
"""A comparison: a caption, and contenders by name, cardhub first."""


class Same(NamedTuple):
    """A game that cardhub and OpenSpiel have in common: its name in either.

    `opening` is the first chance outcome there.
    """

    caption: str
    ours: str
    options: Mapping[str, Value]
    theirs: str
    opening: Sequence[int] = ()


HOLD: Mapping[str, Value] = {"passing": "hold"}
NO_PASSING = (0,)
"""Chance names the direction in OpenSpiel; in 2.0.2 it does so even if there is to be none."""
SAME = (
    Same("kuhn", "kuhn", {}, "kuhn_poker"),
    Same("leduc", "leduc", {}, "leduc_poker"),
    Same("hearts without passing", "hearts", HOLD, "hearts(pass_cards=false)", NO_PASSING),
)


def main() -> None:
    """Run the benchmark and print its table."""
    arguments = read_arguments()
    print(surroundings(), versions(), sep="\n")
    print(f"{arguments.rounds} rounds of {arguments.seconds} s for each contender")
    for heading, unit, contests in (
        ("Random play", "decisions", plays()),
        ("Search", "iterations", searches(arguments.iterations)),
    ):
        print("", *head(heading, unit), sep="\n")
        for caption, contenders in contests:
            sides, missing = present(contenders)
            measured = take_turns(sides, arguments.rounds, arguments.seconds)
            print(*rows(caption, measured), sep="\n", flush=True)
            print(*(f"({name}: not installed)" for name in missing), sep="\n", end="")


def read_arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--iterations", type=int, default=300, help="of a search")
    return parser.parse_args()


def versions() -> str:
    """Return the versions of the compared libraries."""
    return "; ".join(f"{name} {_version(name)}" for name in LIBRARIES)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "is not installed"


def plays() -> Iterator[Contest]:
    """Yield the comparisons of random play."""
    others: dict[str, dict[str, Make]] = {
        "kuhn": {"OpenSpiel, game in Python": partial(c.spiel_play, "python_kuhn_poker")},
        "leduc": {"RLCard": partial(c.rlcard_play, "leduc-holdem")},
    }
    for same in SAME:
        sides: dict[str, Make] = {
            "cardhub": partial(c.cardhub_play, same.ours, same.options),
            "OpenSpiel, game in C++": partial(c.spiel_play, same.theirs, same.opening),
        }
        yield same.caption, sides | others.get(same.ours, {})
    yield (
        "leduc as an environment",
        {
            "cardhub for PettingZoo": partial(c.cardhub_zoo_play, "leduc"),
            "RLCard for PettingZoo": partial(c.classic_play, "leduc_holdem_v4"),
        },
    )


def searches(iterations: int) -> Iterator[Contest]:
    """Yield the comparisons of search, each at the first decisions of several games."""
    for same in SAME:
        ours, theirs = (
            (same.ours, same.options, iterations),
            (same.theirs, same.opening, iterations),
        )
        sides: dict[str, Make] = {
            "cardhub, ismcts": partial(c.cardhub_search, *ours),
            "OpenSpiel, ISMCTSBot in C++": partial(c.compiled_search, *theirs),
            "OpenSpiel, ISMCTSBot in Python": partial(c.python_search, *theirs),
        }
        yield same.caption, sides


def present(contenders: dict[str, Make]) -> tuple[dict[str, Run], list[str]]:
    """Return the installed contenders, ready to run, and the names of the others."""
    sides: dict[str, Run] = {}
    missing = []
    for name, make in contenders.items():
        try:
            sides[name] = make()
        except ImportError:
            missing.append(name)
    return sides, missing


def take_turns(sides: dict[str, Run], rounds: int, seconds: float) -> dict[str, list[Rate]]:
    """Measure all contenders in every round."""
    measured: dict[str, list[Rate]] = {name: [] for name in sides}
    for run in sides.values():
        measure(run, seconds / 10, Random(0))  # warm up
    for number in range(rounds):
        for name in list(sides)[:: -1 if number % 2 else 1]:
            measured[name].append(measure(sides[name], seconds, Random(number)))
    return measured


def measure(run: Run, seconds: float, rng: Random) -> Rate:
    """Return the throughput over runs of at least some seconds."""
    started, spent, runs, steps, block = process_time(), 0.0, 0, 0, 1
    while spent < seconds or not runs:
        for _ in range(block):
            steps += run(rng)
        runs += block
        before, spent = spent, process_time() - started
        # To read the clock takes a fifth of the time of a small game.
        if spent - before < seconds / 100:
            block *= 2
    return Rate(runs / spent, steps / spent)


def head(heading: str, unit: str) -> Iterator[str]:
    """Yield the header of a table."""
    runs = "games/s" if unit == "decisions" else "searches/s"
    yield f"{heading}:"
    yield f"| game | who | {runs} | {unit}/s | cardhub against it |"
    yield "|---|---|---|---|---|"


def rows(caption: str, measured: dict[str, list[Rate]]) -> Iterator[str]:
    """Yield a row for each contender, compared by steps per second."""
    ours = next(iter(measured.values()))
    for name, rates in measured.items():
        runs, steps = (median(values) for values in zip(*rates, strict=True))
        cell = "" if rates is ours else compared(ours, rates)
        yield f"| {caption} | {name} | {runs:,.0f} | {steps:,.0f} | {cell} |"


def compared(ours: list[Rate], theirs: list[Rate]) -> str:
    """Return the ratio of our steps to theirs: median, minimum and maximum."""
    ratios = [our.steps / their.steps for our, their in zip(ours, theirs, strict=True)]
    return f"{median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


if __name__ == "__main__":
    main()
