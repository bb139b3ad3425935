"""Where in a plugin's code something went wrong."""

import importlib
import traceback
from pathlib import Path

OURS = (str(Path(__file__).parents[1]), str(Path(importlib.__file__).parent), "<frozen ")
"""Whose lines are never where a plugin went wrong, although the error passed through them."""


def place_of(error: BaseException, source: Path | None = None) -> str:
    """Return `file:line` of the last line of a plugin's own that an error came from, or nothing.

    `source` is the plugin's file; without it, or if the error began elsewhere, any file counts that
    is neither cardhub's nor of the import system.
    """
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno or 1}"
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if source and _belongs(frame.filename, source)]
    strange = [frame for frame in frames if not frame.filename.startswith(OURS)]
    found = own or strange
    return f"{found[-1].filename}:{found[-1].lineno}" if found else ""


def came_from(error: BaseException, source: Path | None) -> bool:
    """Return whether code of the plugin with this file was running when an exception was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    return source is not None and any(_belongs(frame.filename, source) for frame in frames)


def _belongs(filename: str, source: Path) -> bool:
    """Return whether a file is the plugin's, or one of its package's."""
    if source.name == "__init__.py":
        return Path(filename).is_relative_to(source.parent)
    return Path(filename) == source
