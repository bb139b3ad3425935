"""Calling a plugin's code: whatever goes wrong there becomes a PluginError that says where."""

from collections.abc import Callable
from typing import TypeVar

from cardhub.errors import PluginError
from cardhub.plugins.declared import Declared
from cardhub.plugins.place import place_of

T = TypeVar("T")


def guarded(declared: Declared, failure: str, call: Callable[[], T]) -> T:
    """Return what a plugin's code returns; raises PluginError with the cause and its place."""
    try:
        return call()
    except PluginError:
        raise
    except (Exception, SystemExit) as error:  # a stranger's code may raise anything
        raise failed(declared, failure, error) from error


def failed(declared: Declared, failure: str, error: BaseException) -> PluginError:
    """Return the error for an exception that came out of a plugin."""
    place = place_of(error, declared.source())
    where = f" ({place})" if place else ""
    hint = _import_hint(declared, error)
    return PluginError(f"{declared} {failure}: {explain(error)}{where}{hint}")


def explain(error: BaseException) -> str:
    """Return an exception in one line: its kind, unless it is our own, and its message."""
    return f"{type(error).__name__}: {error}".rstrip(": ")


def _import_hint(declared: Declared, error: BaseException) -> str:
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    if declared.version or missing is None or missing.partition(".")[0] != declared.name:
        return ""
    return ". In a plugins directory a package imports its own modules relatively: from .x import y"
