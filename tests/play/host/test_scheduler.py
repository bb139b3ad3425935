"""Schedulers: callbacks of any thread run one after another in one thread, in order of time."""

import asyncio
from threading import Thread, get_ident

import pytest
from tests.kit.waiting import PATIENCE

from cardhub.play.host.scheduler import BlockingScheduler, LoopScheduler


def test_a_blocking_scheduler_runs_what_is_due_and_waits_for_the_rest() -> None:
    """Callbacks that are due run before the condition is asked; cancelled ones never."""
    scheduler, calls = BlockingScheduler(), list[str]()
    scheduler.call_later(0.02, lambda: calls.append("later"))
    scheduler.call_later(0.01, lambda: calls.append("cancelled")).cancel()
    scheduler.call_later(0.01, lambda: calls.append("sooner"))
    scheduler.call_soon(lambda: calls.append("now"))
    scheduler.run_until(lambda: bool(calls))
    assert calls == ["now"]
    scheduler.run_until(lambda: len(calls) == 3)
    assert calls == ["now", "sooner", "later"]


def test_a_blocking_scheduler_takes_callbacks_of_other_threads() -> None:
    """They run in the thread that waits."""
    scheduler, threads = BlockingScheduler(), list[int]()
    call = (lambda: threads.append(get_ident()),)
    thread = Thread(target=scheduler.call_soon, args=call)
    scheduler.call_later(0.01, thread.start)
    scheduler.run_until(lambda: bool(threads))
    thread.join()
    assert threads == [get_ident()]


async def test_a_loop_scheduler_runs_callbacks_in_the_loop_and_reports_exceptions() -> None:
    errors: list[Exception] = []
    scheduler, done = LoopScheduler(errors.append), asyncio.Event()

    def fail() -> None:
        raise ValueError("no")

    scheduler.call_soon(fail)
    scheduler.call_later(10, fail).cancel()
    scheduler.call_later(0.01, done.set)
    await asyncio.wait_for(done.wait(), PATIENCE)
    assert [str(error) for error in errors] == ["no"]
    thread = Thread(target=scheduler.call_soon, args=(fail,))
    thread.start()
    thread.join()
    await asyncio.sleep(0.01)
    assert len(errors) == 2


def test_a_loop_scheduler_outlives_its_loop() -> None:
    """A bot may answer after the front end has been closed."""
    scheduler = LoopScheduler()

    async def use() -> None:
        scheduler.call_soon(lambda: None)

    with pytest.raises(RuntimeError):
        scheduler.call_soon(lambda: None)
    asyncio.run(use())
    scheduler.call_soon(lambda: None)
