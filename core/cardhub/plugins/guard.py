"""Calling a plugin's code: whatever goes wrong there becomes a PluginError that says where."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, TypeVar

from cardhub.errors import Interruption, PluginError
from cardhub.plugins.declared import Declared
from cardhub.plugins.place import place_of

T = TypeVar("T")
ENDING = (signal.SIGINT, signal.SIGTERM)
"""Signals by which a user ends the program: what their handlers raise is no plugin's fault."""


def guarded(declared: Declared, failure: str, call: Callable[[], T]) -> T:
    """Return what a plugin's code returns; raises PluginError with the cause and its place.

    That is so whatever the code raises, SystemExit and KeyboardInterrupt included; only a signal
    that comes meanwhile passes through, or a deadline.
    """
    with heard_signals() as signals:
        try:
            return call()
        except (PluginError, Interruption):
            raise
        except BaseException as error:
            if signals and isinstance(error, KeyboardInterrupt | SystemExit):
                raise
            raise failed(declared, failure, error) from error


@contextmanager
def heard_signals() -> Iterator[list[int]]:
    """Yield a list of the signals that come while the block runs; their handlers run as before."""
    heard: list[int] = []
    before: dict[int, Any] = {}
    note = partial(_note, heard, before)
    if current_thread() is main_thread():  # no other thread may set handlers, or runs them
        before |= {n: signal.getsignal(n) for n in ENDING}
        for number, handler in before.items():
            if callable(handler):
                signal.signal(number, note)
    try:
        yield heard
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) is note:  # otherwise the plugin has set one of its own
                signal.signal(number, handler)


def failed(declared: Declared, failure: str, error: BaseException) -> PluginError:
    """Return the error for an exception that came out of a plugin."""
    place = place_of(error, declared.source())
    where = f" ({place})" if place else ""
    hint = _import_hint(declared, error)
    return PluginError(f"{declared} {failure}: {explain(error)}{where}{hint}")


def explain(error: BaseException) -> str:
    """Return an exception in one line: its kind and its message, if it can tell one."""
    kind = type(error).__name__
    try:
        return f"{kind}: {error}".rstrip(": ")
    except BaseException as second:  # noqa: BLE001  # the exception's own __str__ may raise anything
        return f"{kind}, whose message cannot be read: {type(second).__name__}"


def shown(value: object) -> str:
    """Return the repr of a plugin's object, or what it is if it has none."""
    try:
        return str(repr(value))
    except BaseException:  # noqa: BLE001  # a __repr__ may raise anything
        return f"an object of type {type(value).__name__}"


def _note(heard: list[int], before: dict[int, Any], number: int, frame: FrameType | None) -> None:
    heard.append(number)
    before[number](number, frame)


def _import_hint(declared: Declared, error: BaseException) -> str:
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    if declared.version or missing is None or missing.partition(".")[0] != declared.name:
        return ""
    return ". In a plugins directory a package imports its own modules relatively: from .x import y"
