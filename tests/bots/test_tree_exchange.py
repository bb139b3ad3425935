"""Exchanges between the trees of two searches of one observation."""

from collections.abc import Iterator
from itertools import count, pairwise
from random import Random
from typing import Any

import pytest
from msgspec import msgpack

from cardhub.bots.search.infosets import InfoSet
from cardhub.bots.search.search_budget import SearchBudget
from cardhub.bots.search.search_tree import SearchTree
from cardhub.bots.search.simulation import DeterminizationSampler, Playout
from cardhub.bots.search.workers import tree_exchange
from cardhub.bots.search.workers.tree_exchange import (
    LEAST_ROUND,
    ROUND_SHARE,
    TIMED_ROUNDS,
    TreeChanges,
    TreeExchange,
    in_rounds,
)
from cardhub.model.hidden.observation import Observation
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins


def seen() -> Observation[Any]:
    """Return the first observation of a game of Gamon."""
    players = [Player("Anna", "bot"), Player("Bob", "bot")]
    referee = set_up(find_plugins().game("gamon"), players, {}, 4)
    referee.proceed()
    return referee.observe(referee.seat)


class Side:
    """A search with its end of an exchange."""

    def __init__(self, seed: int, tree: SearchTree[Any] | None = None) -> None:
        observation, rng = seen(), Random(seed)
        self.tree = tree or SearchTree(observation, rng, Playout(observation.game, rng))
        self.exchange = TreeExchange(self.tree)
        self.sampler = DeterminizationSampler(observation, rng)

    def search(self, iterations: int) -> None:
        """Grow the tree."""
        for _ in range(iterations):
            self.tree.iterate(self.sampler.draw())

    def send(self, other: "Side") -> None:
        """Send this side's changes to another side."""
        sent = msgpack.encode(self.exchange.changes())
        other.exchange.add(msgpack.decode(sent, type=TreeChanges))

    @property
    def visits(self) -> int:
        """The number of simulations in the tree."""
        return sum(edge.visits for edge in self.tree.root.edges.values())


def sums(infoset: InfoSet) -> object:
    """Return all that was counted in an information set and below it."""
    edges = {
        key: (edge.visits, edge.available, round(edge.standardized, 6), round(edge.total, 6))
        for key, edge in infoset.edges.items()
    }
    children = {key: sums(child) for key, child in infoset.children.items()}
    return edges, {key: below for key, below in children.items() if below != ({}, {})}


def test_trees_are_equal_after_each_exchange() -> None:
    first, second = Side(1), Side(2)
    for total in (80, 160, 240):
        first.search(30)
        second.search(50)
        to_other = first.exchange.changes()
        second.send(first)
        second.exchange.add(to_other)
        assert first.visits == second.visits == total
        assert list(map(sums, first.tree.roots())) == list(map(sums, second.tree.roots()))


def test_only_what_is_new_is_sent() -> None:
    first, second = Side(1), Side(2)
    first.search(40)
    first.send(second)
    assert first.exchange.changes() == TreeChanges([], [])
    assert second.exchange.changes().edges == []


def test_a_kept_tree_is_sent_as_a_whole() -> None:
    kept = Side(1)
    kept.search(60)
    other = Side(2)
    Side(3, kept.tree).send(other)
    assert sums(other.tree.root) == sums(kept.tree.root)


def test_one_tree_of_many_has_the_simulations_of_all() -> None:
    """One worker's changes are forwarded to the other workers."""
    hub, first, second = Side(1), Side(2), Side(3)
    to_second = Side(4, hub.tree)
    for side in (hub, first, second):
        side.search(20)
    first.send(hub)
    second.send(to_second)
    hub.send(first)
    to_second.send(second)
    assert [hub.visits, first.visits, second.visits] == [60, 60, 60]


def rounds(tree: SearchTree[Any], iterations: int) -> Iterator[int]:
    """Yield the numbers of iterations after which there is an exchange."""
    exchanges: list[int] = []
    done = 0

    def exchange() -> None:
        exchanges.append(done)

    for number in in_rounds(iter(range(iterations)), tree, SearchBudget(iterations), exchange):
        done = number + 1
    yield from exchanges


def test_rounds_grow_with_the_tree() -> None:
    """A comparison of the tree then takes an equal part of the time."""
    assert list(rounds(Side(1).tree, 3 * LEAST_ROUND + 1)) == [
        LEAST_ROUND,
        2 * LEAST_ROUND,
        3 * LEAST_ROUND,
    ]
    kept = Side(1)
    kept.search(600)
    assert next(rounds(kept.tree, 100)) == int(600 * ROUND_SHARE) > LEAST_ROUND


def test_rounds_of_a_time_limit_take_equal_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many iterations that are; here one takes a millisecond, and later two."""
    now, exchanges = [0.0], list[float]()
    monkeypatch.setattr(tree_exchange, "monotonic", lambda: now[0])
    budget = SearchBudget(1, 100 * TIMED_ROUNDS)
    for number in in_rounds(count(), Side(1).tree, budget, lambda: exchanges.append(now[0])):
        now[0] += 0.001 if number < 500 else 0.002
        if now[0] >= budget.milliseconds / 1000:
            break
    assert len(exchanges) == TIMED_ROUNDS - 1
    lengths = [end - begin for begin, end in pairwise([0.0, *exchanges])]
    assert lengths == pytest.approx([0.1] * len(exchanges), abs=0.003)
