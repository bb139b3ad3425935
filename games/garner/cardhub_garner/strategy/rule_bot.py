"""A sensible opponent: distributes for the best collection this turn, looks no further."""

from random import Random

from cardhub import Observation
from cardhub_garner.game import Garner
from cardhub_garner.strategy.worth import THREAT, Worth
from cardhub_garner.table import LIFTING, PLACING, Table

WIDTH = 6
"""How many ways of having placed some cards of a group are followed up."""

Way = tuple[int, Table]
"""An action of a seat, and a table it can lead to in the same turn."""


class RuleOfThumb:
    """Plays Garner by rule of thumb; of equally good actions it draws one."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, observation: Observation[Table]) -> int:
        """Return the most promising legal action."""
        legal = observation.legal()
        if len(legal) == 1:
            return legal[0]
        rated = _rated(_readable(observation.state), legal)
        best = max(value for value, _ in rated)
        return self._rng.choice([action for value, action in rated if value == best])


def _rated(state: Table, legal: list[int]) -> list[tuple[float, int]]:
    """Return what every action is worth that is worth considering."""
    worth = Worth(state, state.seat)
    if state.phase == LIFTING:
        return [_best_way([(action, _after(state, action))], worth) for action in legal]
    if state.phase == PLACING:
        return [_best_way([(action, _after(state, action)) for action in legal], worth)]
    return [(_gain(state, action, worth), action) for action in legal]


def _best_way(ways: list[Way], worth: Worth) -> tuple[float, int]:
    """Return what the best distribution found is worth, and the action it begins with.

    Cards are placed one by one, and only the best ways so far are followed up.
    """
    rated = _best(ways, worth)
    while rated[0][1][1].phase == PLACING:
        rated = _best([way for _, way in rated for way in _next(way)], worth)
    value, (action, _) = rated[0]
    return value, action


def _next(way: Way) -> list[Way]:
    action, table = way
    return [(action, _after(table, place)) for place in Garner().legal(table)]


def _best(ways: list[Way], worth: Worth) -> list[tuple[float, Way]]:
    """Return the ways that promise the best collection, the best one first."""
    rated = [(worth.best(way[1]), way) for way in ways]
    rated.sort(key=lambda pair: pair[0], reverse=True)
    return rated[:WIDTH]


def _gain(state: Table, action: int, worth: Worth) -> float:
    """Return what collecting or leaving a card is worth, less what the other seat then finds."""
    after = _after(state, action)
    gained = worth.gained(state, after)
    return gained - THREAT * Worth(after, 1 - state.seat).best(after)


def _after(state: Table, action: int) -> Table:
    after = state.clone()
    Garner().apply(after, action)
    return after


def _readable(state: Table) -> Table:
    """Return a copy whose faces are a plain list, which is faster to read; nothing is hidden."""
    copy = state.clone()
    copy.face = list(state.face)
    return copy
