"""What a new game may be called: its name is that of its Python package, too."""

import keyword
import re
import sys
import unicodedata
from collections.abc import Collection
from importlib.util import find_spec

from cardhub.errors import AuthoringError

SHAPE = re.compile(r"[a-z][a-z0-9_]{0,49}")
TAKEN = {"tests": "the folder for tests is called so"}


def check_name(name: str, games: Collection[str]) -> None:
    """Raise AuthoringError, saying what would be right, if a new game cannot be called so.

    `games` are the names of those installed.
    """
    if not SHAPE.fullmatch(name):
        raise AuthoringError(
            f"{name!r} cannot be the name of a package: that is made of a-z, 0-9 and _, begins "
            f"with a letter and has at most 50 of them.{_hint(_shaped(name, games))}"
        )
    why = _taken(name, games)
    if why:
        free = (f"{name}{end}" for end in ("_game", "_cards", "_table"))
        hint = next((other for other in free if not _taken(other, games)), "")
        raise AuthoringError(f"a game cannot be called {name!r}: {why}.{_hint(hint)}")


def _taken(name: str, games: Collection[str]) -> str:
    """Return why a name cannot be had, or nothing."""
    if name in games:
        return "there is a game of that name"
    if keyword.iskeyword(name):
        return "that is a word of Python"
    if name in sys.stdlib_module_names:
        return "that is a module of Python"
    if name in TAKEN:
        return TAKEN[name]
    spec = find_spec(name)
    is_module = spec is not None and spec.origin is not None  # not just a folder somewhere
    return "that is a package which is installed" if is_module else ""


def _shaped(name: str, games: Collection[str]) -> str:
    """Return a name like this one that a package can have, or nothing."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    shaped = re.sub(r"[^a-z0-9]+", "_", plain.lower()).lstrip("_0123456789").rstrip("_")
    return shaped if SHAPE.fullmatch(shaped) and not _taken(shaped, games) else ""


def _hint(name: str) -> str:
    return f" Did you mean {name!r}?" if name else ""
