"""Speed of the installed games, printed as a table.

Subjects alternate within each round, with the same seeds in every round; a figure is the median
over rounds. A step is one action; its time is the time of a random game, including the deal,
divided by the number of steps.
"""

import argparse
import os
import platform
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cardhub import Game
from cardhub.plugins.registry import find_plugins
from figures import Figures, Work, medians, ratios
from subjects import Installed, ReferenceGame, Subject, read_reference

Name = tuple[str, int]
"""A game and the number of seats."""


def main() -> None:
    """Run the benchmark and print its table."""
    arguments = read_arguments()
    works = {
        name: [Work(subject, arguments.games) for subject in sides]
        for name, sides in subjects(arguments.game, arguments.against)
    }
    print(surroundings(), f"{arguments.rounds} rounds of {arguments.games} games", sep="\n")
    measured = take_turns(works, arguments.rounds)
    print("", *table(measured), sep="\n")
    if arguments.against:
        print("", *comparison(measured), sep="\n")


def read_arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", help="measure this game only")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--games", type=int, default=60, help="random games in a round")
    parser.add_argument("--against", type=Path, metavar="FILE", help="a file with reference games")
    return parser.parse_args()


def subjects(only: str | None, against: Path | None) -> Iterator[tuple[Name, list[Subject]]]:
    """Yield the subjects: a game for every number of seats, and its reference implementation."""
    for game in [find_plugins().game(only)] if only else working_games():
        reference = read_reference(against, type(game).__name__) if against else None
        for seats in range(game.seats.low, game.seats.high + 1):
            references = [ReferenceGame(reference, seats)] if reference else []
            yield (game.name, seats), [Installed(game, seats), *references]


def working_games() -> Iterator[Game[Any]]:
    """Yield every installed game that loads, and report the broken ones."""
    registry = find_plugins()
    for listed in registry.listed():
        yield from listed.plugin.games if listed.plugin else ()
    print(*registry.warnings(), sep="\n", end="")


def take_turns(works: dict[Name, list[Work]], rounds: int) -> dict[Name, list[list[Figures]]]:
    """Measure everything `rounds` times; a game and its reference alternate in going first."""
    measured: dict[Name, list[list[Figures]]] = {n: [[] for _ in works[n]] for n in works}
    for number in range(rounds):
        for name, sides in works.items():
            order = range(len(sides))
            for side in reversed(order) if number % 2 else order:
                measured[name][side].append(sides[side].measure())
    return measured


def table(measured: dict[Name, list[list[Figures]]]) -> Iterator[str]:
    """Yield a row for each subject."""
    yield row("game", "seats", "games/s", "µs/step", "clone µs", "observe µs", "determinize µs")
    for (name, seats), sides in measured.items():
        for label, rounds in zip((name, "  reference"), sides, strict=False):
            game, *times = medians(rounds)
            figures = [f"{time:.2f}" for time in times]
            if label != name:
                figures[2] = "-"  # a reference implementation has no observations
            yield row(label, str(seats), f"{1e6 / game:.0f}", *figures)


def row(first: str, *cells: str) -> str:
    """Format a row of the table."""
    widths = (6, 10, 10, 10, 12, 16)
    return f"{first:12}" + "".join(f"{c:>{w}}" for c, w in zip(cells, widths, strict=True))


def comparison(measured: dict[Name, list[list[Figures]]]) -> Iterator[str]:
    """Yield the ratios of times over rounds."""
    yield "time divided by the reference's, round by round (min / median / max); below 1 is faster"
    for (name, seats), sides in measured.items():
        side_ratios = ratios(*sides) if len(sides) > 1 else []
        for field in ("step", "clone", "determinize") if side_ratios else ():
            values = [getattr(figures, field) for figures in side_ratios]
            middle = getattr(medians(side_ratios), field)
            spread = f"{min(values):.2f} / {middle:.2f} / {max(values):.2f}"
            yield f"{name:12}{seats:>6}  {field:12}{spread}"


def surroundings() -> str:
    """Return the machine, the Python version and the commit of the measurement."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    machine = f"{processor()}, {os.cpu_count()} cores, {platform.system()}"
    return f"{python}; {machine}; commit {commit()}"


def processor() -> str:
    """Return the name of the processor, if the system provides it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text("utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def commit() -> str:
    """Return the measured commit, with a `+` if the working tree has changes."""
    here = Path(__file__).parent
    git = ["git", "-C", str(here), "describe", "--always", "--dirty=+", "--exclude=*"]
    try:
        return subprocess.run(git, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


if __name__ == "__main__":
    main()
