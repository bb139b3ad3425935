"""Probe games: random games that show the range of the values in a game's states.

A game declares which ints its states hold, but not their range, and not where the cards of its
actions lie. The probe games have fixed seeds, so that equal tables get equal layouts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from cardhub.arrays.action_probe import ActionProbe, Places
from cardhub.game.game import Game
from cardhub.game.initial_state import initial_state, shuffled_pack
from cardhub.hidden.chance import random_step
from cardhub.table.settings import Settings
from cardhub.table.state import OVER, State, declared_names

# The least number of probe games, and of positions in them.
GAMES, POSITIONS = 10, 1000

SCORES = "scores"


@dataclass(slots=True)
class Extent:
    """The range of a field: the lengths of its lists, and its lowest and highest value."""

    is_single: bool = False
    is_flag: bool = True
    is_empty: bool = True
    shortest: int | None = None
    longest: int = 0
    low: int = 0
    high: int = 0

    def add(self, values: list[int]) -> None:
        """Extend the range by the values of one state."""
        count = len(values)
        self.shortest = count if self.shortest is None else min(self.shortest, count)
        self.longest = max(self.longest, count)
        if values:
            lowest, highest = min(values), max(values)
            self.low = lowest if self.is_empty else min(self.low, lowest)
            self.high = highest if self.is_empty else max(self.high, highest)
            self.is_empty = False
            self.is_flag = self.is_flag and all(type(value) is bool for value in values)

    @property
    def greatest(self) -> int:
        """The greatest absolute value."""
        return max(abs(self.low), abs(self.high))


# By field; None for a field that does not hold ints.
Extents = dict[str, Extent | None]


class Findings(NamedTuple):
    """The extents of the scores and of all fields of a game's states but zones, and the places."""

    extents: Extents
    places: Places


def probe(game: Game[Any], seats: int, settings: Settings) -> Findings:
    """Play the probe games of a table."""
    extents: Extents = {}
    actions = ActionProbe(game)
    for state in probe_states(game, seats, settings):
        for name in declared_names(state):
            _note(extents, name, getattr(state, name))
        _note(extents, SCORES, game.scores(state))
        actions.note(state)
    return Findings(extents, actions.places)


def _note(extents: Extents, name: str, value: object) -> None:
    values: list[Any] = value if isinstance(value, list) else [value]
    if not all(isinstance(each, int) for each in values):
        # One such value is enough: the field is left out of arrays.
        extents[name] = None
    extent = extents.setdefault(name, Extent(is_single=not isinstance(value, list)))
    if extent is not None:
        extent.add(values)


def probe_states(game: Game[Any], seats: int, settings: Settings) -> Iterator[State]:
    """Yield all positions of the probe games, game by game, each one from its deal to its end.

    A position is valid until the next one.
    """
    games = positions = 0
    while games < GAMES or positions < POSITIONS:
        # The text of the seed decides the layout of arrays, so it must not change.
        rng = Random(f"rehearsal {games}")
        state = initial_state(game, settings, seats, shuffled_pack(game, settings, seats, rng))
        yield state
        while state.seat != OVER:
            random_step(game, state, rng)
            positions += 1
            yield state
        games += 1
