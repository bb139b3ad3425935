"""A game as a tree in which chance deals card by card, with the odds of undecided cards.

A card is dealt when a seat first sees it or the rules first read it; until then its face is
undecided. This keeps the tree small, because unseen cards make no branches. Backs are public, so
they are dealt at the start if they differ.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import fsum
from random import Random
from typing import Any, Generic, Literal, NamedTuple

from cardhub.base.errors import DeterminizationError, HiddenFaceError, SolvingError
from cardhub.model.game.game import Game, S
from cardhub.model.game.initial_state import initial_state, split_decks
from cardhub.model.hidden.chance import masks_at_shuffles
from cardhub.model.hidden.observation import Observation, Step
from cardhub.model.hidden.outcomes import Outcome, apply_outcome
from cardhub.model.hidden.shuffles.segments import back_snapshots, face_snapshots
from cardhub.model.table.faces import BLANK, MaskedFaces
from cardhub.model.table.rounds import count_choices, is_in_round
from cardhub.model.table.settings import Settings, Value
from cardhub.model.table.state import CHANCE, OVER

# The possible faces or backs of a token, each with its number of cards.
Odds = list[tuple[int, int]]


class PartialDeal(NamedTuple):
    """The face and back of every token; BLANK if undecided.

    An undecided token is each of the remaining cards of its pool with equal probability:
    `remaining[pools[token]]` counts them by face. At the start, pools are decks; a shuffle adds a
    pool.
    """

    faces: tuple[int, ...]
    backs: tuple[int, ...]
    pools: tuple[int, ...]
    remaining: tuple[tuple[int, ...], ...]

    def undecided(self, pool: int) -> list[int]:
        """Return the tokens of a pool with undecided faces."""
        of_pool = zip(self.pools, self.faces, strict=True)
        return [t for t, (home, face) in enumerate(of_pool) if home == pool and face == BLANK]

    def with_back(self, token: int, back: int) -> "PartialDeal":
        """Return a copy in which the back of a token is decided."""
        return self._replace(backs=_with(self.backs, token, back))

    def with_face(self, token: int, face: int) -> "PartialDeal":
        """Return a copy in which the face of a token is decided."""
        pool = self.pools[token]
        counts = _with(self.remaining[pool], face, self.remaining[pool][face] - 1)
        remaining = (*self.remaining[:pool], counts, *self.remaining[pool + 1 :])
        return self._replace(faces=_with(self.faces, token, face), remaining=remaining)


def nothing_dealt(game: Game[Any], settings: Settings, seats: int) -> PartialDeal:
    """Return shuffled decks in which all tokens are undecided."""
    decks = split_decks(game, settings, seats)
    pools = tuple(pool for pool, deck in enumerate(decks) for _ in deck)
    blank = (BLANK,) * len(pools)
    remaining = tuple(_counts(deck, len(game.cards.faces)) for deck in decks)
    return PartialDeal(blank, blank, pools, remaining)


def back_odds(dealt: PartialDeal, token: int, back_of: Sequence[int]) -> Odds:
    """Return the possible backs of an undecided token."""
    pool = dealt.pools[token]
    counts = dict.fromkeys(back_of, 0)
    for back, count in zip(back_of, dealt.remaining[pool], strict=True):
        counts[back] += count
    # Each token with a decided back and an undecided face uses up a card with that back.
    for other in dealt.undecided(pool):
        if dealt.backs[other] != BLANK:
            counts[dealt.backs[other]] -= 1
    return sorted((back, count) for back, count in counts.items() if count)


def face_odds(dealt: PartialDeal, token: int, back_of: Sequence[int]) -> Odds:
    """Return the possible faces of an undecided token with a decided back."""
    counts, back = dealt.remaining[dealt.pools[token]], dealt.backs[token]
    return [(face, n) for face, n in enumerate(counts) if n and back_of[face] == back]


def to_deal_first(dealt: PartialDeal, tokens: Sequence[int]) -> int | None:
    """Return an undecided token whose pool also has tokens outside of `tokens`, or None.

    It must be decided before `tokens` are shuffled, because the shuffle would mix its pool.
    """
    for token in tokens:
        if dealt.faces[token] == BLANK and not set(dealt.undecided(dealt.pools[token])) <= {
            *tokens
        }:
            return token
    return None


def shuffled_together(
    dealt: PartialDeal, tokens: Sequence[int], *, keeps_backs: bool
) -> PartialDeal:
    """Return a copy in which these tokens are undecided and form a new pool.

    `to_deal_first` must return None for them.
    """
    counts = list(_counts((dealt.faces[t] for t in tokens), len(dealt.remaining[0])))
    emptied = {dealt.pools[token] for token in tokens if dealt.faces[token] == BLANK}
    # `to_deal_first` guarantees that the pools of these tokens are used up completely.
    remaining = list(dealt.remaining)
    for pool in emptied:
        counts = [count + more for count, more in zip(counts, remaining[pool], strict=True)]
        remaining[pool] = (0,) * len(counts)
    faces, backs, pools = list(dealt.faces), list(dealt.backs), list(dealt.pools)
    for token in tokens:
        faces[token], pools[token] = BLANK, len(remaining)
        if not keeps_backs:
            backs[token] = BLANK
    return PartialDeal(tuple(faces), tuple(backs), tuple(pools), (*remaining, tuple(counts)))


def _counts(faces: Any, size: int) -> tuple[int, ...]:
    counts = [0] * size
    for face in faces:
        if face != BLANK:
            counts[face] += 1
    return tuple(counts)


def _with(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])


# Maximum number of nodes that a tree caches; Leduc poker has fewer.
MAX_CACHED = 12_000

Kind = Literal["back", "face", "chance", "turn", "over"]


class Due(NamedTuple):
    """The next step: a token's back or face, an action of chance or of a seat, or the end."""

    kind: Kind
    token: int = -1


_NOT_YET = Due("over", -2)


class Tree(Generic[S]):
    """The tree of a game with a number of seats and settings; it caches its nodes."""

    def __init__(self, game: Game[S], seats: int, settings: Settings) -> None:
        if game.state_type.views_field:
            raise SolvingError(
                f"{game.name} cannot be solved: it has secrets other than cards, which trees of "
                "positions lack. fix: use bots and matches"
            )
        self.game = game
        self.seats = seats
        self.settings = settings
        self.cached = 0
        start = nothing_dealt(game, settings, seats)
        self.root: TreeNode[S] = TreeNode(self, None, -1, _NodeState(start))

    def __reduce__(self) -> tuple[Any, ...]:
        return _tree, (self.game, self.seats, dict(self.settings))

    def at(self, path: Sequence[int]) -> "TreeNode[S]":
        """Return the node after these outcomes and actions."""
        node = self.root
        for step in path:
            node = node.child(step)
        return node

    def observations(self) -> Iterator[Observation[S]]:
        """Yield an observation for each information state of the seats."""
        nodes, known = [self.root], set[str]()
        while nodes:
            node = nodes.pop()
            if node.due.kind == "turn":
                observation = Observation(self.game, node.state, node.state.seat, node.history)
                text = observation.information_text()
                if text not in known:
                    known.add(text)
                    yield observation
            nodes += [node.child(step) for step, _ in node.odds]


class _NodeState(NamedTuple, Generic[S]):
    """The data of a node.

    `state`: the state, which nodes share and never change, or None before the deal. `doing`: an
    action that is not applied yet. `shuffled`: `dealt` is ahead of `state` by one shuffle.
    `allowed`: the masks of possible faces at each pending shuffle.
    """

    dealt: PartialDeal
    state: S | None = None
    doing: int | None = None
    shuffled: bool = False
    history: tuple[Step, ...] = ()
    allowed: tuple[tuple[int, ...], ...] = ()


class TreeNode(Generic[S]):
    """A node of a tree; it is immutable, so a copy is the node itself."""

    __slots__ = ("_children", "_data", "due", "last", "odds", "parent", "scores", "tree")

    def __init__(
        self, tree: Tree[S], parent: "TreeNode[S] | None", last: int, data: _NodeState[S]
    ) -> None:
        self.tree = tree
        self.parent = parent
        self.last = last
        self.scores: list[int] = []
        self.odds: list[tuple[int, float]] = []
        self._children: dict[int, TreeNode[S]] = {}
        # Take forced steps immediately: a node is always a decision of chance or a seat, or an end.
        self._data, self.due = data, _NOT_YET
        while self.due is _NOT_YET:
            self._advance()

    def __deepcopy__(self, memo: object) -> "TreeNode[S]":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _node_at, (self.tree, self.path())

    @property
    def state(self) -> S:
        """The state with undecided faces blanked; read-only, and only valid after the deal."""
        assert self._data.state is not None
        return self._data.state

    @property
    def history(self) -> tuple[Step, ...]:
        """All actions up to this node, without dealt cards."""
        return self._data.history

    @property
    def is_dealt(self) -> bool:
        """Whether the node has a state."""
        return self._data.state is not None

    @property
    def shuffles(self) -> int:
        """The number of shuffles, including one whose backs are being dealt."""
        state = self._data.state
        return 0 if state is None else len(state.shuffle_log) + self._data.shuffled

    @property
    def is_cached(self) -> bool:
        """Whether the tree returns this same object in each traversal."""
        return self.parent is None or self.parent._children.get(self.last) is self

    def path(self) -> list[int]:
        """Return the outcomes and actions from the root to this node."""
        steps, node = [], self
        while node.parent is not None:
            steps.append(node.last)
            node = node.parent
        return steps[::-1]

    def child(self, step: int) -> "TreeNode[S]":
        """Return the node after one of the steps in `odds`."""
        child = self._children.get(step)
        if child is None:
            child = TreeNode(self.tree, self, step, self._after(step))
            # Deeper nodes of large trees are not cached, to bound the memory.
            if self.tree.cached < MAX_CACHED:
                self.tree.cached += 1
                self._children[step] = child
        return child

    def _after(self, step: int) -> _NodeState[S]:
        data = self._data
        if self.due.kind == "back":
            return data._replace(dealt=data.dealt.with_back(self.due.token, step))
        if self.due.kind == "face":
            return _with_face(data, self.due.token, step)
        history = (*data.history, Step(self.state.seat, step))
        return data._replace(doing=step, history=history)

    def _advance(self) -> None:
        try:
            following = _next(self.tree, self._data)
            if isinstance(following, Due):
                self._set_due(following)
        except HiddenFaceError as error:
            following = _face_step(self.tree, self._data, error.token)
            if isinstance(following, Due):
                self._set_due(following)
        if isinstance(following, _NodeState):
            self._data = following

    def _set_due(self, due: Due) -> None:
        # Raises HiddenFaceError if the rules read an undecided face, which is then dealt first.
        if due.kind == "over":
            self.scores = self.tree.game.scores(self.state)
        else:
            self.odds = self._odds(due)
        self.due = due

    def exact_odds(self) -> list[tuple[int, Fraction]]:
        """Return the steps of chance with their probabilities, which sum to exactly 1."""
        weights = [(step, Fraction(weight)) for step, weight in self._weights(self.due)]
        total = sum(weight for _, weight in weights)
        return [(step, weight / total) for step, weight in weights]

    def _odds(self, due: Due) -> list[tuple[int, float]]:
        if due.kind == "turn":
            return [(action, 1.0) for action in sorted(self.tree.game.legal(self.state))]
        weights = self._weights(due)
        total = fsum(weight for _, weight in weights)
        return [(outcome, weight / total) for outcome, weight in weights]

    def _weights(self, due: Due) -> Sequence[tuple[int, float]]:
        """Return the possible outcomes of chance with numbers in proportion to their odds."""
        game, data = self.tree.game, self._data
        if due.kind == "chance":
            legal = game.legal(self.state)
            weights = game.chance_weights(self.state) or [1.0] * len(legal)
            return sorted((a, w) for a, w in zip(legal, weights, strict=True) if w > 0)
        find = back_odds if due.kind == "back" else face_odds
        return find(data.dealt, due.token, game.cards.back_of)


def _next(tree: Tree[S], data: _NodeState[S]) -> _NodeState[S] | Due:
    """Return the data after the next forced step, or the next decision of chance or a seat."""
    dealt, state = data.dealt, data.state
    # Deal backs first, because they are public and faces depend on them.
    if BLANK in dealt.backs:
        return _back_step(tree, data, dealt.backs.index(BLANK))
    if state is None:
        faces = MaskedFaces(list(dealt.faces))
        return data._replace(
            state=initial_state(tree.game, tree.settings, tree.seats, faces, dealt.backs)
        )
    if data.doing is not None:
        after = state.clone()
        tree.game.apply(after, data.doing)
        # Compute the masks here, because they depend on the action's context.
        allowed = tuple(masks_at_shuffles(tree.game, state, after))
        return data._replace(state=after, doing=None, allowed=allowed)
    if state.pending_shuffles:
        return _shuffle_step(tree, data, state)
    # A face that a seat has seen must be decided before the seat's next decision.
    for token, seen in enumerate(state.seen):
        if seen and dealt.faces[token] == BLANK:
            return _face_step(tree, data, token)
    return Due("over" if state.seat == OVER else "chance" if state.seat == CHANCE else "turn")


def _shuffle_step(tree: Tree[S], data: _NodeState[S], state: S) -> _NodeState[S] | Due:
    # First shuffle, then deal the public backs, then apply the outcome to the state.
    tokens, keeper = state.pending_shuffles[0]
    if data.shuffled:
        after = state.clone()
        backs = tuple(data.dealt.backs[token] for token in tokens)
        apply_outcome(after, Outcome((BLANK,) * len(tokens), backs), *data.allowed[:1])
        return data._replace(state=after, shuffled=False, allowed=data.allowed[1:])
    token = to_deal_first(data.dealt, tokens)
    if token is not None:
        return _face_step(tree, data, token)
    dealt = shuffled_together(data.dealt, tokens, keeps_backs=keeper >= 0)
    return data._replace(dealt=dealt, shuffled=True)


def _back_step(tree: Tree[S], data: _NodeState[S], token: int) -> _NodeState[S] | Due:
    odds = back_odds(data.dealt, token, tree.game.cards.back_of)
    if len(odds) > 1:
        return Due("back", token)
    return data._replace(dealt=data.dealt.with_back(token, odds[0][0]))


def _face_step(tree: Tree[S], data: _NodeState[S], token: int) -> _NodeState[S] | Due:
    odds = face_odds(data.dealt, token, tree.game.cards.back_of)
    return Due("face", token) if len(odds) > 1 else _with_face(data, token, odds[0][0])


def _with_face(data: _NodeState[S], token: int, face: int) -> _NodeState[S]:
    dealt, state = data.dealt.with_face(token, face), data.state
    if state is not None:
        state = state.clone()
        state.face = MaskedFaces(list(dealt.faces))
    return data._replace(dealt=dealt, state=state)


def _tree(game: Game[S], seats: int, values: dict[str, Value]) -> Tree[S]:
    return Tree(game, seats, Settings(values))


def _node_at(tree: Tree[S], path: list[int]) -> TreeNode[S]:
    return tree.at(path)


# The default limit of the number of nodes of an expanded tree, which takes up to a minute.
MOST_NODES = 200_000
# The number of random games that estimate a tree's size, and the tolerated error as a factor.
PROBES, TOLERANCE = 100, 100


class NodeCounter:
    """A counter of a tree's nodes; raises SolvingError if there are too many."""

    def __init__(self, tree: Tree[Any], most_nodes: int) -> None:
        self._tree = tree
        self._most_nodes = most_nodes
        self.count = 1
        if estimate(tree.root, TOLERANCE * most_nodes) > TOLERANCE * most_nodes:
            self._refuse()

    def add(self, nodes: int) -> None:
        """Add nodes; raises SolvingError if there are more than the limit."""
        self.count += nodes
        if self.count > self._most_nodes:
            self._refuse()

    def _refuse(self) -> None:
        raise SolvingError(
            f"{self._tree.game.name}: the tree of this game has more than {self._most_nodes:,} "
            "nodes: it is too large to be solved\n"
            "fix: choose options that make the game smaller, or a higher limit of nodes"
        )


def estimate(root: TreeNode[Any], most: int) -> float:
    """Return an estimate of the nodes from a node on (Knuth 1975), or a number above `most`.

    Its expectation is the number of nodes n, so it exceeds k·n with a probability of at most 1/k.
    """
    rng, total = Random(0), 0
    for _ in range(PROBES):
        node, product = root, 1
        total += 1
        while node.odds:
            product *= len(node.odds)
            total += product
            # The mean of all probes is certainly greater than this.
            if total > PROBES * most:
                return total / PROBES
            node = node.child(rng.choice(node.odds)[0])
    return total / PROBES


def node_after(tree: Tree[S], state: S, steps: Sequence[Step]) -> TreeNode[S]:
    """Return the node after these actions; `state`: the complete state after them.

    Raises DeterminizationError if the actions are impossible with the state's cards.
    """
    node = tree.root
    for before, step in path_to(tree, state, steps):
        node = before.child(step)
    return node


def path_to(tree: Tree[S], state: S, steps: Sequence[Step]) -> Iterator[tuple[TreeNode[S], int]]:
    """Yield the nodes on the way to `node_after`, each with the step that was taken there."""
    # By token after the deal and each shuffle.
    cards = {"face": face_snapshots(state), "back": back_snapshots(state)}
    node, count = tree.root, 0
    while node.due.kind in cards or count < len(steps):
        kind, token = node.due
        is_dealt = kind in cards
        step = cards[kind][node.shuffles][token] if is_dealt else _action(node, steps, count)
        if all(step != possible for possible, _ in node.odds):
            name = tree.game.name
            raise DeterminizationError(f"{name}: the actions are impossible with these cards")
        yield node, step
        # Dealt faces and backs are steps of the tree, but not of the history.
        count += not is_dealt
        node = node.child(step)


def _action(node: TreeNode[Any], steps: Sequence[Step], count: int) -> int:
    """Return the action at a node after the first `count` steps."""
    if not is_in_round(node.state):
        return steps[count].action
    # The order of choices in a round does not matter: the tree has the order of seats.
    choices = steps[count - count_choices(node.state) :]
    return next(action for seat, action in choices if seat == node.state.seat)
