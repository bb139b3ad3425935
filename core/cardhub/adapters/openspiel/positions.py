"""A game as a tree in which all that is left to chance is a step of its own.

A card is dealt when somebody first sees it, or the rules first read it; before that, its face is
undecided. Backs, which all can see, are dealt at the start, where they are not all alike.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Generic, Literal, NamedTuple

from cardhub.adapters.openspiel.dealing import (
    Dealt,
    back_odds,
    face_odds,
    nothing_dealt,
    shuffled_together,
    to_deal_first,
)
from cardhub.errors import HiddenFaceError
from cardhub.game.game import Game, S
from cardhub.game.initial_state import initial_state
from cardhub.hidden.chance import Outcome, apply_outcome, masks_at_shuffles
from cardhub.hidden.observation import Step
from cardhub.table.faces import BLANK, MaskedFaces
from cardhub.table.settings import Settings, Value
from cardhub.table.state import CHANCE, OVER

MOST_KEPT = 12_000
"""So many positions of a tree are kept once they are made: more than Leduc poker has."""

Kind = Literal["back", "face", "chance", "turn", "over"]


class Due(NamedTuple):
    """What comes next: chance deals a token's back or face, chance or a seat acts, or nothing."""

    kind: Kind
    token: int = -1


_NOT_YET = Due("over", -2)


class Tree(Generic[S]):
    """One game at one table, with its options; positions belong to it."""

    def __init__(self, game: Game[S], seats: int, settings: Settings) -> None:
        self.game = game
        self.seats = seats
        self.settings = settings
        self.kept = 0
        opening = nothing_dealt(game, settings, seats)
        self.root: Position[S] = Position(self, None, -1, _Table(opening))

    def __reduce__(self) -> tuple[Any, ...]:
        return _tree, (self.game, self.seats, dict(self.settings))

    def at(self, path: Sequence[int]) -> "Position[S]":
        """Return the position that these outcomes and actions lead to."""
        position = self.root
        for step in path:
            position = position.child(step)
        return position


class _Table(NamedTuple, Generic[S]):
    """What a position is made from; `doing` is an action under way, `state` None before the deal.

    `state` is never changed. While `shuffled`, `dealt` is a shuffle ahead of it. `allowed` is what
    the game rules out for the tokens of each shuffle that is due.
    """

    dealt: Dealt
    state: S | None = None
    doing: int | None = None
    shuffled: bool = False
    history: tuple[Step, ...] = ()
    allowed: tuple[tuple[int, ...], ...] = ()


class Position(Generic[S]):
    """One position of a tree; it never changes, so that copies of it are itself."""

    __slots__ = ("_children", "_table", "due", "last", "odds", "parent", "scores", "tree")

    def __init__(
        self, tree: Tree[S], parent: "Position[S] | None", last: int, table: _Table[S]
    ) -> None:
        self.tree = tree
        self.parent = parent
        self.last = last
        self.scores: list[int] = []
        self.odds: list[tuple[int, float]] = []
        self._children: dict[int, Position[S]] = {}
        self._table, self.due = table, _NOT_YET
        while self.due is _NOT_YET:
            self._go_on()

    def __deepcopy__(self, memo: object) -> "Position[S]":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _position, (self.tree, self.path())

    @property
    def state(self) -> S:
        """The state, undecided faces blanked; not to be changed. There is none before the deal."""
        assert self._table.state is not None
        return self._table.state

    @property
    def history(self) -> tuple[Step, ...]:
        """The actions so far, as cardhub counts them."""
        return self._table.history

    @property
    def is_dealt(self) -> bool:
        """Whether the game has begun, so that there is a state."""
        return self._table.state is not None

    @property
    def shuffles(self) -> int:
        """How many shuffles there have been, with the one whose backs are being dealt."""
        state = self._table.state
        return 0 if state is None else len(state.shuffle_log) + self._table.shuffled

    def path(self) -> list[int]:
        """Return the outcomes and actions that lead here from the root."""
        return [position.last for position in self.line()][1:]

    def line(self) -> "list[Position[S]]":
        """Return the positions from the root to this one."""
        return list(self._back())[::-1]

    def child(self, step: int) -> "Position[S]":
        """Return the position after one of the `odds`."""
        found = self._children.get(step)
        if found is None:
            found = Position(self.tree, self, step, self._after(step))
            if self.tree.kept < MOST_KEPT:
                self.tree.kept += 1
                self._children[step] = found
        return found

    def _back(self) -> "Iterator[Position[S]]":
        position: Position[S] | None = self
        while position is not None:
            yield position
            position = position.parent

    def _after(self, step: int) -> _Table[S]:
        table = self._table
        if self.due.kind == "back":
            return table._replace(dealt=table.dealt.with_back(self.due.token, step))
        if self.due.kind == "face":
            return _with_face(table, self.due.token, step)
        history = (*table.history, Step(self.state.seat, step))
        return table._replace(doing=step, history=history)

    def _go_on(self) -> None:
        """Find out what is due, or come one step nearer to it."""
        try:
            following = _next(self.tree, self._table)
            if isinstance(following, Due):
                self._look(following)
        except HiddenFaceError as error:
            following = _face(self.tree, self._table, error.token)
            if isinstance(following, Due):
                self._look(following)
        if isinstance(following, _Table):
            self._table = following

    def _look(self, due: Due) -> None:
        """Find out what can be done, or the scores; raises HiddenFaceError if that takes a face."""
        if due.kind == "over":
            self.scores = self.tree.game.scores(self.state)
        else:
            self.odds = self._odds(due)
        self.due = due

    def _odds(self, due: Due) -> list[tuple[int, float]]:
        """Return the steps from here, in ascending order, with probabilities if chance's."""
        game, table = self.tree.game, self._table
        if due.kind == "turn":
            return [(action, 1.0) for action in sorted(game.legal(self.state))]
        if due.kind == "chance":
            legal = game.legal(self.state)
            weights = game.chance_weights(self.state) or [1.0] * len(legal)
            odds = [(a, w) for a, w in zip(legal, weights, strict=True) if w > 0]
            return _probabilities(sorted(odds))
        find = back_odds if due.kind == "back" else face_odds
        return _probabilities(find(table.dealt, due.token, game.cards.back_of))


def _next(tree: Tree[S], table: _Table[S]) -> _Table[S] | Due:
    """Return the table one step on if that follows by itself, or else what is due."""
    dealt, state = table.dealt, table.state
    if BLANK in dealt.backs:
        return _back(tree, table, dealt.backs.index(BLANK))
    if state is None:
        faces = MaskedFaces(list(dealt.faces))
        return table._replace(
            state=initial_state(tree.game, tree.settings, tree.seats, faces, dealt.backs)
        )
    if table.doing is not None:
        after = state.clone()
        tree.game.apply(after, table.doing)
        allowed = tuple(masks_at_shuffles(tree.game, state, after))
        return table._replace(state=after, doing=None, allowed=allowed)
    if state.pending_shuffles:
        return _settled(tree, table, state)
    for token, seen in enumerate(state.seen):
        if seen and dealt.faces[token] == BLANK:
            return _face(tree, table, token)
    return Due("over" if state.seat == OVER else "chance" if state.seat == CHANCE else "turn")


def _settled(tree: Tree[S], table: _Table[S], state: S) -> _Table[S] | Due:
    """Shuffle; once the backs that come with that are dealt, lay the tokens out."""
    tokens, keeper = state.pending_shuffles[0]
    if table.shuffled:
        laid = state.clone()
        backs = tuple(table.dealt.backs[token] for token in tokens)
        apply_outcome(laid, Outcome((BLANK,) * len(tokens), backs), *table.allowed[:1])
        return table._replace(state=laid, shuffled=False, allowed=table.allowed[1:])
    token = to_deal_first(table.dealt, tokens)
    if token is not None:
        return _face(tree, table, token)
    dealt = shuffled_together(table.dealt, tokens, keeps_backs=keeper >= 0)
    return table._replace(dealt=dealt, shuffled=True)


def _back(tree: Tree[S], table: _Table[S], token: int) -> _Table[S] | Due:
    """Deal a token's back if there is but one it can have; else that is due."""
    odds = back_odds(table.dealt, token, tree.game.cards.back_of)
    if len(odds) > 1:
        return Due("back", token)
    return table._replace(dealt=table.dealt.with_back(token, odds[0][0]))


def _face(tree: Tree[S], table: _Table[S], token: int) -> _Table[S] | Due:
    """Deal a token's face if there is but one it can have; else that is due."""
    odds = face_odds(table.dealt, token, tree.game.cards.back_of)
    return Due("face", token) if len(odds) > 1 else _with_face(table, token, odds[0][0])


def _with_face(table: _Table[S], token: int, face: int) -> _Table[S]:
    dealt, state = table.dealt.with_face(token, face), table.state
    if state is not None:
        state = state.clone()
        state.face = MaskedFaces(list(dealt.faces))
    return table._replace(dealt=dealt, state=state)


def _probabilities(odds: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    total = sum(weight for _, weight in odds)
    return [(outcome, weight / total) for outcome, weight in odds]


def _tree(game: Game[S], seats: int, values: dict[str, Value]) -> Tree[S]:
    """Return a tree as pickles describe it."""
    return Tree(game, seats, Settings(values))


def _position(tree: Tree[S], path: list[int]) -> Position[S]:
    """Return a position as pickles describe it."""
    return tree.at(path)
