"""The adviser at a local table: its search has processes, which end with the table."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from time import sleep
from typing import Any

import pytest
from tests.kit.processes import is_running
from tests.kit.waiting import PATIENCE, wait_until

from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.play.workers.bot_messages import bots_of
from cardhub.play.workers.process import BotProcess
from cardhub.plugins.registry import find_plugins

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
REGISTRY = find_plugins()


@pytest.fixture(scope="module")
def table() -> Referee[Any]:
    """Return a game of Gamon between two bots that search like the adviser."""
    players = [Player("Anna", "adviser"), Player("Bob", "adviser")]
    referee = set_up(REGISTRY.game("gamon"), players, {}, seed=1)
    referee.proceed()
    return referee


def descendants(of: int) -> Iterator[int]:
    """Yield the processes that a process has started, and those that they have."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == of:
                yield int(folder.name)
                yield from descendants(int(folder.name))


def search_workers() -> set[int]:
    """Return the worker processes of searches below this process, without their guards."""
    pids = set()
    for pid in descendants(os.getpid()):
        with suppress(OSError):
            words = (Path("/proc") / str(pid) / "cmdline").read_bytes()
            if b"search_worker" in words and b"guard.py" not in words:
                pids.add(pid)
    return pids


def test_the_adviser_searches_in_several_processes_of_a_table(table: Referee[Any]) -> None:
    """They live on between decisions, and finish early when the bot is hurried."""
    process, answers = (
        BotProcess(REGISTRY.directories, bots_of(table, REGISTRY), workers=2),
        SimpleQueue[Any](),
    )
    before = search_workers()
    kept = []
    for _ in range(2):
        process.ask(table.observe(0), answers.put)
        wait_until(lambda: len(search_workers() - before) == 1)
        kept.append(search_workers() - before)
        process.hurry()
        assert answers.get(timeout=PATIENCE) in table.observe(0).legal()
    assert kept[0] == kept[1]
    process.close()
    wait_until(lambda: not any(map(is_running, kept[0])))


def test_processes_of_a_search_end_with_the_killed_process_of_its_bot(table: Referee[Any]) -> None:
    process, answers = (
        BotProcess(REGISTRY.directories, bots_of(table, REGISTRY), workers=2),
        SimpleQueue[Any](),
    )
    before = search_workers()
    process.ask(table.observe(0), answers.put)
    wait_until(lambda: len(search_workers() - before) == 1)
    started = search_workers() - before
    process.hurry()
    answers.get(timeout=PATIENCE)
    process.ask(table.observe(0), answers.put)
    process.stop()  # at the beginning of a search: after its answer nothing would be killed
    wait_until(lambda: not any(map(is_running, started)))


def test_a_process_of_bots_has_no_further_processes_unless_it_may(table: Referee[Any]) -> None:
    process, answers = (
        BotProcess(REGISTRY.directories, bots_of(table, REGISTRY)),
        SimpleQueue[Any](),
    )
    before = search_workers()
    process.ask(table.observe(0), answers.put)
    sleep(0.5)
    assert search_workers() == before
    process.hurry()
    assert answers.get(timeout=PATIENCE) in table.observe(0).legal()
    process.close()
