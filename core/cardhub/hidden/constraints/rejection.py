"""Exact sampling by rejection with a bound, where a counting table would be too large."""

from collections.abc import Sequence
from math import prod
from random import Random


class BoundedRejection:
    """Samples faces slot by slot, and starts again now and then so that all are equally likely.

    Slots are filled by fewest copies allowed. Earlier slots whose mask is a subset of this one's
    surely took copies that this one allows, so the copies left for it are at most its bound. Each
    step goes to one of `bound` numbers and fails on those beyond the copies left: every assignment
    of copies to the constrained slots has the same probability, one by the product of the bounds.
    """

    def __init__(self, faces: Sequence[int], masks: Sequence[int], sizes: Sequence[int]) -> None:
        self._faces = list(faces)
        allowed = [[n for n, face in enumerate(faces) if mask >> face & 1] for mask in masks]
        classes = [index for index, size in enumerate(sizes) for _ in range(size)]
        classes.sort(key=lambda index: len(allowed[index]))
        bounds = [
            len(allowed[index])
            - sum(masks[before] & ~masks[index] == 0 for before in classes[:number])
            for number, index in enumerate(classes)
        ]
        self._steps = [
            (index, bound, allowed[index]) for index, bound in zip(classes, bounds, strict=True)
        ]
        self._classes = len(sizes)
        self.bound = prod(max(bound, 0) for bound in bounds)

    def draw(self, rng: Random) -> list[list[int]] | None:
        """Return faces for every class, and for the free slots last; None if rejected."""
        drawn: list[list[int]] = [[] for _ in range(self._classes + 1)]
        faces, taken, random = self._faces, set[int](), rng.random
        for index, bound, allowed in self._steps:
            left = [copy for copy in allowed if copy not in taken]
            chosen = int(random() * bound)
            if chosen >= len(left):
                return None
            taken.add(left[chosen])
            drawn[index].append(faces[left[chosen]])
        rest = [face for copy, face in enumerate(faces) if copy not in taken]
        drawn[-1] = sorted(rest, key=lambda _: random())
        return drawn
