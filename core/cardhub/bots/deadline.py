"""Time limits for calls into third-party code, and signals that arrive during such a call.

Time in which this process is stopped does not count, so Ctrl-Z, SIGSTOP or a frozen container cause
no timeout. (The monotonic clock excludes suspension of the computer.) The system does not report
how long a process was stopped, but the process misses ticks of its timer. The C part of Python's
signal handling counts the ticks by writing a byte to a pipe for each. So a process whose code holds
the interpreter's lock for long is not mistaken for a stopped one.

Third-party code may swallow the exception of a signal handler or raise another exception instead.
So the received signal distinguishes an interruption from a fault, not the type of the exception.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from math import inf
from queue import Empty, SimpleQueue
from threading import Thread, current_thread, get_ident, main_thread
from time import monotonic
from types import FrameType
from typing import Any, NoReturn, TypeVar, TypeVarTuple

from cardhub.base.errors import Interruption

# Signals that end the program.
TERMINATING = tuple(
    signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
# Seconds within which a signal to the process group reaches this process, after other processes.
GROUP_GRACE = 0.2


class Interrupted(Interruption):
    """Raised in a bot's code or in the analysis after a signal.

    The DeferredSignals context that raised it always catches it.
    """


class SignalState:
    """The state of signal handling in this process.

    `thread`: the thread that defers signals, or None. `is_interruptible`: whether a signal may
    interrupt the thread's current code. A bot is called between `enter` and `leave`. `recorded`:
    the signals of the innermost `record_signals` of the main thread, or None outside of any.
    """

    def __init__(self) -> None:
        self.thread: int | None = None
        self.is_interruptible = False
        self.has_received = False
        self.recorded: list[int] | None = None

    def reset(self, thread: int | None) -> None:
        """Set the thread that defers signals, or None, and clear received signals."""
        self.thread, self.is_interruptible, self.has_received = thread, False, False

    def enter(self) -> None:
        """Allow signals to interrupt the following code, if this thread defers signals."""
        if self.thread == get_ident():
            self.is_interruptible = True

    def leave(self, before: bool) -> None:
        """Restore `is_interruptible`; raises Interrupted if a signal has come since `enter`."""
        if self.thread == get_ident():
            self.is_interruptible = before
        if self.has_received:
            raise Interrupted


# A singleton, because a process has one handler for each signal.
SIGNALS = SignalState()


@contextmanager
def record_signals() -> Iterator[list[int]]:
    """Yield a list that collects the block's signals; the previous handlers still run."""
    received: list[int] = []
    before: dict[int, Any] = {}
    handler = _Recorder(received, before)
    outer = SIGNALS.recorded
    if current_thread() is main_thread():  # Python sets and runs handlers only in this thread
        for number in TERMINATING:
            previous = signal.getsignal(number)
            # SIG_IGN and SIG_DFL are not functions: an ignored signal stays ignored.
            if callable(previous):
                before[number] = previous
                signal.signal(number, handler)
        SIGNALS.recorded = received
    try:
        yield received
    finally:
        if SIGNALS.recorded is received:
            SIGNALS.recorded = outer
        for replaced, previous in before.items():
            if signal.getsignal(replaced) is handler:  # do not replace a handler that the code set
                signal.signal(replaced, previous)


class _Recorder:
    """A handler that records a signal and calls the previous handler."""

    # A class instead of a partial: Python's `signal` formats a handler whenever it is set or read,
    # and formatting a partial's content took most of the time of a short block.

    def __init__(self, received: list[int], before: dict[int, Any]) -> None:
        self._received = received
        self._before = before

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self._received.append(number)
        self._before[number](number, frame)


T = TypeVar("T")
Ts = TypeVarTuple("Ts")

# Seconds between two ticks: a call that swallowed an Alarm gets another Alarm after this time.
TICK = 0.05
# A worker is killed after this multiple of its limit in CPU time, if the alarm has no effect.
KILL_FACTOR = 3
# Duration of one wait for an answer, in seconds.
SLICE = 0.05
# If a tick or wait is late by more than this many seconds, this process was stopped.
STOPPED = 0.2
# Number of bytes per read: the capacity of a pipe on Linux.
CHUNK = 1 << 16


class TooLateError(Exception):
    """A call did not return within its time limit."""


class Alarm(Interruption):
    """Raised within the call; not an Exception, so `except Exception` does not catch it."""


if sys.platform != "win32":
    from signal import SIGALRM
else:
    SIGALRM = 0  # never used: no call can be interrupted there


# Looks at the running frame; returns whether the call has to end.
Look = Callable[[FrameType | None], bool]


class DeadlineTimer:
    """A timer that raises Alarm in a call, by a signal, when the `deadline` set by `start` passes.

    The timer ticks continuously between `open` and `close`, so most calls need no system call.
    `thread`: the thread that gets the Alarm. When the call returns, the caller must reset
    `deadline` to `inf`. A direct assignment of `deadline` is equivalent to `start` until
    `armed_until`, if the next tick, at `fires_at`, comes before the deadline and the limit is the
    same number of `seconds` as before.

    `lost`: the number of seconds in which this process was stopped while the timer was open.
    `look`: the function that `watched` calls with the running frame at every tick.
    """

    def __init__(self) -> None:
        self.thread: int | None = None
        self.deadline = inf
        self.fires_at = inf
        self.seconds, self.armed_until = 0.0, -inf
        self.lost = 0.0
        self.look: Look | None = None
        self._ticks = _Ticks()
        self._last = 0.0

    def open(self) -> None:
        """Start the ticks for calls in the current thread."""
        self._ticks.start()
        self._last = now = monotonic()
        self._set(TICK, now)
        self.thread = get_ident()

    def start(self, seconds: float, now: float) -> None:
        """Set the deadline of a call; `now`: the monotonic clock at the start of the call."""
        if now > self.armed_until or seconds != self.seconds:
            self._set_last_resort(seconds, now)
        self.deadline = deadline = now + seconds
        if deadline < self.fires_at:
            self._set(seconds, now)

    def close(self) -> None:
        """Stop all timers."""
        self.thread = None
        self.deadline = self.fires_at = inf
        self.seconds = 0.0
        _set_clock(0)
        _set_processor_clock(0)
        self._ticks.end()

    def fire(self, number: int, frame: FrameType | None) -> None:
        """Handle SIGALRM; see signal.signal."""
        now = monotonic()
        # A missed tick was due but not sent, because this process was stopped. Ticks that Python
        # has not handled yet are in the pipe, so they do not count as missed.
        missed = now - self._last - TICK * self._ticks.count()
        if missed > STOPPED:
            self.lost += missed
            self.deadline += missed
        self._last, self.fires_at = now, now + TICK
        if self.deadline <= now or (self.look is not None and self.look(frame)):
            raise Alarm  # again at every tick, because the call may swallow it
        if self.deadline < inf and SIGNALS.has_received:
            raise Interrupted  # again, because the code may have swallowed the first exception
        if self.deadline < self.fires_at:
            self._set(self.deadline - now, now)

    def _set(self, seconds: float, now: float) -> None:
        self.fires_at = now + seconds
        _set_clock(seconds)

    def _set_last_resort(self, seconds: float, now: float) -> None:
        # Compiled code never runs the Python part of the alarm. SIGVTALRM has no handler, so it
        # ends the process. It counts CPU time, so waiting or stopped workers are not killed.
        budget = KILL_FACTOR * seconds + 1
        # Renewed only after a tenth of the budget, so most calls need no system call.
        self.seconds, self.armed_until = seconds, now + budget / 10
        if is_worker():
            _set_processor_clock(budget)


def _set_clock(seconds: float) -> None:
    """Have SIGALRM sent after these seconds and then with every tick; with 0, no longer."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, seconds, TICK)


def _set_processor_clock(seconds: float) -> None:
    """Have SIGVTALRM sent after these seconds of processor time; with 0, not at all."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)


class _Ticks:
    """Counter of the SIGALRM signals of this process, unless other code has a wakeup fd."""

    def __init__(self) -> None:
        self._pipe: tuple[int, int] | None = None
        self._is_counting = False

    def start(self) -> None:
        """Start counting."""
        if self._pipe is None:
            self._pipe = os.pipe()
            if sys.platform != "win32":
                for end in self._pipe:
                    # A full pipe must not block a signal handler; set_wakeup_fd requires this.
                    os.set_blocking(end, False)
        before = signal.set_wakeup_fd(self._pipe[1], warn_on_full_buffer=False)
        self._is_counting = before == -1
        # Leave the wakeup fd to another library, for example asyncio; then stops of this process
        # are not detected.
        if not self._is_counting:
            signal.set_wakeup_fd(before)
        self.count()

    def end(self) -> None:
        """Stop counting."""
        if self._is_counting:
            signal.set_wakeup_fd(-1)

    def count(self) -> float:
        """Return the number of signals since the last call; infinite if it is unknown."""
        if self._pipe is None or not self._is_counting:
            return inf
        ticks = 0
        with suppress(BlockingIOError):
            while sent := os.read(self._pipe[0], CHUNK):
                ticks += sent.count(SIGALRM)
        return ticks


# A singleton, because a process has one SIGALRM timer.
TIMER = DeadlineTimer()


def within(seconds: float | None, call: Callable[[*Ts], T], *arguments: *Ts) -> T:
    """Return the value of a call; raises TooLateError if it takes longer than `seconds`.

    `seconds`: the limit, or None for no limit. In the main thread on POSIX systems the call is
    interrupted; if compiled code blocks the interruption and the process is a worker, the process
    is killed. Otherwise the call continues in a daemon thread.
    """
    if seconds is None:
        return call(*arguments)
    if TIMER.thread == get_ident():
        return _timed_call(seconds, call, *arguments)
    if not _can_use_signals():
        return _in_thread(seconds, call, *arguments)
    with deadlines():
        return _timed_call(seconds, call, *arguments)


def watched(look: Look, call: Callable[[*Ts], T], *arguments: *Ts) -> T:
    """Return the value of a call; raises TooLateError once `look` has returned True.

    `look` gets the running frame about every TICK seconds in which this process is not stopped. How
    the call is ended depends on the thread, as for `within`.
    """
    if TIMER.thread != get_ident() and not _can_use_signals():
        return _watched_in_thread(look, call, *arguments)
    with deadlines():
        outer = TIMER.look
        try:
            TIMER.look = look
            try:
                return call(*arguments)
            finally:
                TIMER.look = outer
        except Alarm:
            TIMER.look = outer  # the Alarm may come just before the reset above
            raise TooLateError from None


def get_within(queue: SimpleQueue[T], seconds: float) -> T:
    """Return the next item of a queue; raises Empty after a timeout in seconds.

    Time in which this process was stopped does not count.
    """
    remaining = max(seconds, 0.0)
    while True:
        wait, begun = min(remaining, SLICE), monotonic()
        try:
            return queue.get(timeout=wait)
        except Empty:
            # If a wait takes much longer than its timeout, this process was stopped.
            took = monotonic() - begun
            remaining -= took if took < wait + STOPPED else wait
            if remaining <= 0:
                raise


@contextmanager
def deadlines() -> Iterator[None]:
    """Keep the timer open for all calls in the block, which makes the calls faster."""
    if TIMER.thread == get_ident() or not _can_use_signals():
        yield
        return
    before = signal.signal(SIGALRM, TIMER.fire)
    try:
        TIMER.open()
        yield
    finally:
        TIMER.close()
        signal.signal(SIGALRM, before)


def _timed_call(seconds: float, call: Callable[[*Ts], T], *arguments: *Ts) -> T:
    try:
        TIMER.start(seconds, monotonic())
        try:
            return call(*arguments)
        finally:
            TIMER.deadline = inf
    except Alarm:
        TIMER.deadline = inf  # the Alarm may come just before the reset above
        raise TooLateError from None


def is_worker() -> bool:
    """Return whether this process is a replaceable worker."""
    from multiprocessing import parent_process  # imported late, because tables never need it

    return parent_process() is not None


def _can_use_signals() -> bool:
    return os.name == "posix" and current_thread() is main_thread()


def _in_thread(seconds: float, call: Callable[[*Ts], T], *arguments: *Ts) -> T:
    _, outcome = _begun(call, *arguments)
    try:
        answer = get_within(outcome, seconds)
    except Empty:
        raise TooLateError from None
    return answer()


def _watched_in_thread(look: Look, call: Callable[[*Ts], T], *arguments: *Ts) -> T:
    thread, outcome = _begun(call, *arguments)
    while True:
        try:
            answer = outcome.get(timeout=TICK)
        except Empty:
            if look(sys._current_frames().get(thread.ident or 0)):
                raise TooLateError from None
        else:
            return answer()


def _begun(
    call: Callable[[*Ts], T], *arguments: *Ts
) -> tuple[Thread, SimpleQueue[Callable[[], T]]]:
    """Start a call in a daemon thread; return the thread and a queue.

    The queue gets a function that returns the value of the call, or raises its exception.
    """
    outcome: SimpleQueue[Callable[[], T]] = SimpleQueue()

    def run() -> None:
        try:
            value = call(*arguments)
        except BaseException as error:  # noqa: BLE001  # raised again in the waiting thread
            outcome.put(partial(_raise, error))
        else:
            outcome.put(lambda: value)

    thread = Thread(target=run, daemon=True)
    thread.start()
    return thread, outcome


def _raise(error: BaseException) -> NoReturn:
    raise error
