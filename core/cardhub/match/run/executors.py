"""Executors that play games in this process or in worker processes.

Any other factory of a `concurrent.futures.Executor` can be used instead, such as a cluster's.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from functools import partial
from multiprocessing.connection import Connection
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any, ParamSpec, TypeVar

from cardhub.match.run.playing import end_programs

P = ParamSpec("P")
T = TypeVar("T")

MakeExecutor = Callable[[], AbstractContextManager[Executor]]
"""Factory of executors, which are used as context managers.

A function submitted to an executor gets and returns plain data that can be pickled. If it breaks,
with BrokenExecutor, the factory is called again.
"""

GRACE = 10.0
"""Seconds that a worker may take to return a result when it is told to exit."""
PRELOADED = ("cardhub.match.run.playing",)


class InProcess(Executor):
    """Executor that runs each call synchronously in this process."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """See Executor; output to stdout goes to stderr."""
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()
        try:
            with redirect_stdout(sys.stderr):
                future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001  # raised by future.result()
            future.set_exception(error)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """See Executor; ends the programs of bots, too."""
        end_programs()


def make_executor(workers: int) -> MakeExecutor:
    """Return a factory of executors; one worker is this process itself."""
    return InProcess if workers == 1 else partial(process_pool, workers)


@contextmanager
def process_pool(workers: int) -> Iterator[Executor]:
    """Yield a pool of worker processes, which exit with the block or with this process."""
    context = _context()
    leave, leaver = context.Pipe(duplex=False)
    executor = ProcessPoolExecutor(workers, context, _prepare, (leave,))
    try:
        yield _Pool(executor)
    finally:
        leaver.close()  # tells the workers to exit without finishing their games
        executor.shutdown(wait=True, cancel_futures=True)
        leave.close()


def _context() -> Any:
    """Return the multiprocessing context; never `fork`, as this process may have threads."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(PRELOADED))
    _start_forkserver()
    return context


def _start_forkserver() -> None:
    """Start the forkserver, the parent of the workers, with SIGINT blocked from its start."""
    from multiprocessing import forkserver, resource_tracker  # not available on every system

    resource_tracker.ensure_running()  # otherwise started by the forkserver, unblocking signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Pool(Executor):
    """Executor whose workers know when they are busy.

    It has futures of its own: if an inner future were cancelled and a worker died then, the inner
    executor would raise in its management thread and never complete the other futures.
    """

    def __init__(self, inner: Executor) -> None:
        self._inner = inner

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """See Executor."""
        future: Future[T] = Future()
        inner = self._inner.submit(_at_work, fn, *args, **kwargs)
        inner.add_done_callback(partial(_hand_on, future))
        return future


def _hand_on(future: Future[T], inner: Future[T]) -> None:
    """Copy the inner future's outcome, unless the future was cancelled."""
    if inner.cancelled():
        future.cancel()
    if not future.set_running_or_notify_cancel():
        return
    if error := inner.exception():
        future.set_exception(error)
    else:
        future.set_result(inner.result())


def _prepare(leave: Connection) -> None:
    """Initialize a worker: ignore SIGINT and discard output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    Thread(target=_leave_when_told, args=(leave,), daemon=True).start()


class _Work:
    """State of a worker: `is_playing` changes only while the lock is held."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.is_playing = False

    def turn(self, is_playing: bool) -> None:
        with self.lock:
            self.is_playing = is_playing


_WORK = _Work()


def _at_work(fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    _WORK.turn(True)
    try:
        return fn(*args, **kwargs)
    finally:
        _WORK.turn(False)


def _leave_when_told(leave: Connection) -> None:
    """Exit this process as soon as the other end of the pipe is closed, for whatever reason.

    A worker that is returning a result finishes that first: the parent would wait forever for the
    rest of a partial message. An idle worker is also told to exit by its pool.
    """
    leave.poll(None)
    until = monotonic() + GRACE
    while monotonic() < until:
        with _WORK.lock:
            if _WORK.is_playing:
                os._exit(0)
        sleep(0.01)
    os._exit(0)
