"""Processes that are lent to one borrower after another, without real processes."""

import gc
import os
from threading import Event, Timer

import pytest
from tests.kit.waiting import wait_until

from cardhub.bots.processes.pool import Pool


class LentProcess:
    """A process that notes how it ends."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.is_usable = True
        self.calls: list[str] = []

    def close_input(self) -> None:
        """Note the call."""
        self.calls.append("close_input")

    def close(self) -> None:
        """Note the call."""
        self.calls.append("close")

    def kill(self) -> None:
        """Note the call."""
        self.calls.append("kill")


class Starter:
    """Starts processes, and keeps them all; calls in `failing` raise, a call in `held` waits."""

    def __init__(self) -> None:
        self.started: list[LentProcess] = []
        self.calls = 0
        self.failing: set[int] = set()
        self.held: dict[int, Event] = {}

    def __call__(self, key: str) -> LentProcess:
        """Start a process."""
        self.calls += 1
        call = self.calls
        if call in self.held:
            self.held[call].wait()
        if call in self.failing:
            raise OSError(f"no memory for call {call}")
        self.started.append(LentProcess(key))
        return self.started[-1]


@pytest.fixture
def starter() -> Starter:
    """Return a function that starts processes."""
    return Starter()


def test_a_process_that_came_back_is_lent_again_for_its_key(starter: Starter) -> None:
    pool = Pool(starter)
    first, second = pool.borrow("a"), pool.borrow("a")
    assert first is not second
    pool.give_back(first)
    assert pool.borrow("b") is not first
    assert pool.borrow("a") is first


def test_a_process_that_has_ended_while_idle_is_replaced(starter: Starter) -> None:
    pool = Pool(starter)
    process = pool.borrow("a")
    pool.give_back(process)
    process.is_usable = False
    assert pool.borrow("a") is not process
    assert process.calls == ["kill"]


def test_a_discarded_process_is_killed_and_not_closed_again(starter: Starter) -> None:
    pool = Pool(starter)
    process = pool.borrow("a")
    pool.discard(process)
    pool.close()
    assert process.calls == ["kill"]


def test_closing_ends_lent_and_idle_processes_and_the_pool_goes_on(starter: Starter) -> None:
    pool = Pool(starter)
    lent, idle = pool.borrow("a"), pool.borrow("b")
    pool.give_back(idle)
    pool.close()
    assert lent.calls == idle.calls == ["close_input", "close"]
    pool.give_back(lent)
    assert pool.borrow("a") is not lent


def test_processes_end_with_their_pool(starter: Starter) -> None:
    pool = Pool(starter)
    pool.borrow("a")
    del pool
    gc.collect()
    assert starter.started[0].calls == ["close_input", "close"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="only POSIX has forks")
def test_a_fork_neither_lends_nor_ends_the_processes_of_its_parent(starter: Starter) -> None:
    pool = Pool(starter)
    process = pool.borrow("a")
    pool.give_back(process)
    child = os.fork()
    if not child:
        pool.close()
        is_new = pool.borrow("a") is not process
        os._exit(0 if is_new and not process.calls else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert pool.borrow("a") is process


def test_a_fresh_process_is_lent_once_and_the_next_one_is_prepared(starter: Starter) -> None:
    pool = Pool(starter, fresh=True)
    first = pool.borrow("a")
    wait_until(lambda: len(starter.started) == 2)
    pool.give_back(first)
    wait_until(lambda: first.calls == ["close"])
    assert pool.borrow("a") is starter.started[1]
    wait_until(lambda: len(starter.started) == 3)
    pool.close()
    assert starter.started[1].calls == ["close_input", "close"]
    wait_until(lambda: bool(starter.started[2].calls))


def test_a_borrower_waits_for_the_process_that_is_being_prepared(starter: Starter) -> None:
    starter.held[2] = Event()
    pool = Pool(starter, fresh=True)
    pool.borrow("a")
    wait_until(lambda: starter.calls == 2)
    Timer(0.05, starter.held[2].set).start()
    assert pool.borrow("a") is starter.started[1]


def test_a_borrower_starts_a_process_if_none_could_be_prepared(starter: Starter) -> None:
    starter.failing = {2, 3}
    pool = Pool(starter, fresh=True)
    pool.borrow("a")
    with pytest.raises(OSError, match="call 3"):
        pool.borrow("a")
    assert pool.borrow("a") is starter.started[1]


def test_a_process_that_is_prepared_while_the_pool_closes_is_killed(starter: Starter) -> None:
    starter.held[2] = Event()
    pool = Pool(starter, fresh=True)
    pool.borrow("a")
    wait_until(lambda: starter.calls == 2)
    pool.close()
    starter.held[2].set()
    wait_until(lambda: len(starter.started) == 2 and starter.started[1].calls == ["kill"])
