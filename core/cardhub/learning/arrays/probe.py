"""Probe games: random games that show the range of the values in a game's states.

A game declares which ints its states hold, but neither their range nor the piles of the cards that
its actions name. The probe games have fixed seeds, so equal tables get equal layouts.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import initial_state, shuffled_pack
from cardhub.model.hidden.chance import random_step
from cardhub.model.hidden.labels import public_differences
from cardhub.model.table.actions import Tokens
from cardhub.model.table.settings import Settings
from cardhub.model.table.state import OVER, State, declared_names

# The least number of probe games, and the least number of positions in all of them.
GAMES, POSITIONS = 10, 1000

SCORES = "scores"

# For each group, the number of pairs of cards with equal looks that are compared.
TRIALS = 100


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


class Place(NamedTuple):
    """The piles of a zone; in a zone with a pile for each seat, the own pile or all others."""

    zone: str
    is_own: bool


# The greatest depth of a card that actions name, 1 for the top card.
Depths = Mapping[Place, int]
# The depths by index of a group whose actions name cards by place.
Seating = Mapping[int, Depths]


class Findings(NamedTuple):
    """The extents of the scores and of all fields except zones, and the places."""

    extents: Extents
    places: Seating


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
    if not all(isinstance(item, int) for item in values):
        # One value that is not an int is enough to leave the field out of arrays.
        extents[name] = None
    extent = extents.setdefault(name, Extent(is_single=not isinstance(value, list)))
    if extent is not None:
        extent.add(values)


def probe_states(game: Game[Any], seats: int, settings: Settings) -> Iterator[State]:
    """Yield all positions of the probe games, game by game, from the deal to the end.

    The yielded state is changed in place: it is valid until the next one is requested.
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


class ActionProbe:
    """Collects, from positions of probe games, the places of the cards that legal actions name.

    It finds the groups of actions that must name a card by its place. If cards of equal look are
    interchangeable, as in the player's hand, a card is named by its face.
    """

    def __init__(self, game: Game[Any]) -> None:
        groups = game.actions.groups
        self._game = game
        self._depths: dict[int, dict[Place, int]] = {
            number: {} for number, group in enumerate(groups) if isinstance(group, Tokens)
        }
        self._group_of = [number for number, group in enumerate(groups) for _ in range(group.size)]
        self._by_place: set[int] = set()
        self._trials = dict.fromkeys(self._depths, TRIALS)

    @property
    def places(self) -> Seating:
        """The groups of actions that name cards by place, with their cards' places."""
        return {group: self._depths[group] for group in sorted(self._by_place)}

    def note(self, state: State) -> None:
        """Note the legal actions of a true state."""
        if not self._depths or state.seat < 0:
            return
        by_action = self._game.actions.by_action
        by_group: dict[int, list[int]] = {}
        for action in self._game.legal(state):
            group, (_, index) = self._group_of[action], by_action[action]
            if group in self._depths:
                by_group.setdefault(group, []).append(action)
                if not state.seen[index] >> state.seat & 1:
                    self._by_place.add(group)
        for group, actions in by_group.items():
            self._note_depths(group, {by_action[action][1] for action in actions}, state)
            self._compare(group, actions, state)

    def _note_depths(self, group: int, tokens: set[int], state: State) -> None:
        depths = self._depths[group]
        for zone in state.zones:
            for number, pile in enumerate(zone.piles(state)):
                if not tokens.isdisjoint(pile):
                    place = Place(zone.name, zone.count == 0 and number == state.seat)
                    # The first token is the deepest: piles are listed from the bottom up.
                    lowest = next(index for index, token in enumerate(pile) if token in tokens)
                    depths[place] = max(depths.get(place, 0), len(pile) - lowest)

    def _compare(self, group: int, actions: Sequence[int], state: State) -> None:
        """Note whether actions on cards of equal look mean different steps."""
        first: dict[int, int] = {}
        for action in actions:
            if group in self._by_place or not self._trials[group]:
                return
            face = state.face[self._game.actions.by_action[action][1]]
            other = first.setdefault(face, action)
            if other != action:
                self._trials[group] -= 1
                if self._meaning(state, action) != self._meaning(state, other):
                    self._by_place.add(group)

    def _meaning(self, state: State, action: int) -> tuple[object, ...]:
        """Return the public information about an action on a card, and the resulting table."""
        game, after = self._game, state.clone()
        token = game.actions.by_action[action][1]
        game.apply(after, action)
        piles = [
            sorted([after.face[token] for token in pile])
            for zone in after.zones
            for pile in zone.piles(after)
        ]
        return (public_differences(game, state, token), after.seat, after.phase, piles)
