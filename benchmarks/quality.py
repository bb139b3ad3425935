"""Quality of search, printed as tables for results/search-quality.md.

In Kuhn and Leduc poker: exact exploitability, and results against OpenSpiel's ISMCTS in C++ (one
rollout) with the best of several exploration constants and of two ways to choose, by most visits or
in proportion to visits. Iterations are equal, or CPU time with `--equal-time`: then OpenSpiel's
iterations are calibrated, and each line has the measured CPU time of a decision.

With `--against PYTHON`: mirrored games against another checkout, by the Python of its environment.
Both play the same bot with the same CPU time for a decision; the bot of hints is one.

"±" is two standard deviations of the figure when seeds are drawn again from these, with replacement
(bootstrap): of the seeds of both bots where two play.
"""

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pyspiel

from poker_bots import Calibration, Timed, most_visited, ours, theirs
from poker_policies import (
    KUHN,
    LEDUC,
    Choices,
    Chooser,
    Poker,
    head_to_head,
    interval,
    mean,
    sample,
)
from speed import surroundings
from versus import print_duels

RANKS = "OpenSpiel searches Leduc poker without suits (suit_isomorphism)"
# Exploration constants of OpenSpiel's search; the best one is compared.
CONSTANTS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)


class Rival(NamedTuple):
    """OpenSpiel's search with one constant and one way to choose; the best has the first figure."""

    exploitability: float
    title: str
    choices: Choices


def main() -> None:
    """Run the benchmark and print its tables."""
    arguments = read_arguments()
    seeds = range(arguments.first, arguments.first + arguments.seeds)
    print(surroundings())
    if arguments.against:
        names = arguments.games or ["gargon", "gamon", "garner"]
        print_duels(arguments.against, names, arguments)
        return
    print(f"seeds {seeds[0]} to {seeds[-1]}; OpenSpiel's ISMCTS has 1 rollout")
    for poker in (KUHN, LEDUC):
        if poker.ours in (arguments.games or ("kuhn", "leduc")):
            for iterations in arguments.iterations:
                print_rows(poker, iterations, seeds, arguments)


def read_arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="+", help="only these")
    parser.add_argument("--iterations", nargs="+", type=int, default=[300, 1000])
    parser.add_argument("--seeds", type=int, default=24)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--spec", default="ismcts", help="a search bot, without its iterations")
    parser.add_argument("--constants", nargs="*", type=float, default=CONSTANTS)
    parser.add_argument("--ranks", action="store_true", help=RANKS)
    parser.add_argument("--equal-time", action="store_true", help="equal CPU time of a decision")
    other = parser.add_argument_group("against another checkout")
    other.add_argument("--against", type=Path, metavar="PYTHON", help="of its environment")
    other.add_argument("--deals", type=int, default=100)
    other.add_argument("--milliseconds", type=int, default=100, help="CPU time of a decision")
    other.add_argument("--seats", type=int, help="players, instead of each game's default")
    other.add_argument("--workers", type=int, default=1, help="games at the same time")
    return parser.parse_args()


def print_rows(
    poker: Poker, iterations: int, seeds: Sequence[int], arguments: argparse.Namespace
) -> None:
    """Print our bot, OpenSpiel's with each constant, and the best of these against ours."""
    game = pyspiel.load_game(poker.theirs)
    measure = partial(pyspiel.exploitability, game)
    spec, policies = arguments.spec, list[Rival]()
    choose = Timed(ours(poker, spec, iterations))
    mine = sample(poker, choose, seeds)
    print(f"\n{poker.ours}, {iterations} iterations")
    print(f"  {spec}: {interval(measure, mine)}, {choose.milliseconds:.2f} ms", flush=True)
    for constant in arguments.constants:
        number = iterations
        other = partial(
            theirs, constant, poker=poker if arguments.ranks and poker.without_suits else None
        )
        if arguments.equal_time:
            number = calibrated(poker, spec, other, f"c = {constant:g}", iterations)
        policies += rivals(poker, other(number), f"c = {constant:g}", seeds, game)
    if policies:
        best = min(policies, key=lambda rival: rival.exploitability)
        gain = interval(partial(head_to_head, game), mine, best.choices, sign="+")
        print(f"  OpenSpiel at its best, {best.title}: {interval(measure, best.choices)}")
        print(f"  {spec} against it: {gain} a game", flush=True)


def calibrated(
    poker: Poker, spec: str, other: Callable[[int], Chooser], title: str, iterations: int
) -> int:
    """Return OpenSpiel's iterations in the CPU time of ours, and print the calibration."""
    calibration = Calibration(poker, ours(poker, spec, iterations), other, iterations)
    print(
        f"  calibration, {title}: {iterations} iterations {calibration.ours_ms:.2f} ms, "
        f"OpenSpiel's {calibration.iterations} iterations {calibration.theirs_ms:.2f} ms"
    )
    return calibration.iterations


def rivals(
    poker: Poker, other: Chooser, constant: str, seeds: Sequence[int], game: Any
) -> list[Rival]:
    """Measure and print OpenSpiel's search with a constant, for both ways to choose."""
    choose = Timed(other)
    by_visits = sample(poker, choose, seeds)
    policies = []
    for way, choices in (("by visits", by_visits), ("most visits", most_visited(by_visits))):
        title = f"{constant}, {way}"
        figure = pyspiel.exploitability(game, mean(choices))
        print(f"  OpenSpiel, {title}: {figure:.3f}, {choose.milliseconds:.2f} ms", flush=True)
        policies.append(Rival(figure, title, choices))
    return policies


if __name__ == "__main__":
    main()
