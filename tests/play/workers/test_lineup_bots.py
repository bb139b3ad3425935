"""The bots that a process keeps for several tables."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardhub.play.workers import lineup_bots
from cardhub.play.workers.bot_messages import Lineup
from cardhub.play.workers.lineup_bots import LineupBots, TableBots, resident_megabytes
from cardhub.plugins.registry import find_plugins

REGISTRY = find_plugins()
MOST = 4
# More megabytes than a process has.
PLENTY = 2**30


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> Iterator[TableBots]:
    """Return the bots of a process that keeps a few tables, however large pytest has grown."""
    monkeypatch.setattr(lineup_bots, "MOST_MEGABYTES", PLENTY)
    tables = TableBots(REGISTRY, most_tables=MOST)
    yield tables
    tables.close()


def bots_of(tables: TableBots, table: int, spec: str = "random", game: str = "kuhn") -> LineupBots:
    """Return the bots that a question of a table is for."""
    return tables.seat(table, Lineup(game, {0: spec}, {0: "seed"}))


def test_the_tables_asked_last_are_kept(tables: TableBots) -> None:
    """A table that was forgotten gets new bots."""
    first = bots_of(tables, 0)
    others = [bots_of(tables, table) for table in range(1, MOST)]
    assert bots_of(tables, 0) is first
    bots_of(tables, MOST)
    assert bots_of(tables, 0) is first
    assert bots_of(tables, 1) is not others[0]


def test_a_worker_that_needs_much_memory_keeps_fewer_tables(
    tables: TableBots, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The older half goes; the table that is asked stays."""
    kept = [bots_of(tables, table) for table in range(MOST)]
    monkeypatch.setattr(lineup_bots, "MOST_MEGABYTES", 0 if Path("/proc").exists() else -1)
    assert bots_of(tables, MOST - 1) is kept[MOST - 1]
    monkeypatch.setattr(lineup_bots, "MOST_MEGABYTES", PLENTY)
    assert bots_of(tables, MOST - 2) is kept[MOST - 2]
    assert bots_of(tables, 0) is not kept[0]


def test_a_table_with_another_game_has_new_bots(tables: TableBots) -> None:
    before = bots_of(tables, 0)
    assert bots_of(tables, 0, "ismcts:10") is before
    assert bots_of(tables, 0, game="gargon") is not before


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux tells")
def test_the_memory_of_a_process_is_known() -> None:
    """It is at least the memory of Python with cardhub, and less than the memory of the machine."""
    total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**20
    assert 10 < resident_megabytes() < total
