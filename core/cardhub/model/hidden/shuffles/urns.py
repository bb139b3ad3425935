"""Urns: a known multiset of faces on a set of unseen slots, every order equally likely.

A slot is an unseen segment. Slots that began with the same mixing, and end with the same mask, are
a *group*: they are exchangeable until some of them leave. So a state of the filter consists of the
number of slots of each group in each urn: far fewer states than assignments of faces to slots.

The functions are the stages of one mixing. Each yields the possible choices with weights, which
are the conditional probabilities of the choices up to a constant factor.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import comb, factorial, prod
from typing import NamedTuple

from cardhub.model.hidden.constraints.face_masks import FREE
from cardhub.model.hidden.constraints.sampler import compositions

Counts = dict[int, int]


class Urn(NamedTuple):
    """Faces with their counts, and groups with the numbers of their slots; both sorted."""

    content: tuple[tuple[int, int], ...]
    slots: tuple[tuple[int, int], ...]


Urns = tuple[Urn, ...]


class OpenUrn(NamedTuple):
    """An urn during a mixing: `inside` slots are in the pool, `outside` the others by group."""

    content: Counts
    outside: Counts
    inside: int

    @property
    def size(self) -> int:
        """The number of slots."""
        return self.inside + sum(self.outside.values())


def normal(parts: Iterable[tuple[Counts, Counts]]) -> Urns:
    """Return urns, given by contents and slots, in normal form: equal states compare equal."""
    # Slots of one group are exchangeable, so urns within one group are merged. An urn of one face
    # has this face on each slot, so it is split into one urn for each group. Merging equal states
    # is the reason that their number stays small.
    local: dict[int, Counts] = {}
    wide: list[Urn] = []
    for content, slots in parts:
        if len(slots) == 1:
            for group in slots:
                _add(local.setdefault(group, {}), content)
        elif len(content) == 1:
            for face in content:
                for group, count in slots.items():
                    _add(local.setdefault(group, {}), {face: count})
        elif slots:
            wide.append(Urn(tuple(sorted(content.items())), tuple(sorted(slots.items()))))
    wide += [
        Urn(tuple(sorted(content.items())), ((group, sum(content.values())),))
        for group, content in local.items()
    ]
    return tuple(sorted(wide))


def leaving(
    urns: Sequence[Urn], numbers: Mapping[int, int]
) -> Iterator[tuple[float, list[OpenUrn]]]:
    """Choose how many slots of each group leave each urn; the distribution is hypergeometric."""
    for choice in product(*(_leavers(urns, group, count) for group, count in numbers.items())):
        weight = 1.0
        outside = [dict(urn.slots) for urn in urns]
        inside = [0] * len(urns)
        for group, share, counts in choice:
            weight *= share
            for index, count in counts:
                inside[index] += count
                outside[index][group] -= count
                if not outside[index][group]:
                    del outside[index][group]
        opened = zip(urns, outside, inside, strict=True)
        yield weight, [OpenUrn(dict(urn.content), out, count) for urn, out, count in opened]


# A group, the weight of a choice, and the number of its leaving slots by urn.
Leavers = tuple[int, float, list[tuple[int, int]]]


def _leavers(urns: Sequence[Urn], group: int, number: int) -> list[Leavers]:
    holders = [
        (index, count)
        for index, urn in enumerate(urns)
        for holder, count in urn.slots
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
    opened: Sequence[OpenUrn], faces: Sequence[tuple[int, int]]
) -> Iterator[tuple[float, Sequence[OpenUrn]]]:
    """Choose the urns that the faces seen after a shuffle come from."""
    if not faces:
        yield 1.0, opened
        return
    (face, number), *rest = faces
    bounds = [min(urn.inside, urn.content.get(face, 0)) for urn in opened]
    for counts in compositions(number, bounds):
        weight, left = float(factorial(number)), list(opened)
        for index, count in enumerate(counts):
            if count:
                share, left[index] = _without(opened[index], face, count)
                weight *= share
        for share, after in revealing(left, rest):
            yield weight * share, after


def _without(urn: OpenUrn, face: int, number: int) -> tuple[float, OpenUrn]:
    # A slot of an urn with M slots has face f with probability content[f] / M. Any of the `inside`
    # slots can become the first of the seen segments, one less the next. The divisors n + 1 and the
    # factorial in `revealing` make the number of ways to share the segments between urns.
    copies, size, weight = urn.content[face], urn.size, 1.0
    for n in range(number):
        weight *= (urn.inside - n) * (copies - n) / (size - n) / (n + 1)
    content = urn.content.copy()
    content[face] = copies - number
    if copies == number:
        del content[face]
    return weight, OpenUrn(content, urn.outside, urn.inside - number)


def splitting(
    opened: Sequence[OpenUrn], masks: Sequence[int]
) -> Iterator[tuple[float, Sequence[OpenUrn]]]:
    """Split the urns in the pool by the masks of the entering slots.

    Faces that the same masks allow form a class; each resulting urn has faces of one class.
    """
    masks = [mask for mask in masks if mask != FREE]
    if not masks:
        yield 1.0, opened
        return
    for choice in product(*(_parts(urn, masks) for urn in opened)):
        yield prod(weight for weight, _ in choice), [urn for _, part in choice for urn in part]


def _parts(urn: OpenUrn, masks: Sequence[int]) -> list[tuple[float, list[OpenUrn]]]:
    classes: dict[tuple[int, ...], Counts] = {}
    for face, count in urn.content.items():
        signature = tuple(mask >> face & 1 for mask in masks)
        classes.setdefault(signature, {})[face] = count
    if len(classes) < 2 or not urn.inside:
        return [(1.0, [urn])]
    contents = list(classes.values())
    sizes = [sum(content.values()) for content in contents]
    # An urn that is whole in the pool splits in one way. One with slots outside splits by the
    # number of cards of each class on the slots of each group.
    if not urn.outside:
        return [(1.0, [OpenUrn(c, {}, size) for c, size in zip(contents, sizes, strict=True)])]
    groups = [urn.inside, *urn.outside.values()]
    whole = prod(map(factorial, sizes)) * prod(map(factorial, groups))
    parts = []
    # The number of orders of the whole urn over the number within each cell: a hypergeometric
    # distribution of the classes over the groups.
    for table in tables(sizes, groups, [[True] * len(groups)] * len(sizes)):
        cells = prod(factorial(count) for line in table for count in line)
        split = [
            OpenUrn(
                content, {g: n for g, n in zip(urn.outside, line[1:], strict=True) if n}, line[0]
            )
            for content, line in zip(contents, table, strict=True)
        ]
        parts.append((whole / (factorial(urn.size) * cells), split))
    return parts


def entering(
    opened: Sequence[OpenUrn], groups: Mapping[int, int], masks: Mapping[int, int]
) -> Iterator[tuple[float, list[tuple[Counts, Counts]]]]:
    """Choose the number of slots of each entering group for every urn in the pool.

    After `splitting` a mask allows all faces of an urn or none.
    """
    inside = [urn for urn in opened if urn.inside]
    others = [(urn.content, urn.outside) for urn in opened if not urn.inside]
    allowed = [
        [all(masks[group] >> face & 1 for face in urn.content) for group in groups]
        for urn in inside
    ]
    # Every distribution of the pool's slots over the entering slots is equally likely; `orders`
    # divided by the orders within each cell counts those with this table.
    orders = prod(factorial(urn.inside) for urn in inside)
    for table in tables([urn.inside for urn in inside], list(groups.values()), allowed):
        cells = prod(factorial(count) for line in table for count in line)
        entered = []
        for urn, line in zip(inside, table, strict=True):
            new = {group: count for group, count in zip(groups, line, strict=True) if count}
            entered.append((urn.content, urn.outside | new))
        yield orders / cells, [*others, *entered]


def tables(
    rows: Sequence[int], columns: Sequence[int], allowed: Sequence[Sequence[bool]]
) -> Iterator[list[tuple[int, ...]]]:
    """Yield all contingency tables with these row and column sums, zero in forbidden cells."""
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
