"""Decisions per second of learners' environments, with arrays and masks of legal actions.

First, cardhub next to other frameworks, as in `peers.py`: uniformly random actions, CPU time. Then,
for every installed game, the share of a step of many tables that encoding takes. Last, one process
against workers in wall-clock time, because CPU time does not include other processes, with the
ratio of a plain loop in two processes, which is the largest possible gain while other programs run.
"""

import argparse
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from multiprocessing import get_context
from multiprocessing.pool import Pool
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np

import contenders as c
from cardhub.learning.adapters.vector import VectorEnv, vector_env
from peers import Contest, Make, Rate, Run, compared, present, take_turns, versions
from speed import surroundings, working_games

TABLES = 128
STEPS = 8
"""Steps of all tables in one run."""
LONG_STEPS = 40
"""Steps of all tables beside workers."""
RIVALS = "ismcts:20"
BESIDE_WORKERS: Mapping[str, Mapping[str, Any]] = {
    "leduc": {"game": "leduc"},
    "gargon": {"game": "gargon"},
    f"leduc against {RIVALS}": {"game": "leduc", "rivals": [RIVALS]},
}
"""The environments that are compared with workers."""


class Shared(NamedTuple):
    """The name of a game in each framework, empty where it does not exist.

    `zoo` is its module in PettingZoo's classic environments.
    """

    ours: str
    spiel: str
    rlcard: str = ""
    zoo: str = ""
    pgx: str = ""


SHARED = (
    Shared("kuhn", "kuhn_poker", pgx="kuhn_poker"),
    Shared("leduc", "leduc_poker", "leduc-holdem", "leduc_holdem_v4", "leduc_holdem"),
    Shared("gin_rummy", "gin_rummy", "gin-rummy"),
    Shared("hearts", "hearts"),
)


def main() -> None:
    """Run the benchmark and print its tables."""
    arguments = read_arguments()
    print(surroundings(), versions(), sep="\n")
    print(f"{arguments.rounds} rounds of {arguments.seconds} s for each; {TABLES} tables")
    print(
        "", "Random play with arrays:", "| game | who | decisions/s | tables against it |", sep="\n"
    )
    print("|---|---|---|---|")
    for caption, contenders in contests():
        sides, missing = present(contenders)
        measured = take_turns(sides, arguments.rounds, arguments.seconds)
        print(*rates_of(caption, measured), sep="\n", flush=True)
        print(*(f"({name}: not installed)" for name in missing), sep="\n", end="")
    print("", *shares(arguments.rounds), sep="\n")
    print("", *beside_workers(arguments.rounds), sep="\n")


def read_arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.3)
    return parser.parse_args()


def contests() -> Iterator[Contest]:
    """Yield the comparisons with other frameworks."""
    for ours, spiel, rlcard, zoo, pgx in SHARED:
        sides: dict[str, Make] = {
            f"cardhub, {TABLES} tables": partial(tables_play, ours),
            f"cardhub, {TABLES} tables, fast seeding": partial(tables_play, ours, seeding="fast"),
            "cardhub, 1 table": partial(tables_play, ours, 1),
            "cardhub for PettingZoo": partial(c.cardhub_zoo_play, ours),
            "OpenSpiel, game in C++ with tensors": partial(tensor_play, spiel),
        }
        if rlcard:
            sides["RLCard"] = partial(c.rlcard_play, rlcard)
        if zoo:
            sides["RLCard for PettingZoo"] = partial(c.classic_play, zoo)
        if pgx:
            sides[f"Pgx, {TABLES} tables, compiled by XLA"] = partial(c.pgx_play, pgx, TABLES)
        yield ours, sides


def rates_of(caption: str, measured: Mapping[str, list[Rate]]) -> Iterator[str]:
    """Yield a row for each contender; the first one is compared with the others."""
    first = next(iter(measured.values()))
    for name, rates in measured.items():
        cell = "" if rates is first else compared(first, rates)
        yield f"| {caption} | {name} | {median(rate.steps for rate in rates):,.0f} | {cell} |"


def tables_play(name: str, tables: int = TABLES, **choices: Any) -> Run:
    """Return random play at many tables of a game."""
    return partial(stepped, vector_env(name, tables, **choices))


def stepped(env: VectorEnv, rng: Random, steps: int = STEPS) -> int:
    """Take some steps with random actions and return the number of decisions."""
    arrays, uniform = env.arrays, np.random.default_rng(rng.getrandbits(64))
    if not env.arrays.masks.any():
        env.reset(1)
    for _ in range(steps):
        weights = uniform.random(arrays.masks.shape, np.float32) * arrays.masks
        env.step(weights.argmax(axis=1))
    return env.tables * steps


def tensor_play(name: str) -> Run:
    """Return random play of an OpenSpiel game with its tensors and masks, driven from Python."""
    game = c.spiel_game(name)
    with_observations = game.get_type().provides_observation_tensor

    def play(rng: Random) -> int:
        decisions, state = 0, game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(rng.random() * len(outcomes))][0])
                continue
            seen = state.observation_tensor if with_observations else state.information_state_tensor
            np.asarray(seen(), np.float32)
            np.asarray(state.legal_actions_mask(), np.int8)
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            decisions += 1
        return decisions

    return play


def shares(rounds: int) -> Iterator[str]:
    """Yield a row for each game: time of a step, and of its arrays."""
    # Tables in C fill their arrays within a step, so their share shows as 0.
    yield f"Steps of {TABLES} tables, per decision (0 % for tables in C):"
    yield "| game | seats | slots | decisions/s | all, µs | arrays and masks, µs | their share |"
    yield "|---|---|---|---|---|---|---|"
    for game in working_games():
        if not game.seats.high:
            continue
        env = vector_env(game, TABLES)
        timed = Timed(env)
        stepped(env, Random(0))
        whole, inside = zip(*(timed.step(Random(number)) for number in range(rounds)), strict=True)
        all_of, arrays = median(whole) * 1e6, median(inside) * 1e6
        layout = env.layout
        yield (
            f"| {game.name} | {layout.seats} | {layout.size} | {1e6 / all_of:,.0f} | {all_of:.1f} "
            f"| {arrays:.1f} | {arrays / all_of:.0%} |"
        )


class Timed:
    """Measures the CPU time that a layout takes within the steps of an environment.

    That is for arrays, for masks and for the numbers that learners give the legal actions.
    """

    def __init__(self, env: VectorEnv) -> None:
        self._env, self._spent = env, 0.0
        layout: Any = env.layout
        layout.encode_rows = self._timed(layout.encode_rows)
        layout.legal_many = self._timed(layout.legal_many)

    def step(self, rng: Random) -> tuple[float, float]:
        """Return the seconds per decision of a number of steps, and of their arrays."""
        self._spent, started = 0.0, process_time()
        decisions = stepped(self._env, rng)
        return (process_time() - started) / decisions, self._spent / decisions

    def _timed(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any) -> Any:
            started = process_time()
            value = call(*arguments)
            self._spent += process_time() - started
            return value

        return timed


def beside_workers(rounds: int) -> Iterator[str]:
    """Yield a row for each game: decisions by the clock in one process and in two workers."""
    yield "One process and two workers, by the clock:"
    yield "| game | one process, decisions/s | two workers, decisions/s | ratio | a plain loop |"
    yield "|---|---|---|---|---|"
    with get_context("spawn").Pool(2) as pool:
        for caption, choices in BESIDE_WORKERS.items():
            rates: list[tuple[float, float, float]] = []
            with (
                vector_env(**choices, tables=TABLES) as one,
                vector_env(**choices, tables=TABLES, workers=2) as two,
            ):
                for env in (one, two):
                    stepped(env, Random(0))
                for number in range(rounds):
                    rates.append((by_clock(one, number), by_clock(two, number), gain_of(pool)))
            alone, both, gain = (median(values) for values in zip(*rates, strict=True))
            ratio = median(two / one for one, two, _ in rates)
            yield f"| {caption} | {alone:,.0f} | {both:,.0f} | {ratio:.2f} | {gain:.2f} |"


def by_clock(env: VectorEnv, seed: int) -> float:
    """Return the decisions per second of a number of steps."""
    started = perf_counter()
    decisions = stepped(env, Random(seed), LONG_STEPS)
    return decisions / (perf_counter() - started)


def gain_of(pool: Pool) -> float:
    """Return how many times as much two processes compute as one, by the clock."""
    started = perf_counter()
    pool.map(loop, [0], chunksize=1)
    alone = perf_counter()
    pool.map(loop, [0, 1], chunksize=1)
    return 2 * (alone - started) / (perf_counter() - alone)


def loop(_: int) -> int:
    """Compute for some time."""
    return sum(number * number for number in range(1_000_000))


if __name__ == "__main__":
    main()
