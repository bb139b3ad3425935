"""Executors that play games in this process or in worker processes.

A match can also use other factories of a `concurrent.futures.Executor`, such as a cluster's.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from functools import partial
from multiprocessing.connection import Connection
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any, ParamSpec, TypeVar

from typing_extensions import override

from cardhub.lab.match.run.hidden_memory import hide_memory
from cardhub.lab.match.run.playing import end_programs

P = ParamSpec("P")
T = TypeVar("T")

# Factory of executors, which are used as context managers. A function submitted to an executor
# gets and returns plain data that can be pickled. If it breaks, with BrokenExecutor, the factory
# is called again.
MakeExecutor = Callable[[], AbstractContextManager[Executor]]

# Games in flight per worker, which keeps all workers busy.
AHEAD = 4
# Seconds that a worker may take to return a result after it was asked to exit.
GRACE = 10.0
PRELOADED = ("cardhub.lab.match.run.playing",)


class InProcess(Executor):
    """Executor that runs each call synchronously in this process."""

    @override
    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call the function; its output to stdout goes to stderr."""
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()
        try:
            with redirect_stdout(sys.stderr):
                future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001  # raised by future.result()
            future.set_exception(error)
        return future

    @override
    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
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
        leaver.close()  # makes the workers exit without finishing their games
        executor.shutdown(wait=True, cancel_futures=True)
        leave.close()


def _context() -> Any:
    # Never `fork`: this process may have threads, whose locks a fork would copy in any state.
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(PRELOADED))
    _start_forkserver()
    return context


def _start_forkserver() -> None:
    if sys.platform == "win32":
        return  # it has none
    # Workers inherit the mask, and therefore never receive Ctrl-C from the terminal: the match
    # decides when it ends them.
    from multiprocessing import forkserver, resource_tracker  # not available on every system

    resource_tracker.ensure_running()  # otherwise started by the forkserver, unblocking signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Pool(Executor):
    """Executor whose worker processes know when they are busy."""

    def __init__(self, inner: Executor) -> None:
        self._inner = inner

    @override
    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        # Not the inner future: if it were cancelled and then a worker died, the inner executor
        # would raise in its management thread and never complete the other futures.
        future: Future[T] = Future()
        inner = self._inner.submit(_at_work, fn, *args, **kwargs)
        inner.add_done_callback(partial(copy_outcome, future))
        return future


def copy_outcome(
    future: Future[T],
    inner: Future[T],
    translate: Callable[[BaseException], BaseException] = lambda error: error,
) -> None:
    """Copy the result or exception of an inner future, unless the future was cancelled."""
    if not future.set_running_or_notify_cancel():
        return
    if inner.cancelled():
        future.set_exception(BrokenExecutor("a game was cancelled by its executor"))
    elif error := inner.exception():
        future.set_exception(translate(error))
    else:
        future.set_result(inner.result())


def _prepare(leave: Connection) -> None:
    hide_memory()  # it has the deals of games
    # A bot must not write into the output of the match, nor read from the terminal.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    Thread(target=_exit_when_pipe_closes, args=(leave,), daemon=True).start()


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


def _exit_when_pipe_closes(leave: Connection) -> None:
    """Exit this process when the other end of the pipe is closed, which also happens by a crash."""
    leave.poll(None)
    # A worker that is returning a result finishes that first: the parent would wait forever for the
    # rest of a partial message. The pool also asks idle workers to exit.
    until = monotonic() + GRACE
    while monotonic() < until:
        with _WORK.lock:
            if _WORK.is_playing:
                os._exit(0)
        sleep(0.01)
    os._exit(0)
