"""Lumps: sets of unseen slots that hold a known multiset of faces, every order equally likely.

A slot is an unseen stretch. Slots that began with one event, and end under one mask if they have
ended, are a *group*: nothing tells them apart until some of them leave. So a state of the filter
need only say how many slots of which groups each lump has.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import comb, factorial, prod
from typing import NamedTuple

from cardhub.hidden.constraints.combinations import compositions
from cardhub.hidden.constraints.masks import FREE

Counts = dict[int, int]


class Lump(NamedTuple):
    """Faces with their counts, and groups with the number of their slots; both sorted."""

    content: tuple[tuple[int, int], ...]
    slots: tuple[tuple[int, int], ...]


Lumps = tuple[Lump, ...]


class Row(NamedTuple):
    """A lump during a shuffle: `inside` slots are in its pool, `outside` the others by group."""

    content: Counts
    outside: Counts
    inside: int

    @property
    def size(self) -> int:
        """The number of its slots."""
        return self.inside + sum(self.outside.values())


def normal(rows: Iterable[tuple[Counts, Counts]]) -> Lumps:
    """Return lumps, given by contents and slots, in the form in which equal states are equal.

    Slots of one group are exchangeable, so that lumps within one group are one. A lump of one face
    has the same on each of its slots, so that it falls apart into a part for each group.
    """
    local: dict[int, Counts] = {}
    wide: list[Lump] = []
    for content, slots in rows:
        if len(slots) == 1:
            for group in slots:
                _add(local.setdefault(group, {}), content)
        elif len(content) == 1:
            for face in content:
                for group, count in slots.items():
                    _add(local.setdefault(group, {}), {face: count})
        elif slots:
            wide.append(Lump(tuple(sorted(content.items())), tuple(sorted(slots.items()))))
    wide += [
        Lump(tuple(sorted(content.items())), ((group, sum(content.values())),))
        for group, content in local.items()
    ]
    return tuple(sorted(wide))


def leaving(lumps: Sequence[Lump], numbers: Mapping[int, int]) -> Iterator[tuple[float, list[Row]]]:
    """Choose how many of the leaving slots of each group belong to which lump.

    Of N slots any n are equally likely to leave: a hypergeometric weight.
    """
    for choice in product(*(_leavers(lumps, *each) for each in numbers.items())):
        weight = 1.0
        outside = [dict(lump.slots) for lump in lumps]
        inside = [0] * len(lumps)
        for group, share, counts in choice:
            weight *= share
            for index, count in counts:
                inside[index] += count
                outside[index][group] -= count
                if not outside[index][group]:
                    del outside[index][group]
        rows = zip(lumps, outside, inside, strict=True)
        yield weight, [Row(dict(lump.content), out, count) for lump, out, count in rows]


Leavers = tuple[int, float, list[tuple[int, int]]]
"""A group, the weight of a choice, and how many of its slots leave by lump."""


def _leavers(lumps: Sequence[Lump], group: int, number: int) -> list[Leavers]:
    holders = [
        (index, count)
        for index, lump in enumerate(lumps)
        for holder, count in lump.slots
        if holder == group
    ]
    sizes = [count for _, count in holders]
    total = comb(sum(sizes), number)
    return [
        (
            group,
            prod(map(comb, sizes, counts)) / total,
            [(index, n) for (index, _), n in zip(holders, counts, strict=True) if n],
        )
        for counts in compositions(number, sizes)
    ]


def revealing(
    rows: Sequence[Row], faces: Sequence[tuple[int, int]]
) -> Iterator[tuple[float, Sequence[Row]]]:
    """Choose which lumps the cards that are seen after a shuffle come from.

    A slot of a lump of M slots has face f with probability content[f] / M; there are `inside` slots
    that can go to the first of k equal stretches, one less to the next, and so on.
    """
    if not faces:
        yield 1.0, rows
        return
    (face, number), *rest = faces
    bounds = [min(row.inside, row.content.get(face, 0)) for row in rows]
    for counts in compositions(number, bounds):
        weight, left = float(factorial(number)), list(rows)
        for index, count in enumerate(counts):
            if count:
                share, left[index] = _without(rows[index], face, count)
                weight *= share
        for share, after in revealing(left, rest):
            yield weight * share, after


def _without(row: Row, face: int, number: int) -> tuple[float, Row]:
    copies, size, weight = row.content[face], row.size, 1.0
    for n in range(number):
        weight *= (row.inside - n) * (copies - n) / (size - n) / (n + 1)
    content = row.content.copy()
    content[face] = copies - number
    if copies == number:
        del content[face]
    return weight, Row(content, row.outside, row.inside - number)


def splitting(rows: Sequence[Row], masks: Sequence[int]) -> Iterator[tuple[float, Sequence[Row]]]:
    """Split lumps in the pool by what the masks of the slots to come tell apart.

    Within the pool slots have no places yet, so that costs nothing; for a lump with other slots as
    well, choose how many cards of each class of faces lie on the slots of each group.
    """
    masks = [mask for mask in masks if mask != FREE]
    if not masks:
        yield 1.0, rows
        return
    for choice in product(*(_parts(row, masks) for row in rows)):
        yield prod(weight for weight, _ in choice), [row for _, part in choice for row in part]


def _parts(row: Row, masks: Sequence[int]) -> list[tuple[float, list[Row]]]:
    classes: dict[tuple[int, ...], Counts] = {}
    for face, count in row.content.items():
        signature = tuple(mask >> face & 1 for mask in masks)
        classes.setdefault(signature, {})[face] = count
    if len(classes) < 2 or not row.inside:
        return [(1.0, [row])]
    contents = list(classes.values())
    sizes = [sum(content.values()) for content in contents]
    if not row.outside:
        return [(1.0, [Row(c, {}, size) for c, size in zip(contents, sizes, strict=True)])]
    groups = [row.inside, *row.outside.values()]
    whole = prod(map(factorial, sizes)) * prod(map(factorial, groups))
    parts = []
    for table in tables(sizes, groups, [[True] * len(groups)] * len(sizes)):
        cells = prod(factorial(count) for line in table for count in line)
        split = [
            Row(content, {g: n for g, n in zip(row.outside, line[1:], strict=True) if n}, line[0])
            for content, line in zip(contents, table, strict=True)
        ]
        parts.append((whole / (factorial(row.size) * cells), split))
    return parts


def entering(
    rows: Sequence[Row], groups: Mapping[int, int], masks: Mapping[int, int]
) -> Iterator[tuple[float, list[tuple[Counts, Counts]]]]:
    """Choose how many slots of each entered group every lump in the pool gets.

    Contents have been split by the masks, so that one face of a lump stands for all.
    """
    inside = [row for row in rows if row.inside]
    others = [(row.content, row.outside) for row in rows if not row.inside]
    allowed = [
        [all(masks[group] >> face & 1 for face in row.content) for group in groups]
        for row in inside
    ]
    orders = prod(factorial(row.inside) for row in inside)
    for table in tables([row.inside for row in inside], list(groups.values()), allowed):
        cells = prod(factorial(count) for line in table for count in line)
        entered = []
        for row, line in zip(inside, table, strict=True):
            new = {group: count for group, count in zip(groups, line, strict=True) if count}
            entered.append((row.content, row.outside | new))
        yield orders / cells, [*others, *entered]


def tables(
    rows: Sequence[int], columns: Sequence[int], allowed: Sequence[Sequence[bool]]
) -> Iterator[list[tuple[int, ...]]]:
    """Yield the tables of counts with these sums, zero wherever a cell is not allowed."""
    if not rows:
        if not any(columns):
            yield []
        return
    bounds = [left if may else 0 for left, may in zip(columns, allowed[0], strict=True)]
    for line in compositions(rows[0], bounds):
        left = [column - count for column, count in zip(columns, line, strict=True)]
        for rest in tables(rows[1:], left, allowed[1:]):
            yield [line, *rest]


def _add(counts: Counts, more: Mapping[int, int]) -> None:
    for key, count in more.items():
        counts[key] = counts.get(key, 0) + count
