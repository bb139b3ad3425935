"""Whether faces can be assigned at all, and which tokens contradict which faces if not."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cardhub.hidden.constraints.masks import bits_of, faces_of


class Violation(NamedTuple):
    """Slots, by index, that share fewer copies than they are: those of the faces of `mask`."""

    slots: list[int]
    mask: int


def violation(faces: Iterable[int], masks: Sequence[int]) -> Violation | None:
    """Return a violation of Hall's condition if a face of its mask each slot cannot have.

    Bipartite matching by augmenting paths. The search that fails has reached only faces whose
    copies are all taken by slots it has reached as well: these slots and the one it began with are
    one more than the copies.
    """
    copies = Counter(faces)
    present = bits_of(copies)
    holders: dict[int, list[int]] = {face: [] for face in copies}

    def place(slot: int, tried: set[int]) -> bool:
        for face in faces_of(masks[slot] & present):
            if face in tried:
                continue
            tried.add(face)
            held = holders[face]
            if len(held) < copies[face]:
                held.append(slot)
                return True
            for index, other in enumerate(held):
                if place(other, tried):
                    held[index] = slot
                    return True
        return False

    for slot in sorted(range(len(masks)), key=lambda slot: (masks[slot] & present).bit_count()):
        tried: set[int] = set()
        if not place(slot, tried):
            slots = sorted([slot, *(other for face in tried for other in holders[face])])
            return Violation(slots, bits_of(tried))
    return None
