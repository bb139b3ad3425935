"""Exact uniform sampling under constraints, with a table of counts (dynamic programming).

Slots with the same mask are a class; classes are processed one per level. Faces that are allowed
in the same classes are exchangeable, so only their number matters. The *signature* of a face has a
bit for each remaining class that allows it. After each level faces are regrouped by the rest of
their signature, which keeps the table small. Entry (level, counts) holds the number of selections
of labelled copies for this class and all later ones, by the copies of each signature taken here.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from math import comb, prod
from random import Random
from typing import NamedTuple

# The limit of choices at first. Beyond it rejection is faster, since it needs no table.
LIMIT = 500
# The limit after many rejections: a larger table takes too much time and memory.
GREATEST = 50_000

# A number split into parts.
Split = tuple[int, ...]


class TableTooLargeError(Exception):
    """A table has more entries than its limit."""


class _Entry(NamedTuple):
    """The choices at one level, with running sums of their weights."""

    sums: list[int]
    choices: list[tuple[Split, Split]]  # copies taken, then copies left, by signature

    @property
    def total(self) -> int:
        return self.sums[-1] if self.sums else 0


class CountingTable:
    """A sampler for classes of slots; all assignments of labelled copies are equally likely.

    `masks` and `sizes` describe the constrained classes; the remaining faces go to the free slots.
    Raises TableTooLargeError.
    """

    def __init__(
        self, faces: Sequence[int], masks: Sequence[int], sizes: Sequence[int], limit: int = LIMIT
    ) -> None:
        # Classes that allow few faces first: their signatures vanish early.
        self._order = sorted(range(len(masks)), key=lambda index: masks[index].bit_count())
        self._sizes = [sizes[index] for index in self._order]
        self._free = len(faces) - sum(sizes)
        self._limit = limit
        self._count = 0
        groups: dict[int, list[int]] = {}
        for face in faces:
            bits = (masks[index] >> face & 1 for index in self._order)
            signature = sum(bit << level for level, bit in enumerate(bits))
            groups.setdefault(signature, []).append(face)
        self._signatures = [sorted(groups)]
        for _ in sizes:
            self._signatures.append(sorted({s >> 1 for s in self._signatures[-1]}))
        self._regroup = [
            [later.index(signature >> 1) for signature in now]
            for now, later in zip(self._signatures, self._signatures[1:], strict=False)
        ]
        self._lists = [groups[signature] for signature in self._signatures[0]]
        self._entries: dict[tuple[int, Split], _Entry] = {}
        self._start = tuple(map(len, self._lists))
        self.selections = self._entry(0, self._start).total

    def draw(self, rng: Random) -> list[list[int]]:
        """Return the faces of every class, in the order of `masks`, and of the free slots last."""
        lists = [faces[:] for faces in self._lists]
        drawn: list[list[int]] = [[] for _ in range(len(self._sizes) + 1)]
        counts = self._start
        for level, index in enumerate(self._order):
            # A choice has the weight of all selections that complete it, so none is rejected.
            sums, choices = self._entries[level, counts]
            chosen = bisect_right(sums, rng.randrange(sums[-1])) if len(sums) > 1 else 0
            taken, counts = choices[chosen]
            selected: list[int] = []
            for faces, number in zip(lists, taken, strict=True):
                if number:
                    _take(faces, number, selected, rng)
            drawn[index] = randomly_ordered(selected, rng)
            if len(self._signatures[level + 1]) < len(lists):
                lists = self._regrouped(level, lists)
        rest = [face for faces in lists for face in faces]
        drawn[-1] = randomly_ordered(rest, rng)
        return drawn

    def _entry(self, level: int, counts: Split) -> _Entry:
        entry = self._entries.get((level, counts))
        if entry is None:
            entry = self._entries[level, counts] = self._choices(level, counts)
        return entry

    def _choices(self, level: int, counts: Split) -> _Entry:
        if level == len(self._sizes):
            return _Entry([1], [])  # one way to select nothing
        entry, total = _Entry([], []), 0
        # A class takes only faces whose signature has its bit, which is the lowest at its level.
        wanted = [
            count if signature & 1 else 0
            for count, signature in zip(counts, self._signatures[level], strict=True)
        ]
        for taken in compositions(self._sizes[level], wanted):
            self._count += 1
            if self._count > self._limit:
                raise TableTooLargeError
            left = self._left(level, counts, taken)
            # Copies that no later class allows can only go to the free slots.
            if self._signatures[level + 1][0] == 0 and left[0] > self._free:
                continue
            later = self._entry(level + 1, left).total
            if later:
                total += prod(map(comb, counts, taken)) * later
                entry.sums.append(total)
                entry.choices.append((taken, left))
        return entry

    def _left(self, level: int, counts: Split, taken: Split) -> Split:
        left = [0] * len(self._signatures[level + 1])
        for index, count, number in zip(self._regroup[level], counts, taken, strict=True):
            left[index] += count - number
        return tuple(left)

    def _regrouped(self, level: int, lists: list[list[int]]) -> list[list[int]]:
        regrouped: list[list[int]] = [[] for _ in self._signatures[level + 1]]
        for index, faces in zip(self._regroup[level], lists, strict=True):
            regrouped[index] += faces
        return regrouped


def randomly_ordered(faces: Sequence[int], rng: Random) -> list[int]:
    """Return faces in random order."""
    random = rng.random
    # Sorting by random keys takes a third of the time of rng.shuffle.
    return sorted(faces, key=lambda _: random())


def _take(faces: list[int], number: int, selected: list[int], rng: Random) -> None:
    if number == len(faces):
        selected += faces
        faces.clear()
        return
    for _ in range(number):
        index = int(rng.random() * len(faces))
        selected.append(faces[index])
        faces[index] = faces[-1]
        faces.pop()


def compositions(total: int, most: Sequence[int]) -> Iterator[Split]:
    """Yield all tuples of non-negative ints with this total, each within its upper bound."""
    room = [0] * (len(most) + 1)  # sums of the bounds from each index on
    for index in range(len(most) - 1, -1, -1):
        room[index] = room[index + 1] + most[index]
    if 0 <= total <= room[0]:
        yield from _compositions(total, most, room, 0)


def _compositions(
    total: int, most: Sequence[int], room: Sequence[int], index: int
) -> Iterator[Split]:
    if index == len(most):
        yield ()
        return
    # The lower bound leaves no more than fits into the later parts: no branch is a dead end.
    for count in range(max(0, total - room[index + 1]), min(total, most[index]) + 1):
        for rest in _compositions(total - count, most, room, index + 1):
            yield (count, *rest)
