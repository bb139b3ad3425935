"""Exact uniform samplers of a known multiset of faces over slots with masks.

Counts are made by dynamic programming. Slots with the same mask are a class; classes are processed
one per level. Faces that are allowed in the same classes are exchangeable, so only their number
matters. The *signature* of a face has a bit for each remaining class that allows it. After each
level faces are regrouped by the rest of their signature, which keeps the table small. Entry (level,
counts) holds the number of selections of labelled copies for this class and all later ones, by the
copies of each signature taken here.
"""

import logging
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import comb, factorial, prod
from random import Random
from typing import NamedTuple, Protocol

from typing_extensions import override

from cardhub.model.hidden.constraints.face_masks import FREE, Violation, bits_of, find_violation

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

    def numbers(self) -> list[int]:
        """Return the table as numbers, from which C draws.

        They are the number of levels, the number of lists before each level and at the end, the
        class of each level, the lists that each level's lists join, the first lists of faces after
        their lengths, and the entries, the first one first. An entry has the number of its choices,
        their running sums, and for each choice the place of the next entry and the copies taken.
        """
        widths = [len(signatures) for signatures in self._signatures]
        numbers = [len(self._order), *widths, *self._order]
        for places in self._regroup:
            numbers += places
        for faces in self._lists:
            numbers += [len(faces), *faces]
        entries = sorted(self._entries.items())
        sizes = (1 + len(entry.choices) * (2 + widths[key[0]]) for key, entry in entries)
        starts = accumulate(sizes, initial=len(numbers))
        place_of = {key: start for (key, _), start in zip(entries, starts, strict=False)}
        for (level, _), entry in entries:
            numbers += [len(entry.choices), *entry.sums[: len(entry.choices)]]
            for taken, left in entry.choices:
                numbers += [place_of[level + 1, left], *taken]
        return numbers

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


# The number of rejections in a row after which the larger table is built.
ATTEMPTS = 2000

_log = logging.getLogger(__name__)


class ViolationError(Exception):
    """No assignment of faces exists; `violation` has slots in the order of the sizes."""

    def __init__(self, violation: Violation) -> None:
        super().__init__(violation)
        self.violation = violation


class BoundedRejection:
    """A sampler that assigns faces slot by slot and rejects some samples to stay uniform.

    Memory and setup time are linear, so it replaces a counting table that would be too large.
    """

    def __init__(self, faces: Sequence[int], masks: Sequence[int], sizes: Sequence[int]) -> None:
        self._faces = list(faces)
        self._numbered = list(enumerate(faces))
        allowed = [[n for n, face in enumerate(faces) if mask >> face & 1] for mask in masks]
        classes = [index for index, size in enumerate(sizes) for _ in range(size)]
        classes.sort(key=lambda index: len(allowed[index]))
        copies = [bits_of(numbers) for numbers in allowed]
        bounds = upper_bounds([copies[index] for index in classes], len(faces))
        self._class_of_slot = classes
        self._steps = [
            (bound, copies[index], allowed[index], len(allowed[index]))
            for index, bound in zip(classes, bounds, strict=True)
        ]
        self._classes = len(sizes)
        self.bound = prod(bounds)

    def draw(self, rng: Random) -> list[list[int]] | None:
        """Return faces for every class, and for the free slots last; None if rejected."""
        chosen: list[int] = []
        taken, random = 0, rng.random
        for bound, copies, allowed, count in self._steps:
            # Choosing among `bound` numbers, and not among the copies left, gives all assignments
            # the same probability: one divided by the product of the bounds.
            if random() * bound >= (copies & ~taken).bit_count():
                return None
            copy = allowed[int(random() * count)]
            while taken >> copy & 1:
                copy = allowed[int(random() * count)]
            taken |= 1 << copy
            chosen.append(copy)
        faces = self._faces
        drawn: list[list[int]] = [[] for _ in range(self._classes + 1)]
        for index, copy in zip(self._class_of_slot, chosen, strict=True):
            drawn[index].append(faces[copy])
        rest = [face for copy, face in self._numbered if not taken >> copy & 1]
        drawn[-1] = randomly_ordered(rest, rng)
        return drawn


def upper_bounds(copies: Sequence[int], total: int) -> list[int]:
    """Return for each slot, in order, the greatest number of its copies that earlier slots leave.

    `copies` are the allowed ones of each slot as the bits of an int, out of `total`.
    """
    bounds = []
    for number, own in enumerate(copies):
        earlier = copies[:number]
        # Earlier slots within a superset of the own copies take some of it, so at most its other
        # copies are left. Unions of two slots are the supersets that usually bound most.
        supersets = {own, *(own | other for other in earlier)}
        within = [
            whole.bit_count() - sum(other & ~whole == 0 for other in earlier) for whole in supersets
        ]
        bounds.append(max(0, min(*within, total - number)))
    return bounds


class Sampler:
    """A sampler of faces for slots; all assignments of labelled copies are equally likely.

    `sizes` is the number of slots of each mask. `weight` is the fraction of all assignments that
    the masks allow, or an upper bound of it while draws can be rejected. The method is the cheapest
    exact one: no constraints, a counting table, or bounded rejection. Raises ViolationError.
    """

    __slots__ = (
        "_constrained",
        "_faces",
        "_free",
        "_is_too_large",
        "_method",
        "_sizes",
        "masks",
        "weight",
    )

    def __init__(self, faces: Sequence[int], sizes: Mapping[int, int]) -> None:
        present = bits_of(faces)
        self.masks = list(sizes)
        self._faces = list(faces)
        effective = [mask & present for mask in sizes]
        self._free = [index for index, mask in enumerate(effective) if mask == present]
        # Masks that differ only in faces that are not present are one class.
        classes: dict[int, list[int]] = {}
        for index, mask in enumerate(effective):
            if mask != present:
                classes.setdefault(mask, []).append(index)
        self._sizes = list(sizes.values())
        self._constrained = classes
        self._is_too_large = False
        self._method: CountingTable | BoundedRejection | None = None
        self.weight = 1.0
        if classes:
            self._choose_method()

    @property
    def may_reject(self) -> bool:
        """Whether draws can be rejected; then `weight` is an upper bound."""
        return isinstance(self._method, BoundedRejection)

    def draw(self, rng: Random) -> list[list[int]] | None:
        """Return faces in random order for every mask; None if rejected."""
        if self._method is None:
            return _runs(randomly_ordered(self._faces, rng), self._sizes)
        by_class = self._method.draw(rng)
        if by_class is None:
            return None
        # The method draws by class; faces within a class are in random order, so cutting them into
        # runs distributes them uniformly over the masks of the class.
        drawn: list[list[int]] = [[] for _ in self._sizes]
        for indexes, faces in zip([*self._constrained.values(), self._free], by_class, strict=True):
            if len(indexes) == 1:
                drawn[indexes[0]] = faces
                continue
            shares = _runs(faces, [self._sizes[index] for index in indexes])
            for index, share in zip(indexes, shares, strict=True):
                drawn[index] = share
        return drawn

    def numbers(self) -> tuple[list[list[int]], list[int]] | None:
        """Return the masks by their numbers in the order of a table's draws, and its numbers.

        The masks of a class share its faces in their order. None if draws need no table, or if
        they can be rejected.
        """
        if not isinstance(self._method, CountingTable):
            return None
        return [*self._constrained.values(), self._free], self._method.numbers()

    def build_table(self) -> None:
        """Replace rejection by the larger counting table, if its size is within the limit."""
        if self._is_too_large:
            return
        _log.debug("%d draws rejected in a row: building the larger table", ATTEMPTS)
        try:
            self._method = CountingTable(self._faces, *self._classes(), limit=GREATEST)
        except TableTooLargeError:
            self._is_too_large = True
            _log.debug("the table is too large: rejection continues")
        else:
            self._weigh(self._method.selections)

    def _choose_method(self) -> None:
        violation = find_violation(self._faces, self._by_slot())
        if violation is not None:
            raise ViolationError(violation)
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
        sizes = [
            sum(self._sizes[index] for index in indexes) for indexes in self._constrained.values()
        ]
        return list(self._constrained), sizes

    def _by_slot(self) -> list[int]:
        return [
            mask for mask, size in zip(self.masks, self._sizes, strict=True) for _ in range(size)
        ]


def _runs(faces: list[int], sizes: Sequence[int]) -> list[list[int]]:
    if len(sizes) == 1:
        return [faces]
    ends = list(accumulate(sizes))
    return [faces[end - size : end] for size, end in zip(sizes, ends, strict=True)]


class ContradictionError(Exception):
    """No assignment exists: the faces of `mask` have fewer copies than there are `tokens`.

    If `mask` is None, the faces seen after the shuffle `number` contradict each other.
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
    """A draw for tokens some of which cannot have every face of the pool."""

    def __init__(self, pool: Sequence[int], tokens: dict[int, list[int]]) -> None:
        self._tokens = list(tokens.values())
        sizes = {mask: len(members) for mask, members in tokens.items()}
        try:
            self._sampler = Sampler(pool, sizes)
        except ViolationError as error:
            by_slot = [token for members in self._tokens for token in members]
            raise contradiction(by_slot, error.violation) from None

    def numbers(self) -> tuple[list[list[int]], list[int]] | None:
        """Return the tokens of each class, and the numbers of the table from which C draws."""
        numbers = self._sampler.numbers()
        if numbers is None:
            return None
        classes, table = numbers
        return [[t for index in members for t in self._tokens[index]] for members in classes], table

    @override
    def draw(self, rng: Random, faces: list[int]) -> None:
        # A game with many constraints could reject nearly all samples, so rejection has a bound.
        rejected = 0
        while (drawn := self._sampler.draw(rng)) is None:
            rejected += 1
            if rejected == ATTEMPTS:
                self._sampler.build_table()
        for tokens, share in zip(self._tokens, drawn, strict=True):
            for token, face in zip(tokens, share, strict=True):
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
    """Return the error for a violation; `tokens` has the token of each slot."""
    return ContradictionError([tokens[slot] for slot in violation.slots], violation.mask)
