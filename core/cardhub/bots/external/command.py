"""Check commands before they are run."""

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import which

from cardhub.base.errors import OptionError
from cardhub.base.errors.suggestions import did_you_mean

# Pattern of words in a command that look like file names.
FILE = re.compile(r"[^\s-]\S*\.\w+")


def check_command(command: str) -> None:
    """Raise OptionError, with a hint, unless a command's program exists."""
    program = shlex.split(command)[0]
    if which(program):
        return
    path = Path(program)
    if path.is_file():
        raise OptionError(
            f"{program!r} cannot be executed: name what runs it, too, such as python {program}"
            + (f", or make it executable and say ./{program}" if path.name == program else "")
        )
    if path.is_dir():
        raise OptionError(f"{program!r} is a folder, not a program")
    # A path is not searched for on PATH, so programs there are no suggestion.
    if path.name != program:
        raise OptionError(_no_file(program))
    raise OptionError(f"there is no program {program!r}.{did_you_mean(program, _programs())}")


def missing_file(words: Sequence[str]) -> str:
    """Return an error text for the first argument that looks like a file and does not exist."""
    missing = (word for word in words[1:] if FILE.fullmatch(word) and not Path(word).exists())
    return next(map(_no_file, missing), "")


def _no_file(word: str) -> str:
    folder = Path(word).parent
    names = [str(folder / name) for name in _names(folder)]
    return f"there is no file {word!r}.{did_you_mean(word, names)}"


def _programs() -> Iterator[str]:
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        yield from _names(Path(folder))


def _names(folder: Path) -> list[str]:
    try:
        return [path.name for path in folder.iterdir()]
    except OSError:
        return []
