"""Calls of third-party code: any exception becomes a PluginError with its file and line."""

import importlib
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from cardhub.base.errors import Interruption, PluginError
from cardhub.base.errors.quoting import describe_exception
from cardhub.bots.deadline import record_signals
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
