"""New games: validation of the package name, and the files made from templates."""

import keyword
import re
import shlex
import sys
import tempfile
import unicodedata
from collections.abc import Collection
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import NamedTuple

import click

import cardhub
from cardhub.cli.console import echo
from cardhub.cli.root import registry_of
from cardhub.errors import AuthoringError

FILES = {
    "README.md": "readme.tmpl",
    "match.yaml": "match.tmpl",
    "pyproject.toml": "pyproject.tmpl",
    "$name/__init__.py": "init.tmpl",
    "$name/cards.yaml": "cards.tmpl",
    "$name/game.py": "game.tmpl",
    "$name/py.typed": "typed.tmpl",
    "$name/rules.md": "rules.tmpl",
    "tests/test_$name.py": "tests.tmpl",
}
"""The template of each file; `$name` is the name of the game."""

_VALID_NAME = re.compile(r"[a-z][a-z0-9_]{0,49}")
_RESERVED = {"tests": "it is the name of the folder for tests"}
_SUFFIXES = ("_game", "_cards", "_table")


class NewPackage(NamedTuple):
    """A written package: its folder, and its files relative to the folder."""

    folder: Path
    files: tuple[Path, ...]


def check_name(name: str, games: Collection[str]) -> None:
    """Raise AuthoringError, with a suggestion, if a new package cannot have this name.

    `games` are the names of the installed games.
    """
    if not _VALID_NAME.fullmatch(name):
        raise AuthoringError(
            f"invalid package name {name!r}: use a-z, 0-9 and _, begin with a letter, "
            f"at most 50 characters.{_hint(_valid_form(name, games))}"
        )
    reason = _conflict(name, games)
    if reason:
        candidates = (f"{name}{suffix}" for suffix in _SUFFIXES)
        hint = next((other for other in candidates if not _conflict(other, games)), "")
        raise AuthoringError(f"invalid game name {name!r}: {reason}.{_hint(hint)}")


def _conflict(name: str, games: Collection[str]) -> str:
    """Return why a well-formed name is not available, or an empty string."""
    if name in games:
        return "a game of this name is installed"
    if keyword.iskeyword(name):
        return "it is a keyword of Python"
    if name in sys.stdlib_module_names:
        return "it is a module of Python's standard library"
    if name in _RESERVED:
        return _RESERVED[name]
    spec = find_spec(name)
    is_module = spec is not None and spec.origin is not None  # a namespace package has no origin
    return "a package of this name is installed" if is_module else ""


def _valid_form(name: str, games: Collection[str]) -> str:
    """Return the nearest valid name that is available, or an empty string."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    form = re.sub(r"[^a-z0-9]+", "_", plain.lower()).lstrip("_0123456789").rstrip("_")
    return form if _VALID_NAME.fullmatch(form) and not _conflict(form, games) else ""


def _hint(name: str) -> str:
    return f" Did you mean {name!r}?" if name else ""


def write_package(name: str, where: Path) -> NewPackage:
    """Write the package of a new game into a new folder; raises AuthoringError.

    The folder appears with all of its files or not at all; existing files are never overwritten.
    """
    folder = where / name
    if folder.exists():
        raise AuthoringError(f"{folder} exists already; nothing is ever overwritten")
    words = _substitutions(name)
    try:
        # In the same folder as the result: a rename is atomic only within a file system.
        with tempfile.TemporaryDirectory(dir=where, prefix=f".{name}-") as temporary:
            draft = Path(temporary, name)
            paths = [
                _write(draft, Template(path), template, words) for path, template in FILES.items()
            ]
            draft.rename(folder)
    except OSError as error:
        raise AuthoringError(f"{folder} cannot be written: {error.strerror}") from error
    return NewPackage(folder, tuple(path.relative_to(draft) for path in paths))


def _write(draft: Path, path: Template, template: str, words: dict[str, str]) -> Path:
    file = draft / path.substitute(words)
    file.parent.mkdir(parents=True, exist_ok=True)
    text = _templates().joinpath(template).read_text("utf-8")
    file.write_text(Template(text).substitute(words), "utf-8", newline="\n")
    return file


def _templates() -> Traversable:
    return files("cardhub.cli.game").joinpath("templates")


def _substitutions(name: str) -> dict[str, str]:
    """Return the values of the placeholders in the templates."""
    words = name.replace("_", " ").split()
    kind = "".join(map(str.capitalize, words))
    is_imported = kind in {*cardhub.__all__, "Path", "Table"}  # names that game.tmpl uses
    return {
        "name": name,
        "title": " ".join(words).capitalize(),
        "kind": f"{kind}Game" if is_imported else kind,
        "distribution": "-".join(["cardhub", *words]),
    }


CONTENTS = {
    "cards.yaml": "the cards",
    "game.py": "the rules and the display",
    "rules.md": "the rules for players",
    "match.yaml": "a match of two bots",
    "README.md": "what to do next",
}
"""Descriptions of files; files without one are not listed."""


@click.command()
@click.argument("name", help="Name of the game and of its package.")
@click.option(
    "--dir",
    "where",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    metavar="DIR",
    help="Parent of the new folder (default: the current directory).",
)
@click.pass_context
def new(ctx: click.Context, name: str, where: Path) -> None:
    """Create a small working game that you can edit.

    It is a package in a new folder: cards, rules, a page of rules and tests. Existing files are
    never overwritten.
    """
    try:
        check_name(name, registry_of(ctx).game_names())
    except AuthoringError as error:
        raise click.BadParameter(str(error), ctx, param_hint="'NAME'") from error
    if (where / name).exists():
        message = f"{where / name} exists already; nothing is ever overwritten"
        raise click.BadParameter(message, ctx, param_hint="'NAME'")
    written = write_package(name, where)
    _tell(name, written.folder, written.files)


def _tell(name: str, folder: Path, files: tuple[Path, ...]) -> None:
    told = {folder / file: _content(file) for file in files}
    width = max(len(str(path)) for path, content in told.items() if content)
    for path, content in told.items():
        if content:
            echo(f"{path!s:{width}}  {content}")
    place = shlex.quote(click.format_filename(folder))
    echo(f"\nNext:\n  pip install -e {place}\n  cardhub check {name}\n  cardhub play {name}")


def _content(file: Path) -> str:
    return (
        "all checks, in one line" if file.stem.startswith("test_") else CONTENTS.get(file.name, "")
    )
