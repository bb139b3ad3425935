"""Lines of third-party code, for errors that are its author's to fix."""

import inspect
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from traceback import walk_tb
from types import CodeType, FrameType, TracebackType
from typing import NamedTuple

# With a separator at the end, because the name of a game's package may begin with the core's.
CORE_FOLDER = str(Path(__file__).parents[2] / "_")[:-1]
# The standard library only runs on behalf of others. Installed packages are in a folder of it.
LIBRARY = sysconfig.get_paths()["stdlib"]
PACKAGES = sysconfig.get_paths()["purelib"]


class SourceLine(NamedTuple):
    """A line of third-party code, and the functions that were running there, innermost first."""

    path: str
    number: int
    functions: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{_last_parts(self.path)}:{self.number}"


# Cached: every scene is validated, and each of its parts names the line that made it.
@lru_cache(maxsize=256)
def _last_parts(path: str) -> str:
    # Without its folders a path is the same on every machine.
    return "/".join(Path(path).parts[-2:])


class _Noting:
    """How many blocks of `noting_lines` run."""

    depth = 0


@contextmanager
def noting_lines() -> Iterator[None]:
    """Record, for each part of a scene made in this block, the line that makes it."""
    _Noting.depth += 1
    try:
        yield
    finally:
        _Noting.depth -= 1


def is_noting() -> bool:
    """Return whether this is run within `noting_lines`."""
    return _Noting.depth > 0


def line_of_field(kind: type, name: str) -> SourceLine | None:
    """Return the line of a class or its bases that declares a field, None without its source."""
    for base in kind.__mro__:
        try:
            lines, first = inspect.getsourcelines(base)
            path = inspect.getsourcefile(base) or ""
        except (OSError, TypeError):  # compiled, or typed at a prompt
            continue
        for number, line in enumerate(lines, first):
            if re.match(rf"\s+{name}\b[^(]*[:=]", line):
                return SourceLine(path, number)
    return None


def calling_line() -> SourceLine | None:
    """Return the line of the innermost caller outside cardhub, None if there is none."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if not is_skipped(frame.f_code.co_filename):
            return SourceLine(frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    return None


def third_party_frames(frame: FrameType | None, code: CodeType) -> list[FrameType]:
    """Return the frames outside cardhub that the innermost run of `code` has called, in order.

    `frame` is the running frame. Without a run of `code` there are none.
    """
    inside: list[FrameType] = []
    while frame is not None and frame.f_code is not code:
        if not is_skipped(frame.f_code.co_filename):
            inside.append(frame)
        frame = frame.f_back
    return inside[::-1] if frame is not None else []


def raising_line(traceback: TracebackType | None) -> SourceLine | None:
    """Return the innermost line outside cardhub in a traceback, None if there is none.

    Its functions are those between this line and the core, which called the outermost of them.
    """
    frames = list(walk_tb(traceback))
    lines = list(_third_party(reversed(frames)))
    if not lines:
        return None
    path, number, _ = lines[0]
    return SourceLine(path, number, tuple(name for line in lines for name in line.functions))


def _third_party(frames: Iterable[tuple[FrameType, int]]) -> Iterator[SourceLine]:
    """Yield the lines of the first run of frames that are not the core's."""
    is_inside = False
    for frame, number in frames:
        code = frame.f_code
        if not is_skipped(code.co_filename):
            is_inside = True
            yield SourceLine(code.co_filename, number, (code.co_name,))
        elif is_inside:
            return


# Cached: every part of a scene asks about the same few files.
@lru_cache(maxsize=1024)
def is_skipped(path: str) -> bool:
    """Return whether a file belongs to the core or to Python, and not to a plugin or program."""
    # "<string>" is the generated __init__ of a dataclass.
    is_library = path.startswith(LIBRARY) and not path.startswith(PACKAGES)
    return is_library or path.startswith((CORE_FOLDER, "<"))
