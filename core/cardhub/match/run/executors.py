"""Where games are played: in this process, or in several others.

Anything that makes a `concurrent.futures.Executor` will do in their place, such as a cluster's.
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
"""Returns a new executor, which is left as a `with` block when it is of no more use.

Every standard executor is its own such block. A function submitted to it gets and returns plain
data that can be pickled. If it breaks, with BrokenExecutor, another one is made.
"""

GRACE = 10.0
"""Seconds that a worker may take to hand over a game when it is told to leave."""
PRELOADED = ("cardhub.match.run.playing",)


class InProcess(Executor):
    """An Executor that does at once what it is asked, in this process."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """See Executor; whatever is printed meanwhile goes to stderr."""
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()
        try:
            with redirect_stdout(sys.stderr):
                future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001  # whoever asks for the result gets it
            future.set_exception(error)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """See Executor; the programs of bots end."""
        end_programs()


def make_executor(workers: int) -> MakeExecutor:
    """Return what makes executors for so many workers; a single one is this process itself."""
    return InProcess if workers == 1 else partial(process_pool, workers)


@contextmanager
def process_pool(workers: int) -> Iterator[Executor]:
    """Yield processes that play games; they end with the block, or with this process, at once."""
    context = _context()
    leave, leaver = context.Pipe(duplex=False)
    executor = ProcessPoolExecutor(workers, context, _prepare, (leave,))
    try:
        yield _Pool(executor)
    finally:
        leaver.close()  # the workers hear it, and do not finish what nobody waits for
        executor.shutdown(wait=True, cancel_futures=True)
        leave.close()


def _context() -> Any:
    """Return how processes are started: never by forking this one, which may have threads."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(PRELOADED))
    _start_forkserver()
    return context


def _start_forkserver() -> None:
    """Start the process whose children the workers are; from its birth it hears no Ctrl-C."""
    from multiprocessing import forkserver, resource_tracker  # not to be had on every system

    resource_tracker.ensure_running()  # would be started by the next, and let all signals pass then
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Pool(Executor):
    """An Executor that has its processes know when they play.

    Its futures are its own: if one of the inner ones were cancelled and a worker died then, the
    inner executor would trip over it, and leave all others without an answer.
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
    """Let a future come to what another one has come to, if anybody is still interested."""
    if inner.cancelled():
        future.cancel()
    if not future.set_running_or_notify_cancel():
        return
    if error := inner.exception():
        future.set_exception(error)
    else:
        future.set_result(inner.result())


def _prepare(leave: Connection) -> None:
    """Make a new process a worker: Ctrl-C is for others, and what bots print is for nobody."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    Thread(target=_leave_when_told, args=(leave,), daemon=True).start()


class _Work:
    """What this process does: whether it is playing, which changes only when one has the lock."""

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
    """End this process as soon as the other end of the pipe is closed, however that came about.

    One that is handing over a game does that first: half of it would be waited for without end. One
    that has nothing to do is told to end by its pool as well.
    """
    leave.poll(None)
    until = monotonic() + GRACE
    while monotonic() < until:
        with _WORK.lock:
            if _WORK.is_playing:
                os._exit(0)
        sleep(0.01)
    os._exit(0)
