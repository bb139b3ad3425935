"""Messages between a search and its workers: orders, and the growth of trees as differences.

A worker gets a serialized observation, so it receives only information that its seat may know.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from time import monotonic
from typing import Any, TypeAlias

from msgspec import Struct, msgpack

from cardhub.bots.processes.python_process import Failed, Hurry, Ready, frame_codec
from cardhub.bots.search.infosets import Edge, InfoSet
from cardhub.bots.search.search_budget import SearchBudget
from cardhub.bots.search.search_tree import SearchTree

# The least number of a process's iterations between exchanges, which take about one iteration's
# time.
LEAST_ROUND = 10
# The length of a round as a share of the tree's simulations, because an exchange visits the entire
# tree.
ROUND_SHARE = 0.05

# The number of rounds of a search with a time limit.
TIMED_ROUNDS = 16

# Visits, available, standardized, total: the sums of an edge.
Sums: TypeAlias = tuple[int, int, float, float]
NO_SUMS: Sums = 0, 0, 0.0, 0.0


# An addition to an edge, which may be new: the number of its information set (see TreeChanges), its
# key in the set, action, seat, and the four sums.
EdgeChange: TypeAlias = tuple[int, int, int, int, int, int, float, float]


class TreeChanges(Struct, array_like=True):
    """The growth of a tree; it contains only statistics of determinizations, no hidden information.

    `infosets`: new information sets, as the number of the parent and the key in the parent. They
    are numbered in this order, after earlier ones; the seats' root sets have the first numbers.
    """

    infosets: list[tuple[int, int]]
    edges: list[EdgeChange]


class TreeExchange:
    """One end of the exchange between the trees of two processes for one observation.

    The other tree is empty at the start. Each side numbers its information sets in the order of
    sending.
    """

    def __init__(self, tree: SearchTree[Any]) -> None:
        self._tree = tree
        self._mine: list[InfoSet] = list(tree.roots())
        self._theirs = self._mine[:]
        # By number: how many children of an information set were sent to the other side.
        self._sent_children = [0] * len(self._mine)
        # The sums that both sides have counted.
        self._common: dict[Edge, Sums] = {}

    def changes(self) -> TreeChanges:
        """Return the changes that the other side does not have yet; the caller must send them."""
        changes = TreeChanges([], [])
        common, sent_children, edges = self._common, self._sent_children, changes.edges
        for number, infoset in enumerate(self._mine):  # the list grows meanwhile: breadth first
            if len(infoset.children) > sent_children[number]:
                self._add_children(number, infoset, changes)
            for key, edge in infoset.edges.items():
                # Nearly all edges are unchanged.
                old = common.get(edge)
                if old is None or edge.available != old[1] or edge.visits != old[0]:
                    edges.append(self._difference(number, key, edge, old or NO_SUMS))
        return changes

    def add(self, changes: TreeChanges) -> None:
        """Add the other side's changes to the tree."""
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

    def _add_children(self, number: int, infoset: InfoSet, changes: TreeChanges) -> None:
        for key, child in islice(infoset.children.items(), self._sent_children[number], None):
            changes.infosets.append((number, key))
            self._mine.append(child)
            self._sent_children.append(0)
        self._sent_children[number] = len(infoset.children)

    def _difference(self, number: int, key: int, edge: Edge, old: Sums) -> EdgeChange:
        sums = edge.visits, edge.available, edge.standardized, edge.total
        self._common[edge] = sums
        return (
            *(number, key, edge.action, edge.seat),
            *(sums[0] - old[0], sums[1] - old[1], sums[2] - old[2], sums[3] - old[3]),
        )


def in_rounds(
    iterations: Iterator[int],
    tree: SearchTree[Any],
    budget: SearchBudget,
    exchange: Callable[[], None],
) -> Iterator[int]:
    """Yield the iterations of a search in rounds, and call `exchange` between rounds.

    With a number of iterations, rounds grow with the tree, and are equal in all processes. With a
    time limit, rounds take equal time.
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


class NewSearcher(Struct, tag=True):
    """A request to create a bot, which replaces the last one."""

    game: str
    spec: str
    seed: int


class SearchOrder(Struct, tag=True):
    """A request to rate `actions`, or with None to rate all legal actions with the bot's tree.

    `packed`: the serialized observation. `tree`: the bot's complete tree. The order supersedes the
    last one.
    """

    number: int
    packed: bytes
    actions: list[int] | None
    iterations: int
    milliseconds: int
    tree: TreeChanges


class TreeUpdate(Struct, tag=True):
    """The growth of one side's tree since its last message; `is_last`: the search has ended."""

    number: int
    changes: TreeChanges
    is_last: bool = False


WorkerOrder = NewSearcher | SearchOrder | TreeUpdate | Hurry
WorkerReply = Ready | TreeUpdate | Failed

ORDER_DECODER = msgpack.Decoder(WorkerOrder)
REPLY_CODEC = frame_codec(msgpack.Decoder(WorkerReply))
