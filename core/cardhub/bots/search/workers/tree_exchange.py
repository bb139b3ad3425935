"""What two processes of a search have found, exchanged as differences between their trees."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, TypeAlias

from msgspec import Struct

from cardhub.bots.search.infosets import Edge, InfoSet
from cardhub.bots.search.search_tree import SearchTree

# Iterations of one process between two exchanges, at least; an exchange takes as long as about one.
LEAST_ROUND = 10
# Part of the tree's simulations after which it is compared again, as a comparison visits all of it.
ROUND_SHARE = 0.05

# Visits, available, standardized, total: the sums of an edge.
Sums: TypeAlias = tuple[int, int, float, float]
NO_SUMS: Sums = 0, 0, 0.0, 0.0


class EdgeChange(Struct, array_like=True):
    """What is to be added to an edge, a new one if there is none.

    `infoset` is a number from TreeChanges, `key` that of the edge in the information set.
    """

    infoset: int
    key: int
    action: int
    seat: int
    visits: int
    available: int
    standardized: float
    total: float


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
        for number, infoset in enumerate(self._mine):  # it grows: breadth first
            told = self._told[number]
            if len(infoset.children) > told:
                for key, child in islice(infoset.children.items(), told, None):
                    changes.infosets.append((number, key))
                    self._mine.append(child)
                    self._told.append(0)
                self._told[number] = len(infoset.children)
            for key, edge in infoset.edges.items():
                self._compare(number, key, edge, changes.edges)
        return changes

    def add(self, changes: TreeChanges) -> None:
        """Add what the other side has sent to the tree."""
        theirs, common = self._theirs, self._common
        for parent, key in changes.infosets:
            theirs.append(theirs[parent].child(key))
        for new in changes.edges:
            edge = self._tree.edge(theirs[new.infoset], new.key, new.action, new.seat)
            edge.visits += new.visits
            edge.available += new.available
            edge.standardized += new.standardized
            edge.total += new.total
            visits, available, standardized, total = common.get(edge, NO_SUMS)
            common[edge] = (
                visits + new.visits,
                available + new.available,
                standardized + new.standardized,
                total + new.total,
            )

    def _compare(self, number: int, key: int, edge: Edge, found: list[EdgeChange]) -> None:
        visits, available, standardized, total = self._common.get(edge, NO_SUMS)
        if edge.available == available and edge.visits == visits:
            return
        self._common[edge] = edge.visits, edge.available, edge.standardized, edge.total
        found.append(
            EdgeChange(
                number,
                key,
                edge.action,
                edge.seat,
                edge.visits - visits,
                edge.available - available,
                edge.standardized - standardized,
                edge.total - total,
            )
        )


def in_rounds(
    iterations: Iterator[int], tree: SearchTree[Any], exchange: Callable[[], None]
) -> Iterator[int]:
    """Yield the iterations of a search, and call `exchange` between rounds of some.

    Rounds are the longer, the larger the tree was and has grown; in all processes they are equal.
    """
    before = sum(edge.visits for edge in tree.root.edges.values())
    due = _round(before)
    for number in iterations:
        if number == due:
            exchange()
            due += _round(before + number)
        yield number


def _round(simulations: int) -> int:
    return max(LEAST_ROUND, int(ROUND_SHARE * simulations))
