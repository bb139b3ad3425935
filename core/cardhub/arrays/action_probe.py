"""Which token actions must name a card by its place, found out in probe games.

By its face it is named wherever cards of equal look mean the same: in a hand of one's own.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cardhub.game.game import Game
from cardhub.hidden.pile_numbers import public_differences
from cardhub.table.actions import Tokens
from cardhub.table.state import State


class Place(NamedTuple):
    """The piles of a zone; of one with a pile for each seat, that of the seat to act or others."""

    zone: str
    is_own: bool


# How far from the top the cards of actions lie, 1 for the top card.
Depths = Mapping[Place, int]
# By index of a group of actions that name cards by their place.
Places = Mapping[int, Depths]

# Pairs of cards of equal look for which an action is tried with either of them, by group.
TRIALS = 100


class ActionProbe:
    """Notes in the positions of probe games where the cards of legal actions lie."""

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
    def places(self) -> Places:
        """The groups of actions that name cards by place, with the places of their cards."""
        return {group: self._depths[group] for group in sorted(self._by_place)}

    def note(self, state: State) -> None:
        """Note the legal actions of a true state."""
        if not self._depths or state.seat < 0:
            return
        by_action = self._game.actions.by_action
        wanted: dict[int, list[int]] = {}
        for action in self._game.legal(state):
            group, (_, index) = self._group_of[action], by_action[action]
            if group in self._depths:
                wanted.setdefault(group, []).append(action)
                if not state.seen[index] >> state.seat & 1:
                    self._by_place.add(group)
        for group, actions in wanted.items():
            self._note_depths(group, {by_action[action][1] for action in actions}, state)
            self._compare(group, actions, state)

    def _note_depths(self, group: int, tokens: set[int], state: State) -> None:
        depths = self._depths[group]
        for zone in state.zones:
            for number, pile in enumerate(zone.piles(state)):
                if not tokens.isdisjoint(pile):
                    place = Place(zone.name, zone.count == 0 and number == state.seat)
                    # The deepest is the first, as piles are listed from the bottom up.
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
        """Return what anybody can tell about an action on a card, and the table after it."""
        game, after = self._game, state.clone()
        token = game.actions.by_action[action][1]
        game.apply(after, action)
        piles = [
            sorted([after.face[token] for token in pile])
            for zone in after.zones
            for pile in zone.piles(after)
        ]
        return (public_differences(game, state, token), after.seat, after.phase, piles)
