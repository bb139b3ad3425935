"""Timings of a subject: the same seeded workload in every round."""

import gc
from collections.abc import Callable
from itertools import repeat
from random import Random
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from subjects import Subject

POSITIONS = 12
"""The number of positions for the operations, each from the middle of a game of its own."""
REPEATS = 40
"""Repetitions per position; all determinizations sample from one observation."""


class Figures(NamedTuple):
    """Microseconds per random game (deal included), per step and per operation."""

    game: float
    step: float
    clone: float
    observe: float
    determinize: float


class Work:
    """The workload of one round, prepared outside the timed section."""

    def __init__(self, subject: Subject, games: int) -> None:
        self._subject = subject
        self._seeds = range(games)
        lengths = [subject.play(Random(seed)).steps for seed in range(POSITIONS)]
        self._positions = [
            subject.play(Random(seed), steps // 2).state for seed, steps in enumerate(lengths)
        ]

    def measure(self) -> Figures:
        """Run the workload once and return its timings."""
        gc.collect()
        started = process_time()
        steps = sum(self._subject.play(Random(seed)).steps for seed in self._seeds)
        playing = 1e6 * (process_time() - started)
        return Figures(
            playing / len(self._seeds),
            playing / steps,
            self._each(lambda state: state.clone),
            self._each(lambda state: lambda: self._subject.observe(state)),
            self._each(self._determinizer),
        )

    def _determinizer(self, state: Any) -> Callable[[], Any]:
        observation, rng = self._subject.observe(state), Random(0)
        return lambda: self._subject.determinize(observation, rng)

    def _each(self, prepare: Callable[[Any], Callable[[], Any]]) -> float:
        """Return the mean time of an operation over all positions."""
        operations = [prepare(state) for state in self._positions]
        started = process_time()
        for operation in operations:
            for _ in repeat(None, REPEATS):
                operation()
        return 1e6 * (process_time() - started) / (len(operations) * REPEATS)


def medians(rounds: list[Figures]) -> Figures:
    """Return the median of every figure."""
    return Figures(*map(median, zip(*rounds, strict=True)))


def ratios(ours: list[Figures], theirs: list[Figures]) -> list[Figures]:
    """Return the ratio of our time to theirs for each round."""
    pairs = zip(ours, theirs, strict=True)
    return [Figures(*(a / b for a, b in zip(*pair, strict=True))) for pair in pairs]
