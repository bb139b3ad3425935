"""Draws of faces for tokens that share a known multiset of faces."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple, Protocol

from typing_extensions import override

from cardhub.model.hidden.constraints.counting import randomly_ordered
from cardhub.model.hidden.constraints.face_masks import FREE, Violation, bits_of
from cardhub.model.hidden.constraints.sampler import ATTEMPTS, Sampler, ViolationError


class ContradictionError(Exception):
    """No assignment exists: the faces of `mask` have fewer copies than there are `tokens`.

    Without a mask, the contradiction lies in the faces seen after the shuffle of that `number`.
    """

    def __init__(self, tokens: Sequence[int], mask: int | None = None, number: int = -1) -> None:
        super().__init__(tokens, mask, number)
        self.tokens = tokens
        self.mask = mask
        self.number = number


class Draw(Protocol):
    """A sampler of faces for some unseen tokens; samples are independent."""

    def draw(self, rng: Random, faces: list[int]) -> None:
        """Assign faces to these tokens in a list of faces by token."""
        ...


class FreeDraw(NamedTuple):
    """A draw for tokens without constraints."""

    tokens: list[int]
    pool: list[int]

    def draw(self, rng: Random, faces: list[int]) -> None:
        """Assign the pool to the tokens in random order."""
        for token, face in zip(self.tokens, randomly_ordered(self.pool, rng), strict=True):
            faces[token] = face


class ConstrainedDraw(Draw):
    """A draw for tokens of which some cannot have all faces of the pool."""

    def __init__(self, pool: Sequence[int], tokens: dict[int, list[int]]) -> None:
        self._tokens = list(tokens.values())
        sizes = {mask: len(each) for mask, each in tokens.items()}
        try:
            self._sampler = Sampler(pool, sizes)
        except ViolationError as error:
            by_slot = [token for each in self._tokens for token in each]
            raise contradiction(by_slot, error.violation) from None

    @override
    def draw(self, rng: Random, faces: list[int]) -> None:
        # A game with many constraints could reject nearly all samples, so rejection has a bound.
        rejected = 0
        while (drawn := self._sampler.draw(rng)) is None:
            rejected += 1
            if rejected == ATTEMPTS:
                self._sampler.build_table()
        for tokens, each in zip(self._tokens, drawn, strict=True):
            for token, face in zip(tokens, each, strict=True):
                faces[token] = face


def face_draw(pool: list[int], tokens: Sequence[int], masks: Sequence[int]) -> Draw:
    """Return a draw of a pool for tokens with these masks; raises ContradictionError."""
    if any(mask != FREE for mask in masks):
        # Masks are compared within the pool: two that differ in other faces only are one class.
        present = bits_of(pool)
        by_mask: dict[int, list[int]] = {}
        for token, mask in zip(tokens, masks, strict=True):
            by_mask.setdefault(mask & present, []).append(token)
        if by_mask.keys() - {present}:
            return ConstrainedDraw(pool, by_mask)
    return FreeDraw(list(tokens), pool)


def contradiction(tokens: Sequence[int], violation: Violation) -> ContradictionError:
    """Return the error for a violation; `tokens` are those of the slots by index."""
    return ContradictionError([tokens[slot] for slot in violation.slots], violation.mask)
