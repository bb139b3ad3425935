"""What two processes of a search have found, exchanged as differences between their trees."""

from collections.abc import Callable, Iterator
from itertools import islice
from time import monotonic
from typing import Any, TypeAlias

from msgspec import Struct

from cardhub.bots.search.infosets import Edge, InfoSet
from cardhub.bots.search.search_budget import SearchBudget
from cardhub.bots.search.search_tree import SearchTree

# Iterations of one process between two exchanges, at least; an exchange takes as long as about one.
LEAST_ROUND = 10
# Part of the tree's simulations after which it is compared again, as a comparison visits all of it.
ROUND_SHARE = 0.05

# Number of rounds of a search with a time limit.
TIMED_ROUNDS = 16

# Visits, available, standardized, total: the sums of an edge.
Sums: TypeAlias = tuple[int, int, float, float]
NO_SUMS: Sums = 0, 0, 0.0, 0.0


# What is to be added to an edge, a new one if there is none: the number of its information set (see
# TreeChanges), its key there, action and seat, and its sums.
EdgeChange: TypeAlias = tuple[int, int, int, int, int, int, float, float]


class TreeChanges(Struct, array_like=True):
    """The growth of a tree; statistics of determinizations, so nothing that is hidden.

    `infosets` are new ones by the number of their parent and their key there. They are numbered in
    this order, after those sent before; the first numbers are those of the seats at the root.
    """

    infosets: list[tuple[int, int]]
    edges: list[EdgeChange]


class TreeExchange:
    """One end of the exchange between the trees of two processes for one observation.

    The other tree begins empty. Each side numbers its information sets in the order of sending.
    """

    def __init__(self, tree: SearchTree[Any]) -> None:
        self._tree = tree
        self._mine: list[InfoSet] = list(tree.roots())
        self._theirs = self._mine[:]
        # By number, how many children the other side has been told.
        self._told = [0] * len(self._mine)
        # The sums that both sides have counted.
        self._common: dict[Edge, Sums] = {}

    def changes(self) -> TreeChanges:
        """Return what the other side does not have, to be sent and added there."""
        changes = TreeChanges([], [])
        common, told, edges = self._common, self._told, changes.edges
        for number, infoset in enumerate(self._mine):  # it grows: breadth first
            if len(infoset.children) > told[number]:
                self._tell_children(number, infoset, changes)
            for key, edge in infoset.edges.items():
                # Nearly all edges are unchanged.
                old = common.get(edge)
                if old is None or edge.available != old[1] or edge.visits != old[0]:
                    edges.append(self._difference(number, key, edge, old or NO_SUMS))
        return changes

    def add(self, changes: TreeChanges) -> None:
        """Add what the other side has sent to the tree."""
        theirs, common = self._theirs, self._common
        for parent, key in changes.infosets:
            theirs.append(theirs[parent].child(key))
        for number, key, action, seat, visits, available, standardized, total in changes.edges:
            edge = self._tree.edge(theirs[number], key, action, seat)
            edge.visits += visits
            edge.available += available
            edge.standardized += standardized
            edge.total += total
            old = common.get(edge, NO_SUMS)
            common[edge] = (
                old[0] + visits,
                old[1] + available,
                old[2] + standardized,
                old[3] + total,
            )

    def _tell_children(self, number: int, infoset: InfoSet, changes: TreeChanges) -> None:
        for key, child in islice(infoset.children.items(), self._told[number], None):
            changes.infosets.append((number, key))
            self._mine.append(child)
            self._told.append(0)
        self._told[number] = len(infoset.children)

    def _difference(self, number: int, key: int, edge: Edge, old: Sums) -> EdgeChange:
        now = edge.visits, edge.available, edge.standardized, edge.total
        self._common[edge] = now
        return (
            *(number, key, edge.action, edge.seat),
            *(now[0] - old[0], now[1] - old[1], now[2] - old[2], now[3] - old[3]),
        )


def in_rounds(
    iterations: Iterator[int],
    tree: SearchTree[Any],
    budget: SearchBudget,
    exchange: Callable[[], None],
) -> Iterator[int]:
    """Yield the iterations of a search, and call `exchange` between rounds of some.

    With a number of iterations, rounds are the longer, the larger the tree was and has grown; they
    are equal in all processes. With a time limit they take equal time.
    """
    if budget.milliseconds:
        yield from _in_timed_rounds(iterations, budget.milliseconds / 1000 / TIMED_ROUNDS, exchange)
        return
    before = sum(edge.visits for edge in tree.root.edges.values())
    due = _round(before)
    for number in iterations:
        if number == due:
            exchange()
            due += _round(before + number)
        yield number


def _round(simulations: int) -> int:
    return max(LEAST_ROUND, int(ROUND_SHARE * simulations))


def _in_timed_rounds(
    iterations: Iterator[int], seconds: float, exchange: Callable[[], None]
) -> Iterator[int]:
    due = monotonic() + seconds
    for number in iterations:
        if monotonic() >= due:
            exchange()
            due = monotonic() + seconds
        yield number
