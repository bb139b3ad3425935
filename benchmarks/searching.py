"""Throughput of the search bots in the installed games, in iterations per second.

Positions are taken from the first half of random games. Games alternate within each round, with the
same seeds in every round; a figure is the median over rounds.
"""

import argparse
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

from cardhub import Game
from cardhub.model.hidden.observation import Observation
from cardhub.plugins.registry import find_plugins
from speed import surroundings, working_games
from subjects import Installed

POSITIONS = 4
BOTS = ("ismcts", "pimc")


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=200)
    arguments = parser.parse_args()
    games = [game for game in working_games() if game.seats.high]
    measured: dict[tuple[str, str], list[float]] = {}
    for _ in range(arguments.rounds):
        for game in games:
            for bot in BOTS:
                rate = measure(game, bot, arguments.iterations)
                measured.setdefault((game.name, bot), []).append(rate)
    print(
        surroundings(), f"{arguments.rounds} rounds of {arguments.iterations} iterations", sep="\n"
    )
    print("", f"{'game':12}{'seats':>6}{'ismcts/s':>12}{'pimc/s':>12}", sep="\n")
    for game in games:
        rates = "".join(f"{median(measured[game.name, bot]):>12.0f}" for bot in BOTS)
        print(f"{game.name:12}{game.seats.default:>6}{rates}")


def measure(game: Game[Any], bot: str, iterations: int) -> float:
    """Return the iterations per second over several positions."""
    seconds = 0.0
    for seed in range(POSITIONS):
        observation = position(game, seed)
        searcher = find_plugins().make_bot(f"{bot}:{iterations}", game.name, Random(seed))
        started = perf_counter()
        searcher.advise(observation)  # type: ignore[attr-defined]  # a search bot is an adviser
        seconds += perf_counter() - started
    return POSITIONS * iterations / seconds


def position(game: Game[Any], seed: int) -> Observation[Any]:
    """Return the acting seat's observation at a random point of a random game's first half."""
    subject = Installed(game, game.seats.default)
    length = subject.play(Random(seed)).steps
    for steps in range(length * seed // (2 * POSITIONS), length):
        state = subject.play(Random(seed), steps).state
        if state.seat >= 0:
            return Observation(game, state, state.seat)
    raise ValueError(f"no seat is ever to act in {game.name}")


if __name__ == "__main__":
    main()
