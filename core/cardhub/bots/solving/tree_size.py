"""Limits of the size of trees, so that one that is too large is refused soon."""

from random import Random
from typing import Any

from cardhub.base.errors import SolvingError
from cardhub.bots.solving.game_tree import Tree

# Default limit of the number of nodes of a tree that is expanded: up to a minute.
MOST_NODES = 200_000
# Random games in which a tree is measured first, and how far their estimate may err.
PROBES, TOLERANCE = 100, 100


class NodeCounter:
    """Counts the nodes of a tree as they are found; raises SolvingError if there are too many."""

    def __init__(self, tree: Tree[Any], most_nodes: int) -> None:
        self._tree = tree
        self._most_nodes = most_nodes
        self.count = 1
        if estimate(tree, TOLERANCE * most_nodes) > TOLERANCE * most_nodes:
            self._refuse()

    def add(self, nodes: int) -> None:
        """Add nodes; raises SolvingError if there are more than the limit."""
        self.count += nodes
        if self.count > self._most_nodes:
            self._refuse()

    def _refuse(self) -> None:
        raise SolvingError(
            f"{self._tree.game.name}: the tree of this game has more than {self._most_nodes:,} "
            "nodes: it is too large to be solved\n"
            "fix: options that make the game smaller, or a higher limit of nodes"
        )


def estimate(tree: Tree[Any], most: int) -> float:
    """Return an estimate of the number of nodes of a tree (Knuth 1975), or a number above `most`.

    Its expectation is the number of nodes, so it exceeds that k times with probability 1/k at most.
    """
    rng, total = Random(0), 0
    for _ in range(PROBES):
        node, product = tree.root, 1
        total += 1
        while node.odds:
            product *= len(node.odds)
            total += product
            # No mean of all probes can be below this any more.
            if total > PROBES * most:
                return total / PROBES
            node = node.child(rng.choice(node.odds)[0])
    return total / PROBES
