"""Drawing the faces of tokens that share out one known multiset."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple, Protocol

from cardhub.hidden.constraints.feasibility import Violation
from cardhub.hidden.constraints.masks import FREE, bits_of
from cardhub.hidden.constraints.sampler import ATTEMPTS, Sampler, ViolationError


class ContradictionError(Exception):
    """No faces fit: `tokens` can only bear the faces of `mask`, which are too few.

    Without a mask, the contradiction lies in what was seen after the shuffle of that `number`.
    """

    def __init__(self, tokens: Sequence[int], mask: int | None = None, number: int = -1) -> None:
        super().__init__(tokens, mask, number)
        self.tokens = tokens
        self.mask = mask
        self.number = number


class Draw(Protocol):
    """Draws faces for some unseen tokens; every draw is independent."""

    def draw(self, rng: Random, faces: list[int]) -> None:
        """Lay faces on these tokens, in a list by token."""
        ...


class FreeDraw(NamedTuple):
    """Tokens that can bear any of the faces left for them."""

    tokens: list[int]
    pool: list[int]

    def draw(self, rng: Random, faces: list[int]) -> None:
        """See Draw."""
        random = rng.random
        # Sorting by random keys takes a third of the time of rng.shuffle.
        pool = sorted(self.pool, key=lambda _: random())
        for token, face in zip(self.tokens, pool, strict=True):
            faces[token] = face


class ConstrainedDraw:
    """Tokens of which some cannot bear all of the faces left for them."""

    def __init__(self, pool: Sequence[int], tokens: dict[int, list[int]]) -> None:
        self._tokens = list(tokens.values())
        sizes = {mask: len(each) for mask, each in tokens.items()}
        try:
            self._sampler = Sampler(pool, sizes)
        except ViolationError as error:
            by_slot = [token for each in self._tokens for token in each]
            raise contradiction(by_slot, error.violation) from None

    def draw(self, rng: Random, faces: list[int]) -> None:
        """See Draw."""
        rejected = 0
        while (drawn := self._sampler.draw(rng)) is None:
            rejected += 1
            if rejected == ATTEMPTS:
                self._sampler.finish()
        for tokens, each in zip(self._tokens, drawn, strict=True):
            for token, face in zip(tokens, each, strict=True):
                faces[token] = face


def drawing(pool: list[int], tokens: Sequence[int], masks: Sequence[int]) -> Draw:
    """Return a draw of a pool for tokens with these masks; raises ContradictionError."""
    if any(mask != FREE for mask in masks):
        present = bits_of(pool)
        by_mask: dict[int, list[int]] = {}
        for token, mask in zip(tokens, masks, strict=True):
            by_mask.setdefault(mask & present, []).append(token)
        if by_mask.keys() - {present}:
            return ConstrainedDraw(pool, by_mask)
    return FreeDraw(list(tokens), pool)


def contradiction(tokens: Sequence[int], violation: Violation) -> ContradictionError:
    """Return the error for a violation among slots that stand for these tokens."""
    return ContradictionError([tokens[slot] for slot in violation.slots], violation.mask)
