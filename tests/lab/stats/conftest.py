"""Simulated matches with known parameters, and the number of simulations."""

import os
from collections.abc import Callable, Sequence
from itertools import combinations
from math import exp

import numpy as np
import pytest

from cardhub.lab.stats import PlayedGame

Plant = Callable[..., list[PlayedGame]]


@pytest.fixture
def runs() -> int:
    """Return the number of simulated matches; set CARDHUB_RUNS=2000 for more precision."""
    return int(os.environ.get("CARDHUB_RUNS", "40"))


@pytest.fixture(scope="session")
def duels() -> Plant:
    """Round robins of two-seat games between bots of known log strengths, with Davidson's ties.

    In a share `alike` of the blocks the second game ends as the first did.
    """

    def plant(
        strengths: Sequence[float],
        blocks: int,
        rng: np.random.Generator,
        tie: float = 0.0,
        alike: float = 0.0,
    ) -> list[PlayedGame]:
        games: list[PlayedGame] = []
        for number, (one, other) in enumerate(combinations(range(len(strengths)), 2)):
            weights = np.asarray([exp(strengths[one]), exp(strengths[other]), 0])
            weights[2] = tie * exp((strengths[one] + strengths[other]) / 2)
            for block in range(number * blocks, (number + 1) * blocks):
                results = rng.choice(3, size=2, p=weights / weights.sum()).tolist()
                if rng.random() < alike:
                    results[1] = results[0]
                for seats, result in zip(((one, other), (other, one)), results, strict=True):
                    place = {one: 1.0 + (result == 1), other: 1.0 + (result == 0)}
                    games.append(PlayedGame(block, seats, (place[seats[0]], place[seats[1]])))
        return games

    return plant


@pytest.fixture(scope="session")
def tables() -> Plant:
    """Games of several seats between random bots of known log strengths, and seats with edges.

    Each block is played in all rotations.
    """

    def plant(
        strengths: Sequence[float], edges: Sequence[float], blocks: int, rng: np.random.Generator
    ) -> list[PlayedGame]:
        games = []
        for block in range(blocks):
            drawn = rng.choice(len(strengths), len(edges), replace=False)
            for turn in range(len(edges)):
                bots = np.roll(drawn, turn)
                luck = np.asarray(strengths)[bots] + np.asarray(edges) + rng.gumbel(size=len(edges))
                places = np.argsort(np.argsort(-luck)) + 1.0
                games.append(PlayedGame(block, tuple(bots.tolist()), tuple(places.tolist())))
        return games

    return plant


@pytest.fixture
def circle() -> list[PlayedGame]:
    """Rock, paper and scissors: 0 always beats 1, which beats 2, which beats 0; 30 blocks each."""
    return [
        PlayedGame(3 * block + edge, seats, (1.0, 2.0) if seats[0] == edge else (2.0, 1.0))
        for block in range(30)
        for edge in range(3)
        for seats in ((edge, (edge + 1) % 3), ((edge + 1) % 3, edge))
    ]
