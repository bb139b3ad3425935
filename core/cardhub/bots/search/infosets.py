"""Information sets: a tree for each seat, whose branches are the seat's views of actions.

A seat's next information set is a child of its last one. The key of the child is the seat's view of
the action: the action, or for an action on a card its kind, and the card's face if the seat has
seen it. Seats do not share nodes, and actions that a seat cannot distinguish lead to the same
child. If the game's heuristics have `face_classes`, faces are replaced by their classes.
Actions are selected by UCB with progressive widening, or by the fewest visits.

While several seats choose at the same time, no seat's information set depends on a choice: all of
them move on after the last choice. There UCB would learn to answer choices that it cannot know, so
actions are selected by regret matching, whose frequencies approach an equilibrium.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import fsum, log, sqrt
from random import Random
from typing import Any, Generic, NamedTuple

from cardhub.bots.search.amount_search import amount_blocks, next_amount, split_legal
from cardhub.model.game.game import Game, S
from cardhub.model.hidden.chance import resolve_shuffles
from cardhub.model.table.rounds import count_choices, is_in_round
from cardhub.model.table.state import OVER, State

# The largest size of a pile whose hidden cards are part of its owner's first information set.
FEW = 2


class Edge:
    """One action of `seat` in an information set.

    `total`: the sum of its values for the seat. `standardized`: the sum of its values relative to
    other simulations. `available`: the number of determinizations in which it was legal. `regret`:
    the regret not to have chosen it in a round of simultaneous choices, at least 0.
    """

    __slots__ = ("action", "available", "regret", "seat", "standardized", "total", "visits")

    def __init__(self, action: int, seat: int) -> None:
        self.action = action
        self.seat = seat
        self.visits = 0
        self.available = 1
        self.regret = 0.0
        self.standardized = 0.0
        self.total = 0.0


class InfoSet:
    """An information set of one seat.

    `edges`: the tried actions by `ActionKeys.edge_key`. `children`: the next information sets by
    the seat's view of an action. Only the methods change both. `priors`: by the keys of edges, the
    probabilities of a guide's policy, once it has been asked.
    """

    __slots__ = ("children", "edges", "priors")

    def __init__(self) -> None:
        # Most information sets are leaves, which share these empty dicts: creating two dicts would
        # take longer than the rest of an iteration's step.
        self.children: dict[int, InfoSet] = NO_CHILDREN
        self.edges: dict[int, Edge] = NO_EDGES
        self.priors: dict[int, float] | None = None

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
    other seats. `has_cards`: whether there are actions on cards. `has_rounds`: whether seats may
    choose at the same time. `blocks`: the group of amounts, or -1. `classes`: the number
    of each face's class, which is the face itself unless the game declares classes.
    """

    __slots__ = (
        "_game",
        "_hidden_key",
        "_secret",
        "blocks",
        "classes",
        "has_cards",
        "has_rounds",
        "seen_keys",
        "tokens",
        "unseen_keys",
    )

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        actions = game.actions
        tokens = [actions.token(action) for action in range(actions.size)]
        groups = [actions.groups.index(actions.group(action)[0]) for action in range(actions.size)]
        # Greater than all actions and all faces, so keys of different kinds are different.
        span = max(actions.size, len(game.cards.faces)) + 1
        self.tokens = [-1 if token is None else token for token in tokens]
        self.has_cards = max(self.tokens) >= 0
        self.has_rounds = bool(game.state_type.choices_field)
        self.blocks = amount_blocks(actions)
        self.seen_keys = [span * (group + 1) for group in groups]
        self.unseen_keys = [span * (group + 2) - 1 for group in groups]
        # The key of all secret actions in the views of other seats.
        self._secret, self._hidden_key = actions.secret, span * (len(actions.groups) + 2)
        # The classes as numbers from 0, in the order of their first faces.
        classes = game.heuristics.face_classes or range(len(game.cards.faces))
        numbers: dict[int, int] = {}
        self.classes = [numbers.setdefault(number, len(numbers)) for number in classes]

    def tables(self) -> tuple[list[int], list[int], list[int], list[int], list[int], int]:
        """Return what the keys follow from, for a tree in C."""
        secret = [int(action in self._secret) for action in range(len(self.tokens))]
        by_action = self.tokens, self.seen_keys, self.unseen_keys, secret
        return (*by_action, self.classes, self._hidden_key)

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
        if self.has_rounds and is_in_round(state):
            self._step_in_round(state, action, views, rng)
            return
        actor = state.seat
        self._game.apply(state, action)
        if state.pending_shuffles:
            resolve_shuffles(self._game, state, rng)
        if state.seat == OVER:
            return
        token, nodes = self.tokens[action], views.nodes
        if action in self._secret:
            self._hide(action, actor, nodes)
        elif token < 0:
            for seat, node in enumerate(nodes):
                nodes[seat] = node.children.get(action) or node.new_child(action)
        else:
            self._view(state, action, token, nodes)
        if state.seen != views.seen:
            self._add_revealed(state, views)

    def _step_in_round(self, state: State, action: int, views: Views, rng: Random) -> None:
        choices = {**state.known_choices(), state.seat: action}
        self._game.apply(state, action)
        if state.pending_shuffles:
            resolve_shuffles(self._game, state, rng)
        if state.seat == OVER or count_choices(state):
            return
        nodes = views.nodes
        # By seat, because the seats of a determinization may have chosen in another order.
        for seat in sorted(choices):
            action = choices[seat]
            token = self.tokens[action]
            if action in self._secret:
                self._hide(action, seat, nodes)
                continue
            if token >= 0:
                self._view(state, action, token, nodes)
                continue
            for viewer, node in enumerate(nodes):
                nodes[viewer] = node.child(action)
        if state.seen != views.seen:
            self._add_revealed(state, views)

    def _hide(self, action: int, actor: int, nodes: list[InfoSet]) -> None:
        for seat, node in enumerate(nodes):
            nodes[seat] = node.child(action if seat == actor else self._hidden_key)

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


# Cached, because bots are created for every game of a match and can share these tables.
@lru_cache(maxsize=64)
def action_keys(game: Game[Any]) -> ActionKeys:
    """Return the keys of a game's actions."""
    return ActionKeys(game)


class FirstInfoSets:
    """The seats' information sets at the root of a search; rivals' sets depend on hidden cards.

    Only piles of few cards count: with large hands, determinizations would not share information
    sets. `roots`: each seat's topmost information set. `tokens`: of each rival, the cards that only
    some have seen and that it has seen.
    """

    __slots__ = ("_classes", "_seen", "roots", "tokens")

    def __init__(self, state: State, seat: int, root: InfoSet, classes: list[int]) -> None:
        seen, everybody = state.seen, state.everybody
        hidden = [t for pile in _small_piles(state) for t in pile if seen[t] != everybody]
        self._classes = classes
        # Equal in all determinizations of an observation.
        self._seen = seen[:]
        by_seat = [
            (rival, [t for t in hidden if seen[t] >> rival & 1]) for rival in range(state.seats)
        ]
        self.tokens = [(rival, tokens) for rival, tokens in by_seat if tokens and rival != seat]
        self.roots = [root if rival == seat else InfoSet() for rival in range(state.seats)]

    def of(self, state: State) -> Views:
        """Return the information set of each seat in a determinization."""
        nodes, classes = self.roots[:], self._classes
        for seat, tokens in self.tokens:
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


# The exploration constant of UCB, for values from 0 to 1.
EXPLORATION = 0.3
# Progressive widening: the number of edges per square root of the visits.
WIDTH = 1.5
# A table of logarithms, because reading is faster than computing; the first entry is never read.
TABLE_SIZE = 4096
LOGS = [log(max(number, 1)) for number in range(TABLE_SIZE)]


# The share of uniform choices in a round of simultaneous choices.
EXPLORED = 0.1


class RoundSelection(NamedTuple):
    """A choice in a round of simultaneous choices, with its probability.

    `edges`: the edges of all actions that were legal.
    """

    edges: Sequence[Edge]
    edge: Edge
    probability: float

    def learn(self, value: float) -> None:
        """Update the regrets by the choice's value, relative to the mean of all simulations."""
        # Regret matching+ (Tammelin 2014) on one sampled choice: its value counts by its odds.
        for edge in self.edges:
            edge.regret = max(0.0, edge.regret - value)
        edge = self.edge
        edge.regret = max(0.0, edge.regret + value / self.probability)


class EdgeSelector(Generic[S]):
    """Selects a legal action, and returns its edge and the action.

    It returns both, because `Edge.action` is the action in the determinization that added the edge,
    which may use another token. `added`: the number of information sets of `seat` that got edges.
    `selections`: the choices of this simulation in rounds of simultaneous choices.
    """

    __slots__ = ("_game", "_heuristics", "_keys", "_rng", "_seat", "added", "selections")

    def __init__(self, game: Game[S], rng: Random, seat: int) -> None:
        self._game = game
        self._heuristics = game.heuristics
        self._keys = action_keys(game)
        self._rng = rng
        self._seat = seat
        self.added = 0
        self.selections: list[RoundSelection] = []

    def select(self, state: S, infoset: InfoSet) -> tuple[Edge, int]:
        """Return the best available edge by UCB, or a new one by progressive widening."""
        if self._keys.has_rounds and is_in_round(state):
            return self._select_in_round(state, infoset)
        legal = self._few_legal(state, infoset) if self._keys.blocks else self._game.legal(state)
        edges = infoset.edges
        seat, seen, face = state.seat, state.seen, state.face
        tokens, seen_keys = self._keys.tokens, self._keys.seen_keys
        has_cards, classes, logs = self._keys.has_cards, self._keys.classes, LOGS
        best: Edge | None = None
        best_action, total, top = 0, 0, -1.0
        new: list[int] | None = None
        for action in legal:
            key = action
            if has_cards:
                # Inlined `edge_key`, because the call would take a third of this loop's time.
                token = tokens[action]
                if token >= 0 and seen[token] >> seat & 1:
                    key = seen_keys[action] + classes[face[token]]
            edge = edges.get(key)
            if edge is None:
                if new is None:  # created lazily, because most information sets have all edges
                    new = []
                new.append(action)
                continue
            visits = edge.visits
            total += visits
            # Count the determinizations in which the action was legal, not the parent's visits:
            # otherwise rarely legal actions would be explored too much (subset-armed bandit).
            available = edge.available + 1
            edge.available = available
            logarithm = logs[available] if available < TABLE_SIZE else log(available)
            bound = edge.standardized / visits + EXPLORATION * sqrt(logarithm / visits)
            if bound > top:
                best, best_action, top = edge, action, bound
        if best is None or (new and len(legal) - len(new) <= WIDTH * sqrt(total)):
            return self._add(state, infoset, new or [])
        return best, best_action

    def _few_legal(self, state: S, infoset: InfoSet) -> list[int]:
        """Return the legal actions with the tried amounts of each group, and at most a new one."""
        legal = self._game.legal(state)
        single, groups = split_legal(legal, self._keys.blocks)
        if not groups:
            return legal
        edges = infoset.edges
        preferred = self._heuristics.playout_action(state, self._rng)
        for group in groups:
            tried = [edges[action] for action in group if action in edges]
            values = {e.action: (e.standardized / e.visits, e.visits) for e in tried if e.visits}
            single += values
            added = next_amount(group, values, preferred)
            if added is not None:
                single.append(added)
        return single

    def _select_in_round(self, state: S, infoset: InfoSet) -> tuple[Edge, int]:
        """Return an edge sampled by the regrets."""
        # Equal cards share an edge.
        actions = {self._keys.edge_key(state, action): action for action in self._game.legal(state)}
        edges: list[Edge] = []
        for key, action in actions.items():
            edge = infoset.edges.get(key)
            if edge is None:
                edge = self.add(infoset, key, action, state.seat)
            else:
                edge.available += 1
            edges.append(edge)
        regret = fsum(edge.regret for edge in edges)
        uniform = 1.0 / len(edges)
        odds = [uniform] * len(edges)
        if regret > 0:
            share = (1 - EXPLORED) / regret
            odds = [EXPLORED * uniform + share * edge.regret for edge in edges]
        (number,) = self._rng.choices(range(len(edges)), odds)
        self.selections.append(RoundSelection(edges, edges[number], odds[number]))
        return edges[number], list(actions.values())[number]

    def learn(self, values: Sequence[float]) -> None:
        """Update the regrets of this simulation's choices; `values`: by seat, 0.5 is the mean."""
        for selection in self.selections:
            selection.learn(values[selection.edge.seat] - 0.5)
        self.selections.clear()

    def _add(self, state: S, infoset: InfoSet, new: list[int]) -> tuple[Edge, int]:
        # Widening tries only few of many actions, so the game's preferred action comes first.
        preferred = self._heuristics.playout_action(state, self._rng)
        action = preferred if preferred in new else self._rng.choice(new)
        key = self._keys.edge_key(state, action)
        return self.add(infoset, key, action, state.seat), action

    def add(self, infoset: InfoSet, key: int, action: int, seat: int) -> Edge:
        """Add an edge without visits."""
        if seat == self._seat and not infoset.edges:
            self.added += 1
        edge = Edge(action, seat)
        infoset.add(key, edge)
        return edge

    def least_visited(self, state: S, infoset: InfoSet) -> tuple[Edge, int]:
        """Return the least visited available edge, and the first one of equal edges."""
        edges = infoset.edges
        least: Edge | None = None
        least_key = least_action = 0
        for action in self._game.legal(state):
            key = self._keys.edge_key(state, action)
            edge = edges.get(key)
            if edge is None:
                edge = Edge(action, state.seat)
            if least is None or edge.visits < least.visits:
                least, least_key, least_action = edge, key, action
        assert least is not None  # the game is not over
        if least_key not in edges:
            infoset.add(least_key, least)
        return least, least_action
