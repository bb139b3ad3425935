"""Calls and imports of third-party code: any exception becomes a PluginError with file and line.

A plugin may print while it is imported, take long, or never return. So its output goes to stderr,
where it cannot mix with the output of a command, a slow import says which plugin it is, and a
second Ctrl-C ends the process even if the plugin has swallowed the first one. An import that takes
very long is an error.
"""

import importlib
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout, suppress
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

from cardhub.base.errors import Interruption, PluginError
from cardhub.base.errors.quoting import describe_exception
from cardhub.bots.deadline import TERMINATING, TIMER, TooLateError, record_signals, within
from cardhub.plugins.discovery import Declaration

T = TypeVar("T")
# Prefixes of the files of cardhub and of the import system.
_NOT_PLUGINS = (str(Path(__file__).parents[1]), str(Path(importlib.__file__).parent), "<frozen ")


def guarded(declared: Declaration, failure: str, call: Callable[[], T]) -> T:
    """Return the result of a call into a plugin; raises PluginError for any exception of it."""
    with record_signals() as signals:
        try:
            return call()
        except (PluginError, Interruption):  # an Interruption is a deadline of the caller
            raise
        except BaseException as error:
            # Ctrl-C during the call raises KeyboardInterrupt from a handler: the user's wish, not
            # a fault of the plugin. The same exception without a signal was raised by the plugin.
            if signals and isinstance(error, KeyboardInterrupt | SystemExit):
                raise
            raise plugin_error(declared, failure, error) from error


def plugin_error(declared: Declaration, failure: str, error: BaseException) -> PluginError:
    """Return the PluginError for an exception raised by a plugin."""
    location = find_location(error, declared.source())
    where = f" ({location})" if location else ""
    hint = _import_hint(declared, error)
    return PluginError(f"{declared} {failure}: {describe_exception(error)}{where}{hint}")


def safe_repr(value: object) -> str:
    """Return the repr of a plugin's object, or its type if `__repr__` raises."""
    try:
        return str(repr(value))
    except BaseException:  # noqa: BLE001  # a __repr__ may raise anything
        return f"an object of type {type(value).__name__}"


def find_location(error: BaseException, source: Path | None = None) -> str:
    """Return `file:line` of the innermost frame of a plugin, whose file is `source`, or ''."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno or 1}"
    # The file of the plugin may be unknown, or the error one of its call: then the innermost frame
    # outside cardhub and the import system.
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if source and _belongs(frame.filename, source)]
    foreign = [frame for frame in frames if not frame.filename.startswith(_NOT_PLUGINS)]
    blamed = own or foreign
    return f"{blamed[-1].filename}:{blamed[-1].lineno}" if blamed else ""


def came_from(error: BaseException, source: Path | None) -> bool:
    """Return whether a frame of the plugin with this file is in the traceback."""
    frames = traceback.extract_tb(error.__traceback__)
    return source is not None and any(_belongs(frame.filename, source) for frame in frames)


def _belongs(filename: str, source: Path) -> bool:
    if source.name == "__init__.py":
        return Path(filename).is_relative_to(source.parent)
    return Path(filename) == source


def _import_hint(declared: Declaration, error: BaseException) -> str:
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    if declared.version or missing is None or missing.partition(".")[0] != declared.name:
        return ""
    return ". In a plugins directory a package imports its own modules relatively: from .x import y"


# Seconds after which an import says that it goes on.
PATIENCE = 3.0

# Seconds after which an import is ended.
LIMIT = 60.0

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
        stack.callback(timer.join)  # the output of the next import depends on the number of threads
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
