"""Speeds of a game: random games, determinizations and search iterations a second."""

from collections.abc import Callable
from random import Random
from time import perf_counter, process_time
from typing import Any, NamedTuple

from msgspec import Struct

from cardhub.bots.search.search_bot import SearchBot
from cardhub.bots.search.search_budget import SearchBudget
from cardhub.model.game.game import Game
from cardhub.model.hidden.chance import random_step
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.state import OVER
from cardhub.testing.random_play import deal, default_trial, play

# With fewer random actions per second, search bots get too few playouts to play well.
SLOW = 10_000
# Positions early and late in a game, as fractions of its actions.
EARLY, LATE = 0.15, 0.85
# The number of games that positions are taken from.
GAMES = 3
# Iterations between two looks at the clock.
ITERATIONS = 20


class Rates(Struct, frozen=True):
    """A number each second, at the beginning of a game and near its end."""

    early: float
    late: float

    def __str__(self) -> str:
        return f"{self.early:,.0f} a second early in the game, {self.late:,.0f} late"


class Speed(NamedTuple):
    """Random games and actions in a time, and the rates of determinizations and iterations."""

    games: int
    actions: int
    seconds: float
    determinizations: Rates
    iterations: Rates

    def __str__(self) -> str:
        games, actions = self.games / self.seconds, self.actions / self.seconds
        return f"{games:,.0f} random games a second, {actions:,.0f} actions a second"

    @property
    def is_slow(self) -> bool:
        """Whether search bots play worse for it."""
        return self.actions / self.seconds < SLOW


def measure(game: Game[Any], seed: int, seconds: float = 0.3) -> Speed:
    """Measure for `seconds` each, with default options and at least one of everything.

    The rates are of processor time: a busy computer makes no game slow.
    """
    trial, rng = default_trial(game, game.seats.default, seed), Random(f"{seed} speed")
    games = actions = 0
    began, used = perf_counter(), process_time()
    # At least one game: then a slow game has a speed too.
    while perf_counter() - began < seconds or not games:
        state = deal(game, trial, rng)
        while state.seat != OVER:
            random_step(game, state, rng)
            actions += 1
        games += 1
    taken = process_time() - used
    early, late = (_observations(game, seed, share) for share in (EARLY, LATE))
    share = seconds / (2 * GAMES)
    return Speed(
        games,
        actions,
        taken,
        Rates(_rate(_determinizer, early, share), _rate(_determinizer, late, share)),
        Rates(_rate(_searcher, early, share), _rate(_searcher, late, share)),
    )


def _observations(game: Game[Any], seed: int, share: float) -> list[Observation[Any]]:
    """Return observations of the seat to act after this share of the actions of random games."""
    observations = []
    for number in range(GAMES):
        trial = default_trial(game, game.seats.default, seed + number)
        decisions = [position for position in play(game, trial) if position.state.seat >= 0]
        if decisions:
            chosen = decisions[int(share * len(decisions))]
            observations.append(Observation(game, chosen.state, chosen.state.seat, chosen.history))
    return observations


# Does some operations and returns their number.
Operation = Callable[[], int]


def _rate(
    make: Callable[[Observation[Any]], Operation],
    observations: list[Observation[Any]],
    seconds: float,
) -> float:
    done, taken = 0, 0.0
    for observation in observations:
        operation, began, used = make(observation), perf_counter(), process_time()
        # The first sample of an observation is prepared within the time, as in a search.
        done += operation()
        while perf_counter() - began < seconds:
            done += operation()
        taken += process_time() - used
    return done / taken if taken else 0.0


def _determinizer(observation: Observation[Any]) -> Operation:
    rng = Random(0)

    def sample() -> int:
        observation.determinize(rng)
        return 1

    return sample


def _searcher(observation: Observation[Any]) -> Operation:
    bot = SearchBot(Random(0), budget=SearchBudget(ITERATIONS), keeps=False)

    def search() -> int:
        bot.advise(observation)
        return ITERATIONS

    return search
