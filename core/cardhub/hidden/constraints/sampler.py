"""Samples a known multiset of faces over slots with masks, by the cheapest exact method."""

import logging
from collections.abc import Mapping, Sequence
from math import factorial, prod
from random import Random

from cardhub.hidden.constraints.counting import GREATEST, CountingTable, TableTooLargeError
from cardhub.hidden.constraints.feasibility import Violation, violation
from cardhub.hidden.constraints.masks import bits_of
from cardhub.hidden.constraints.rejection import BoundedRejection

ATTEMPTS = 2000
"""How many rejections in a row it takes until the table is built after all."""

_log = logging.getLogger(__name__)


class ViolationError(Exception):
    """No assignment of faces is consistent; `violation` names slots in the order of the sizes."""

    def __init__(self, violation: Violation) -> None:
        super().__init__(violation)
        self.violation = violation


class Sampler:
    """Every assignment of labelled copies of the faces to the slots is equally likely.

    `sizes` is the number of slots of each mask. `weight` is the share of all assignments that the
    masks allow, or a bound of it while draws can be rejected.
    """

    __slots__ = ("_faces", "_free", "_is_tried", "_method", "_sizes", "_tight", "masks", "weight")

    def __init__(self, faces: Sequence[int], sizes: Mapping[int, int]) -> None:
        present = bits_of(faces)
        self.masks = list(sizes)
        self._faces = list(faces)
        effective = [mask & present for mask in sizes]
        self._free = [index for index, mask in enumerate(effective) if mask == present]
        classes: dict[int, list[int]] = {}
        for index, mask in enumerate(effective):
            if mask != present:
                classes.setdefault(mask, []).append(index)
        self._sizes = list(sizes.values())
        self._tight = classes
        self._is_tried = False
        self._method: CountingTable | BoundedRejection | None = None
        self.weight = 1.0
        if classes:
            self._choose_method()

    @property
    def may_reject(self) -> bool:
        """Whether a draw may fail, so that its weight is a bound only."""
        return isinstance(self._method, BoundedRejection)

    def draw(self, rng: Random) -> list[list[int]] | None:
        """Return faces in random order for every mask; None if the draw is rejected."""
        if self._method is None:
            random = rng.random
            return _dealt(sorted(self._faces, key=lambda _: random()), self._sizes)
        drawn = self._method.draw(rng)
        if drawn is None:
            return None
        found: list[list[int]] = [[] for _ in self._sizes]
        for indexes, faces in zip([*self._tight.values(), self._free], drawn, strict=True):
            if len(indexes) == 1:
                found[indexes[0]] = faces
                continue
            shares = _dealt(faces, [self._sizes[index] for index in indexes])
            for index, share in zip(indexes, shares, strict=True):
                found[index] = share
        return found

    def finish(self) -> None:
        """Build the whole table if that can be, so that no draw is rejected any more."""
        if self._is_tried:
            return
        _log.debug("%d draws rejected in a row: building the whole table", ATTEMPTS)
        try:
            self._method = CountingTable(self._faces, *self._classes(), limit=GREATEST)
        except TableTooLargeError:
            self._is_tried = True
            _log.debug("the table is too large: going on by rejection")
        else:
            self._weigh(self._method.selections)

    def _choose_method(self) -> None:
        found = violation(self._faces, self._by_slot())
        if found is not None:
            raise ViolationError(found)
        try:
            self._method = CountingTable(self._faces, *self._classes())
            self._weigh(self._method.selections)
        except TableTooLargeError:
            self._method = BoundedRejection(self._faces, *self._classes())
            # Unlike the table's selections, the bound counts the orders within a class as well.
            self._weigh(self._method.bound, prod(map(factorial, self._classes()[1])))

    def _weigh(self, selections: int, orders: int = 1) -> None:
        sizes = self._classes()[1]
        free = len(self._faces) - sum(sizes)
        assignments = selections * prod(map(factorial, sizes)) * factorial(free)
        self.weight = assignments / (orders * factorial(len(self._faces)))

    def _classes(self) -> tuple[list[int], list[int]]:
        """Return masks and sizes of the constrained classes."""
        sizes = [sum(self._sizes[index] for index in indexes) for indexes in self._tight.values()]
        return list(self._tight), sizes

    def _by_slot(self) -> list[int]:
        return [
            mask for mask, size in zip(self.masks, self._sizes, strict=True) for _ in range(size)
        ]


def _dealt(faces: list[int], sizes: Sequence[int]) -> list[list[int]]:
    """Return the faces in runs of these sizes."""
    if len(sizes) == 1:
        return [faces]
    first, dealt = 0, []
    for size in sizes:
        dealt.append(faces[first : first + size])
        first += size
    return dealt
