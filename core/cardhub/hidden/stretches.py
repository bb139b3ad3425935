"""Stretches: what a token goes through from one shuffle to the next, always with one card."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from cardhub.game.game import Game
from cardhub.hidden.epochs import epoch_backs, epochs
from cardhub.hidden.missing import kinds
from cardhub.table.faces import BLANK
from cardhub.table.state import State


class Passage(NamedTuple):
    """A shuffle's cards of one back: the stretches they leave and those they enter."""

    left: list[int]
    entered: list[int]


class Stretches:
    """The past of an observation as stretches, numbered from the deal's tokens on.

    `faces` holds what the seat saw in a stretch, BLANK for nothing. A stretch whose face was seen
    after a shuffle is a *target*: a card with that face must get there. `through[target]` holds, as
    bits, the target and the unseen stretches on the way to it, `origins[target]` the nearest
    stretches in which the face was seen before.
    """

    def __init__(self, game: Game[Any], state: State) -> None:
        known, backs = epochs(state), epoch_backs(state)
        self.dealt = len(known[0])
        self.kinds = kinds(game, state, backs[0])
        self.faces, self._backs = known[0][:], backs[0][:]
        self.at = [list(range(self.dealt))]
        self.shuffles: list[list[Passage]] = []
        for shuffle, faces, back in zip(state.past, known[1:], backs[1:], strict=True):
            self._add(shuffle.tokens, faces, back)
        self.through: dict[int, int] = {}
        self.origins: dict[int, list[int]] = {}
        self._trace_back()

    def _add(self, tokens: Iterable[int], faces: list[int], backs: list[int]) -> None:
        now = self.at[-1][:]
        passages: dict[int, Passage] = {}
        for token in tokens:
            passages.setdefault(self._backs[now[token]], Passage([], [])).left.append(now[token])
        for token in tokens:
            now[token] = len(self.faces)
            self.faces.append(faces[token])
            self._backs.append(backs[token])
            passages[backs[token]].entered.append(now[token])
        self.at.append(now)
        self.shuffles.append(list(passages.values()))

    def _trace_back(self) -> None:
        """Find every target's ways, going back shuffle by shuffle."""
        open_targets: list[int] = []
        for passages in reversed(self.shuffles):
            for left, entered in passages:
                targets = [s for s in entered if self.faces[s] != BLANK]
                self.through.update((target, 1 << target) for target in targets)
                self.origins.update((target, []) for target in targets)
                self._extend(open_targets + targets, left, entered)
                open_targets += targets

    def _extend(self, targets: list[int], left: list[int], entered: list[int]) -> None:
        ends = _bits(entered)
        unseen = _bits(s for s in left if self.faces[s] == BLANK)
        for target in targets:
            if self.through[target] & ends:
                self.through[target] |= unseen
                face = self.faces[target]
                self.origins[target] += [s for s in left if self.faces[s] == face]


def _bits(numbers: Iterable[int]) -> int:
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits
