"""Information sets: for each seat a tree of its own, which follows the actions as it sees them.

A seat's next information set is the child of its last one by the seat's view of an action: the
action, or for an action on a card its kind and the card's face if the seat has seen that. Seats
never share a node, and what a seat cannot tell apart leads to the same child. Faces stand for their
class where the game declares `face_classes`.
"""

from collections.abc import Iterable
from functools import lru_cache
from random import Random
from typing import Any

from cardhub.model.game.game import Game
from cardhub.model.hidden.chance import resolve_shuffles
from cardhub.model.table.state import OVER, State

# Largest size of a pile whose hidden cards are part of its owner's first information set.
FEW = 2


class Edge:
    """One action of `seat` in an information set.

    `total` is the sum of its values for the seat, `standardized` that of its values relative to
    other simulations. `available` counts the determinizations in which it is legal.
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

    `edges` are the actions tried there, by `ActionKeys.edge_key`, and `children` the next
    information sets by the seat's view of an action. Both are changed by the methods only.
    """

    __slots__ = ("children", "edges")

    def __init__(self) -> None:
        # Most information sets are leaves, which share these empty ones: two of their own would
        # take longer than the rest of an iteration's step.
        self.children: dict[int, InfoSet] = NO_CHILDREN
        self.edges: dict[int, Edge] = NO_EDGES

    def child(self, key: int) -> "InfoSet":
        """Return the next information set, a new one if there is none."""
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
    """Where the seats are in their trees: the information set of each seat, and the tokens seen.

    `seen` is that of a state in which they are; it is never changed, but replaced.
    """

    __slots__ = ("nodes", "seen")

    def __init__(self, nodes: list[InfoSet], seen: list[int]) -> None:
        self.nodes = nodes
        self.seen = seen


class ActionKeys:
    """Keys of a game's actions, as seats see them; lists by action.

    `tokens` has -1 for an action that is not on a card: its key is the action. The key of an action
    on a card is `seen_keys` plus the face for seats that have seen it, `unseen_keys` for others.
    `has_cards` tells whether there are such actions. `classes` has by face the number of its class,
    the face itself unless the game declares classes.
    """

    __slots__ = ("_game", "classes", "has_cards", "seen_keys", "tokens", "unseen_keys")

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        actions = game.actions
        tokens = [actions.token(action) for action in range(actions.size)]
        groups = [actions.groups.index(actions.group(action)[0]) for action in range(actions.size)]
        # Above all actions and all faces, so that no two keys are equal by chance.
        span = max(actions.size, len(game.cards.faces)) + 1
        self.tokens = [-1 if token is None else token for token in tokens]
        self.has_cards = max(self.tokens) >= 0
        self.seen_keys = [span * (group + 1) for group in groups]
        self.unseen_keys = [span * (group + 2) - 1 for group in groups]
        self.classes = _numbered(game.face_classes or range(len(game.cards.faces)))

    def edge_key(self, state: State, action: int) -> int:
        """Return the key of an action's edge, which is the same in several determinizations.

        It is the action, or for a card that the seat to act has seen, the class of its face: equal
        faces have other tokens in other determinizations.
        """
        token = self.tokens[action]
        if token < 0 or not state.seen[token] >> state.seat & 1:
            return action
        return self.seen_keys[action] + self.classes[state.face[token]]

    def step(self, state: State, action: int, views: Views, rng: Random) -> None:
        """Apply an action, and replace every seat's information set by the next one.

        At the end of the game there is none: nobody acts there.
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
        # Only faces that all see now. A card drawn by one seat is no part of its key until it is
        # acted on: chance would split the tree into as many branches as there are cards.
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
    """Return the classes as numbers from 0 on, in the order of their first faces."""
    numbers: dict[int, int] = {}
    return [numbers.setdefault(each, len(numbers)) for each in classes]


# Bots are created for every game of a match, and share these tables.
@lru_cache(maxsize=64)
def action_keys(game: Game[Any]) -> ActionKeys:
    """Return the keys of a game's actions."""
    return ActionKeys(game)


class FirstInfoSets:
    """The information sets of the seats at the root of a search: of rivals by their hidden cards.

    Only piles of few cards count: with large hands no two determinizations would share an
    information set. `roots` has that of each seat which all others are below.
    """

    __slots__ = ("_classes", "_seen", "_tokens", "roots")

    def __init__(self, state: State, seat: int, root: InfoSet, classes: list[int]) -> None:
        seen, everybody = state.seen, state.everybody
        hidden = [t for pile in _small_piles(state) for t in pile if seen[t] != everybody]
        self._classes = classes
        # All determinizations of an observation have these in common, and `seen` as well.
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
            if len(tokens) == 1:  # the most frequent number: as `_below` does, but faster
                nodes[seat] = nodes[seat].child(-1 - classes[state.face[tokens[0]]])
            else:
                nodes[seat] = _below(nodes[seat], [classes[state.face[token]] for token in tokens])
        return Views(nodes, self._seen)


def _below(node: InfoSet, faces: list[int]) -> InfoSet:
    if len(faces) > 1:
        faces.sort()  # which token has which of these faces differs between determinizations
    for face in faces:
        node = node.child(-1 - face)  # negative, as keys of actions are not
    return node


def _small_piles(state: State) -> list[list[int]]:
    piles = []
    for zone in state.zones:
        held = getattr(state, zone.name)
        piles += [pile for pile in ([held] if zone.count is None else held) if len(pile) <= FEW]
    return piles
