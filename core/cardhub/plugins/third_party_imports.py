"""Imports of third-party plugins: their output goes to stderr, and they are ended.

A plugin may print while it is imported, take long, or never return. So its output cannot mix with
the output of a command, a slow import says which plugin it is, and a second Ctrl-C ends the process
even if the plugin has swallowed the first one. An import that takes very long is an error.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from types import FrameType
from typing import Any, TypeVar

from cardhub.base.errors import PluginError
from cardhub.bots.deadline import TERMINATING, TIMER, TooLateError, within
from cardhub.plugins.discovery import Declaration

# Seconds after which an import says that it goes on.
PATIENCE = 3.0

# Seconds after which an import is ended.
LIMIT = 60.0

T = TypeVar("T")
Notify = Callable[[str], None]
# The third-party plugins for any game that this process, or the one it was forked from, imports.
IMPORTED_GUESTS: set[Declaration] = set()


def stay_silent(_message: str) -> None:
    """Ignore a message."""


@contextmanager
def third_party_import(declared: Declaration, notify: Notify) -> Iterator[None]:
    """Guard the block, which imports a plugin or calls its hooks.

    `notify`: is called from another thread if the block takes long.
    """
    if declared.is_own:
        yield
        return
    if declared.is_guest:
        IMPORTED_GUESTS.add(declared)
    message = f"still importing {declared}. To leave it out, use --no-plugin {declared.name}"
    timer = threading.Timer(PATIENCE, notify, (message,))
    timer.daemon = True
    with ExitStack() as stack:
        stack.enter_context(output_to_stderr())  # before there is a second thread
        stack.enter_context(_interruptible())
        timer.start()
        stack.callback(timer.cancel)
        yield


def call_within_limit(declared: Declaration, call: Callable[[], T]) -> T:
    """Return the value of a call that imports a plugin; raises PluginError if it takes too long."""
    # A signal ends it. In another thread it would not end, and could wait for modules of this one.
    has_signals = os.name == "posix" and threading.current_thread() is threading.main_thread()
    # Within a call that has a limit of its own, that limit ends the import as well.
    if declared.is_own or not has_signals or TIMER.thread is not None:
        return call()
    try:
        return within(LIMIT, call)
    except TooLateError:
        reason = f"its import did not end within {LIMIT:g} seconds"
        fix = f"fix: leave it out with --no-plugin {declared.name}"
        raise PluginError(f"{declared} cannot be used: {reason}. {fix}") from None


@contextmanager
def output_to_stderr() -> Iterator[None]:
    """Redirect the standard output of the block to stderr, also that of programs it starts."""
    is_alone = threading.active_count() == 1  # no other thread writes to the file meanwhile
    stdout = sys.stdout
    copy = None
    if is_alone:
        with suppress(OSError, ValueError, AttributeError):  # closed, or not a file
            stdout.flush()
            if stdout.fileno() == 1:
                copy = os.dup(1)
                os.dup2(2, 1)
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        if copy is not None:
            with suppress(OSError, ValueError):
                stdout.flush()  # what the block wrote to the redirected file
            os.dup2(copy, 1)
            os.close(copy)


class _Interrupter:
    """A signal handler that lets the second signal of a kind end the process."""

    def __init__(self, previous: dict[int, Any]) -> None:
        self._previous = previous
        self.raised: BaseException | None = None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        try:
            self._previous[number](number, frame)
        except BaseException as error:
            # The import may swallow it. A handler that returns defers the signal instead.
            self.raised = error
            signal.signal(number, signal.SIG_DFL)
            raise


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let signals end the block: raises what a handler raised even if the block swallowed it."""
    previous: dict[int, Any] = {}
    handler = _Interrupter(previous)
    if threading.current_thread() is threading.main_thread():  # Python sets handlers only there
        for number in TERMINATING:
            before = signal.getsignal(number)
            if callable(before):  # neither ignored nor the system's default
                previous[number] = before
                signal.signal(number, handler)
    try:
        yield
    finally:
        for replaced, before in previous.items():
            signal.signal(replaced, before)
    if handler.raised is not None:
        raise handler.raised
