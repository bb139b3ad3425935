"""Keys of information sets: for each seat a hash of the actions it has seen from the root node."""

from functools import lru_cache
from typing import Any

from cardhub.game.game import Game
from cardhub.hidden.chance import resolve_shuffles
from cardhub.table.state import State

# Largest size of a pile whose hidden cards are part of its owner's first key.
FEW = 2


class InfosetKeys:
    """Tracks the information set of every seat in a simulation, as one key each.

    A key is a hash over the seat's own hidden cards, where they are few, and the actions since: an
    action on a card counts by its face for seats that have seen that, and not for others.
    """

    __slots__ = ("_groups", "_span", "_tokens")

    def __init__(self, game: Game[Any]) -> None:
        self._tokens, self._groups, self._span = _tables(game)

    def edge_key(self, state: State, action: int) -> int:
        """Return the key of an action's edge, which is the same in several determinizations.

        It is the action, or for a card that the seat has seen, the card's face: equal faces have
        other tokens in other determinizations.
        """
        token = self._tokens[action]
        if token < 0 or not state.seen[token] >> state.seat & 1:
            return action
        # Above every plain action, so that the two kinds of keys are distinct.
        return self._span * (self._groups[action] + 1) + state.face[token]

    def begin(self, state: State) -> list[int]:
        """Return the keys of all seats at the root."""
        # Large hands are left out: no two determinizations would share an information set.
        own: list[list[int]] = [[] for _ in range(state.seats)]
        seen, everybody = state.seen, state.everybody
        for pile in _small_piles(state):
            for token in pile:
                if seen[token] != everybody:
                    for seat, faces in enumerate(own):
                        if seen[token] >> seat & 1:
                            faces.append(state.face[token])
        # Sorted: which token has which of these faces differs between determinizations.
        return [hash((seat, *sorted(faces))) for seat, faces in enumerate(own)]

    def apply(self, game: Game[Any], state: State, action: int, keys: list[int], rng: Any) -> None:
        """Apply an action, and update the key of each seat by its view of the action."""
        before = state.seen[:]
        game.apply(state, action)
        if state.pending_shuffles:
            resolve_shuffles(game, state, rng)
        token, group = self._tokens[action], self._groups[action]
        if token < 0:
            keys[:] = [hash((key, action)) for key in keys]
        else:
            seen, face = state.seen[token], state.face[token]
            keys[:] = [
                hash((key, ~group, face if seen >> seat & 1 else -1))
                for seat, key in enumerate(keys)
            ]
        if state.seen != before:
            _add_revealed(state, before, keys)


def _add_revealed(state: State, before: list[int], keys: list[int]) -> None:
    # Only faces that all see now. A card drawn by one seat is no part of its key until it is acted
    # on: chance would split the tree into as many branches as there are cards.
    seen, everybody = state.seen, state.everybody
    faces = [
        state.face[token]
        for token, old in enumerate(before)
        if old != everybody and seen[token] == everybody
    ]
    if faces:
        keys[:] = [hash((key, *sorted(faces))) for key in keys]


def _small_piles(state: State) -> list[list[int]]:
    piles = []
    for zone in state.zones:
        held = getattr(state, zone.name)
        piles += [pile for pile in ([held] if zone.count is None else held) if len(pile) <= FEW]
    return piles


# Bots are created for every game of a match, and share these tables.
@lru_cache(maxsize=64)
def _tables(game: Game[Any]) -> tuple[list[int], list[int], int]:
    """Return by action its token, or -1, and its group; and a number above all of both."""
    actions = game.actions
    tokens = [actions.token(action) for action in range(actions.size)]
    groups = [actions.groups.index(actions.group(action)[0]) for action in range(actions.size)]
    span = max(actions.size, len(game.cards.faces)) + 1
    return [-1 if token is None else token for token in tokens], groups, span
