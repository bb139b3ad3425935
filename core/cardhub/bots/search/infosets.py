"""Information sets: a tree for each seat, whose branches are the seat's views of actions.

A seat's next information set is a child of its last one. The key of the child is the seat's view of
the action: the action, or for an action on a card its kind, and the card's face if the seat has
seen it. Seats do not share nodes, and actions that a seat cannot distinguish lead to the same
child. If the game declares `face_classes`, faces are replaced by their classes.
"""

from collections.abc import Iterable
from functools import lru_cache
from random import Random
from typing import Any

from cardhub.model.game.game import Game
from cardhub.model.hidden.chance import resolve_shuffles
from cardhub.model.table.state import OVER, State

# The largest size of a pile whose hidden cards are part of its owner's first information set.
FEW = 2


class Edge:
    """One action of `seat` in an information set.

    `total`: the sum of its values for the seat. `standardized`: the sum of its values relative to
    other simulations. `available`: the number of determinizations in which it was legal.
    """

    __slots__ = ("action", "available", "seat", "standardized", "total", "visits")

    def __init__(self, action: int, seat: int) -> None:
        self.action = action
        self.seat = seat
        self.visits = 0
        self.available = 1
        self.standardized = 0.0
        self.total = 0.0


class InfoSet:
    """An information set of one seat.

    `edges`: the tried actions by `ActionKeys.edge_key`. `children`: the next information sets by
    the seat's view of an action. Only the methods change both.
    """

    __slots__ = ("children", "edges")

    def __init__(self) -> None:
        # Most information sets are leaves, which share these empty dicts: creating two dicts would
        # take longer than the rest of an iteration's step.
        self.children: dict[int, InfoSet] = NO_CHILDREN
        self.edges: dict[int, Edge] = NO_EDGES

    def child(self, key: int) -> "InfoSet":
        """Return the next information set, and create it if it does not exist."""
        return self.children.get(key) or self.new_child(key)

    def new_child(self, key: int) -> "InfoSet":
        """Add the next information set, and return it."""
        added = InfoSet()
        if self.children:
            self.children[key] = added
        else:
            self.children = {key: added}
        return added

    def add(self, key: int, edge: Edge) -> None:
        """Add an edge."""
        if self.edges:
            self.edges[key] = edge
        else:
            self.edges = {key: edge}


# The children and edges of leaves; never changed.
NO_CHILDREN: dict[int, InfoSet] = {}
NO_EDGES: dict[int, Edge] = {}


class Views:
    """The positions of all seats in their trees.

    `nodes`: the information set of each seat. `seen`: a copy of `State.seen` at this position; it
    is replaced, never changed in place.
    """

    __slots__ = ("nodes", "seen")

    def __init__(self, nodes: list[InfoSet], seen: list[int]) -> None:
        self.nodes = nodes
        self.seen = seen


class ActionKeys:
    """The keys of a game's actions in the seats' views; the lists are indexed by action.

    `tokens`: the token of an action on a card, or -1; then the key is the action. The key of an
    action on a card is `seen_keys` plus the face for seats that have seen it, and `unseen_keys` for
    other seats. `has_cards`: whether there are actions on cards. `classes`: the number of each
    face's class, which is the face itself unless the game declares classes.
    """

    __slots__ = ("_game", "classes", "has_cards", "seen_keys", "tokens", "unseen_keys")

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        actions = game.actions
        tokens = [actions.token(action) for action in range(actions.size)]
        groups = [actions.groups.index(actions.group(action)[0]) for action in range(actions.size)]
        # Greater than all actions and all faces, so keys of different kinds are different.
        span = max(actions.size, len(game.cards.faces)) + 1
        self.tokens = [-1 if token is None else token for token in tokens]
        self.has_cards = max(self.tokens) >= 0
        self.seen_keys = [span * (group + 1) for group in groups]
        self.unseen_keys = [span * (group + 2) - 1 for group in groups]
        self.classes = _numbered(game.face_classes or range(len(game.cards.faces)))

    def edge_key(self, state: State, action: int) -> int:
        """Return the key of an action's edge, which is equal in all determinizations.

        It is the action, or for a card that the seat to act has seen the class of its face, because
        tokens of equal faces differ between determinizations.
        """
        token = self.tokens[action]
        if token < 0 or not state.seen[token] >> state.seat & 1:
            return action
        return self.seen_keys[action] + self.classes[state.face[token]]

    def step(self, state: State, action: int, views: Views, rng: Random) -> None:
        """Apply an action, and replace each seat's information set by the next one.

        At the end of the game the information sets are not replaced.
        """
        self._game.apply(state, action)
        if state.pending_shuffles:
            resolve_shuffles(self._game, state, rng)
        if state.seat == OVER:
            return
        token, nodes = self.tokens[action], views.nodes
        if token < 0:
            for seat, node in enumerate(nodes):
                nodes[seat] = node.children.get(action) or node.new_child(action)
        else:
            self._view(state, action, token, nodes)
        if state.seen != views.seen:
            self._add_revealed(state, views)

    def _view(self, state: State, action: int, token: int, nodes: list[InfoSet]) -> None:
        viewers = state.seen[token]
        seen_key = self.seen_keys[action] + self.classes[state.face[token]]
        unseen_key = self.unseen_keys[action]
        for seat, node in enumerate(nodes):
            key = seen_key if viewers >> seat & 1 else unseen_key
            nodes[seat] = node.children.get(key) or node.new_child(key)

    def _add_revealed(self, state: State, views: Views) -> None:
        # Add only faces that have become visible to all. A card that one seat has drawn is added
        # when an action uses it; otherwise chance would split the tree into a branch per card.
        seen, everybody, classes = state.seen, state.everybody, self.classes
        faces = [
            classes[state.face[token]]
            for token, old in enumerate(views.seen)
            if old != everybody and seen[token] == everybody
        ]
        views.seen = seen[:]
        if faces:
            for seat, node in enumerate(views.nodes):
                views.nodes[seat] = _below(node, faces)


def _numbered(classes: Iterable[int]) -> list[int]:
    """Return the classes as numbers from 0, in the order of their first faces."""
    numbers: dict[int, int] = {}
    return [numbers.setdefault(number, len(numbers)) for number in classes]


# Cached, because bots are created for every game of a match and can share these tables.
@lru_cache(maxsize=64)
def action_keys(game: Game[Any]) -> ActionKeys:
    """Return the keys of a game's actions."""
    return ActionKeys(game)


class FirstInfoSets:
    """The seats' information sets at the root of a search; rivals' sets depend on hidden cards.

    Only piles of few cards count: with large hands, determinizations would not share information
    sets. `roots`: each seat's topmost information set.
    """

    __slots__ = ("_classes", "_seen", "_tokens", "roots")

    def __init__(self, state: State, seat: int, root: InfoSet, classes: list[int]) -> None:
        seen, everybody = state.seen, state.everybody
        hidden = [t for pile in _small_piles(state) for t in pile if seen[t] != everybody]
        self._classes = classes
        # Equal in all determinizations of an observation.
        self._seen = seen[:]
        by_seat = [
            (rival, [t for t in hidden if seen[t] >> rival & 1]) for rival in range(state.seats)
        ]
        self._tokens = [(rival, tokens) for rival, tokens in by_seat if tokens and rival != seat]
        self.roots = [root if rival == seat else InfoSet() for rival in range(state.seats)]

    def of(self, state: State) -> Views:
        """Return the information set of each seat in a determinization."""
        nodes, classes = self.roots[:], self._classes
        for seat, tokens in self._tokens:
            if len(tokens) == 1:  # the most frequent case: a faster form of `_below`
                nodes[seat] = nodes[seat].child(-1 - classes[state.face[tokens[0]]])
            else:
                nodes[seat] = _below(nodes[seat], [classes[state.face[token]] for token in tokens])
        return Views(nodes, self._seen)


def _below(node: InfoSet, faces: list[int]) -> InfoSet:
    if len(faces) > 1:
        faces.sort()  # the order of the faces differs between determinizations
    for face in faces:
        node = node.child(-1 - face)  # negative, to differ from keys of actions
    return node


def _small_piles(state: State) -> list[list[int]]:
    piles = []
    for zone in state.zones:
        content = getattr(state, zone.name)
        zone_piles = [content] if zone.count is None else content
        piles += [pile for pile in zone_piles if len(pile) <= FEW]
    return piles
