"""What a worker of a pool keeps, without a process around it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardhub.play.workers.bot_messages import Begin, TableQuestion
from cardhub.play.workers.lineup import LineupBots
from cardhub.play.workers.pool import pool_worker
from cardhub.play.workers.pool.pool_worker import TablesLoop, resident_megabytes
from cardhub.play.workers.question_loop import Channel
from cardhub.plugins.registry import find_plugins

REGISTRY = find_plugins()
MOST = 4
# More megabytes than a process has.
PLENTY = 2**30


class ClosedChannel(Channel):
    """A channel without pipes."""

    def __init__(self) -> None:
        pass


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> Iterator[TablesLoop]:
    """Return the loop of a worker that keeps a few tables, however large pytest has grown."""
    monkeypatch.setattr(pool_worker, "MOST_MEGABYTES", PLENTY)
    loop = TablesLoop((), REGISTRY, ClosedChannel(), MOST)
    yield loop
    loop.close_bots()


def bots_of(loop: TablesLoop, table: int, spec: str = "random", game: str = "kuhn") -> LineupBots:
    """Return the bots that a question of a table is for."""
    begin = Begin(game, {0: spec}, {0: "seed"}, advises=False)
    return loop.bots_of(TableQuestion(1, b"", table, begin))


def test_the_tables_asked_last_are_kept(loop: TablesLoop) -> None:
    """A table that was forgotten gets new bots."""
    first = bots_of(loop, 0)
    others = [bots_of(loop, table) for table in range(1, MOST)]
    assert bots_of(loop, 0) is first
    bots_of(loop, MOST)
    assert bots_of(loop, 0) is first
    assert bots_of(loop, 1) is not others[0]


def test_a_worker_that_needs_much_memory_keeps_fewer_tables(
    loop: TablesLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The older half goes; the table that is asked stays."""
    kept = [bots_of(loop, table) for table in range(MOST)]
    monkeypatch.setattr(pool_worker, "MOST_MEGABYTES", 0 if Path("/proc").exists() else -1)
    assert bots_of(loop, MOST - 1) is kept[MOST - 1]
    monkeypatch.setattr(pool_worker, "MOST_MEGABYTES", PLENTY)
    assert bots_of(loop, MOST - 2) is kept[MOST - 2]
    assert bots_of(loop, 0) is not kept[0]


def test_a_table_with_another_game_has_new_bots(loop: TablesLoop) -> None:
    before = bots_of(loop, 0)
    assert bots_of(loop, 0, "ismcts:10") is before
    assert bots_of(loop, 0, game="gargon") is not before


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux tells")
def test_the_memory_of_a_process_is_known() -> None:
    """It is at least the memory of Python with cardhub, and less than the memory of the machine."""
    total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**20
    assert 10 < resident_megabytes() < total
