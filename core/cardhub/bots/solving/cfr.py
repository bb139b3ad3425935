"""CFR+ in the sequence form of a game (Tammelin 2014), and best responses to strategies."""

from collections.abc import Sequence
from functools import lru_cache
from math import fsum
from typing import Any, NamedTuple

import numpy as np

from cardhub.base.errors import SolvingError
from cardhub.bots.solving.sequence_form import Floats, SequenceForm, Treeplex, sequence_form
from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.settings import Settings, Value


class Solution(NamedTuple):
    """A strategy for each seat of a game; see `Treeplex.realization`."""

    form: SequenceForm
    strategies: tuple[Floats, ...]

    def policy(self, observation: Observation[Any]) -> dict[int, float]:
        """Return the probability of each legal action; raises SolvingError for other games."""
        plex = self.form.treeplexes[observation.seat]
        number = plex.number.get(text := observation.information_text())
        if number is None:
            raise SolvingError(f"{observation.game.name}: no information state {text!r} was solved")
        begin, end = plex.first[number], plex.first[number + 1]
        chances = self.strategies[observation.seat][begin:end].tolist()
        return dict(zip(plex.actions[number], chances, strict=True))


def solve(form: SequenceForm, iterations: int) -> Solution:
    """Return the average strategies of CFR+, with alternating updates and linear averaging.

    In a game of two seats with a constant sum they approach an equilibrium. For other games there
    is no guarantee.
    """
    seats = [_Seat(plex) for plex in form.treeplexes]
    for iteration in range(1, iterations + 1):
        reaches = [seat.reach for seat in seats]
        for number, seat in enumerate(seats):
            seat.update(form.end_values(number, reaches), iteration)
            reaches[number] = seat.reach
    return Solution(form, tuple(seat.average() for seat in seats))


class _Seat:
    """A seat's regrets, its strategy, and the weighted sum of all its strategies."""

    def __init__(self, plex: Treeplex) -> None:
        self._plex = plex
        self._regrets = np.zeros(plex.sequences)
        self._strategy = plex.uniform()
        self.reach = plex.realization(self._strategy)
        self._total = np.zeros(plex.sequences)

    def update(self, values: Floats, iteration: int) -> None:
        """Add the regrets of an iteration; the new strategy's weight is the iteration number."""
        means = self._plex.add_up(values, self._strategy)
        gains = values[1:] - np.repeat(means, np.diff(self._plex.first))
        np.maximum(self._regrets[1:] + gains, 0.0, out=self._regrets[1:])
        self._strategy = self._plex.normalized(self._regrets)
        self.reach = self._plex.realization(self._strategy)
        self._total += iteration * self.reach

    def average(self) -> Floats:
        """Return the average strategy, which averages realizations instead of probabilities."""
        return self._plex.normalized(self._total)


def solved(
    game: Game[Any], seats: int, settings: Settings, iterations: int, most_nodes: int
) -> Solution:
    """Return the solution of a game; this process caches it.

    Raises SolvingError if its tree has more than `most_nodes` nodes.
    """
    return _solved(game, seats, tuple(settings.items()), iterations, most_nodes)


# Cached, because the bots of a match solve the same few games.
@lru_cache(maxsize=8)
def _solved(
    game: Game[Any],
    seats: int,
    values: tuple[tuple[str, Value], ...],
    iterations: int,
    most_nodes: int,
) -> Solution:
    form = sequence_form(game, seats, Settings(dict(values)), most_nodes)
    return solve(form, iterations)


class Exploit(NamedTuple):
    """The gain of each seat's response against a strategy for each seat.

    `values`: the seats' expected utilities with the strategies. `responses`: each seat's expected
    utility with its response.
    """

    values: tuple[float, ...]
    responses: tuple[float, ...]

    @property
    def exploitability(self) -> float:
        """The mean gain of the seats; in a game of two seats it is half of NashConv."""
        gains = fsum(self.responses) - fsum(self.values)
        return gains / len(self.values)


def best_responses(form: SequenceForm, strategies: Sequence[Floats]) -> list[Floats]:
    """Return a pure best response of each seat to the other seats' strategies."""
    return [_response(form, seat, strategies) for seat in range(len(strategies))]


def exploit(
    form: SequenceForm, strategies: Sequence[Floats], responses: Sequence[Floats] | None = None
) -> Exploit:
    """Return the gain of responses against strategies; `responses` defaults to the best ones."""
    if responses is None:
        responses = best_responses(form, strategies)
    values = []
    for seat, response in enumerate(responses):
        profile = [*strategies[:seat], response, *strategies[seat + 1 :]]
        values.append(float(form.values(profile)[seat]))
    return Exploit(tuple(form.values(strategies).tolist()), tuple(values))


def _response(form: SequenceForm, seat: int, strategies: Sequence[Floats]) -> Floats:
    pairs = zip(form.treeplexes, strategies, strict=True)
    reaches = [plex.realization(strategy) for plex, strategy in pairs]
    return form.treeplexes[seat].maximize(form.end_values(seat, reaches))
