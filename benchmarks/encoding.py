"""Throughput of encoding observations as arrays, printed as a table.

Positions are taken from random games. Games alternate within each round, and a figure is the median
over rounds. The time to create the observation is excluded.
"""

import argparse
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from cardhub import Game, Observation
from cardhub.learning.arrays import Layout
from speed import surroundings, working_games
from subjects import Installed

POSITIONS = 40


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--arrays", type=int, default=400, help="arrays in a round")
    arguments = parser.parse_args()
    games = [game for game in working_games() if game.seats.high]
    layouts = {game.name: Layout(game) for game in games}
    seen = {game.name: observations(game) for game in games}
    rates: dict[str, list[float]] = {game.name: [] for game in games}
    in_batches: dict[str, list[float]] = {game.name: [] for game in games}
    for _ in range(arguments.rounds):
        for name, layout in layouts.items():
            rates[name].append(measure(layout, seen[name], arguments.arrays))
            in_batches[name].append(measure_batches(layout, seen[name], arguments.arrays))
    print(surroundings(), f"{arguments.rounds} rounds of {arguments.arrays} arrays", sep="\n")
    print("", f"{'game':12}{'seats':>6}{'slots':>8}{'arrays/s':>12}{'in batches':>12}", sep="\n")
    for name, layout in layouts.items():
        figures = f"{median(rates[name]):>12.0f}{median(in_batches[name]):>12.0f}"
        print(f"{name:12}{layout.seats:>6}{layout.size:>8}{figures}")


def measure(layout: Layout, seen: list[Observation[Any]], arrays: int) -> float:
    """Return the arrays per second."""
    started = perf_counter()
    for number in range(arrays):
        layout.encode(seen[number % len(seen)])
    return arrays / (perf_counter() - started)


def measure_batches(layout: Layout, seen: list[Observation[Any]], arrays: int) -> float:
    """Return the arrays per second in batches of all observations, into one array."""
    out, made = np.empty((len(seen), layout.size), np.float32), 0
    started = perf_counter()
    while made < arrays:
        layout.encode_many(seen, out)
        made += len(seen)
    return made / (perf_counter() - started)


def observations(game: Game[Any]) -> list[Observation[Any]]:
    """Return observations from positions of random games."""
    subject, seats, drawn = Installed(game, game.seats.default), game.seats.default, []
    for seed in range(POSITIONS):
        steps = subject.play(Random(seed)).steps
        state = subject.play(Random(seed), steps * seed // POSITIONS).state
        drawn.append(Observation(game, state, seed % seats))
    return drawn


if __name__ == "__main__":
    main()
