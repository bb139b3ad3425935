"""Search among amounts: few amounts of a group, chosen step by step around the best one.

Hundreds of amounts would take a visit each before search learns anything. So a group of amounts
counts as one action when actions are added, and its amounts are added slowly: the one of the game's
playouts, the least, the greatest, then amounts in the gaps beside the best one.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from math import isqrt, sqrt
from typing import Any

from cardhub.bots.bot import Rated
from cardhub.model.game.game import Game
from cardhub.model.table.actions import Actions, Amount

# The number of amounts per square root of the visits of their group.
AMOUNT_WIDTH = 0.5


# Cached, because playouts are prepared for every search.
@lru_cache(maxsize=64)
def amount_blocks(actions: Actions) -> list[int]:
    """Return by action its group of amounts, or -1; the list is empty without any amounts."""
    kinds = [isinstance(group, Amount) for group in actions.groups]
    if not any(kinds):
        return []
    numbered = enumerate(zip(actions.groups, kinds, strict=True))
    return [n if has_amount else -1 for n, (g, has_amount) in numbered for _ in range(g.size)]


def split_legal(legal: Sequence[int], blocks: Sequence[int]) -> tuple[list[int], list[list[int]]]:
    """Return the legal actions without an amount, and by group the actions with one."""
    single: list[int] = []
    groups: dict[int, list[int]] = {}
    for action in legal:
        block = blocks[action]
        if block < 0:
            single.append(action)
        elif block in groups:
            groups[block].append(action)
        else:
            groups[block] = [action]
    return single, [sorted(group) for group in groups.values()]


def sample_grouped(legal: Sequence[int], blocks: Sequence[int], random: Callable[[], float]) -> int:
    """Return a random action, in which all amounts of a group count as one action."""
    single, groups = split_legal(legal, blocks)
    number = int(random() * (len(single) + len(groups)))
    if number < len(single):
        return single[number]
    group = groups[number - len(single)]
    return group[int(random() * len(group))]


def next_amount(
    group: Sequence[int], values: Mapping[int, tuple[float, int]], preferred: int
) -> int | None:
    """Return the amount of a group to add, or None if its amounts need more visits first.

    `group`: legal actions in ascending order; `values`: by tried action its mean value and its
    visits.
    """
    tried = [action for action in group if action in values]
    visits = sum(values[action][1] for action in tried)
    if len(tried) == len(group) or len(tried) > AMOUNT_WIDTH * sqrt(visits):
        return None
    for action in (preferred, group[0], group[-1]):
        if action in group and action not in values:
            return action
    best = max(tried, key=lambda action: values[action][0])
    at = tried.index(best)
    gaps = [(tried[i], tried[i + 1]) for i in (at - 1, at) if 0 <= i < len(tried) - 1]
    gaps += pairwise(tried)
    between = (_middle(group, low, high) for low, high in gaps)
    return next((action for action in between if action is not None), None)


def best_of_each(game: Game[Any], rated: Sequence[Rated]) -> list[Rated]:
    """Return ratings with the best action first, in which an amount has the visits of its group.

    The amounts of a group compete with the other actions together; its most visited amount comes
    first, and its other amounts follow all other actions.
    """
    blocks = amount_blocks(game.actions)
    by_block: dict[int, list[Rated]] = {}
    for rating in rated:
        by_block.setdefault(blocks[rating.action], []).append(rating)
    best, others = by_block.pop(-1, []), []
    for first, *rest in by_block.values():
        total = first.visits + sum(rating.visits for rating in rest)
        best.append(first._replace(visits=total))
        others += rest
    return [*sorted(best, key=lambda r: (-r.visits, -r.value, r.action)), *others]


def _middle(group: Sequence[int], low: int, high: int) -> int | None:
    """Return the legal action between two others, nearer to the lower one; None without any.

    Amounts differ by ratio rather than by difference, so it is the geometric mean of the places.
    """
    first, last = group.index(low) + 1, group.index(high) + 1
    place = isqrt(first * last)
    if place == first:
        place += 1
    return group[place - 1] if place < last else None
