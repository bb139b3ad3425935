"""`cardhub new`: validate the name of a new game, and write its package from templates."""

import keyword
import re
import sys
import unicodedata
from collections.abc import Collection
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import NamedTuple

import click

import cardhub
from cardhub.base.errors import AuthoringError
from cardhub.cli.bot.new_bot import KITS, check_bot_name, print_commands, write_kit
from cardhub.cli.console import echo
from cardhub.cli.new_folder import filled_template, write_folder
from cardhub.cli.params import shell_path
from cardhub.cli.root import registry_of
from cardhub.plugins.groups import GAMES


class NewFile(NamedTuple):
    """A file of a new package; `$name` in the string `path` stands for the name of the game.

    A template of a kind stands in the folder of the kind.
    """

    path: str
    template: str
    content: str = ""
    """Description for people; files without one are not listed."""


FILES = (
    NewFile("AGENTS.md", "agents.tmpl", "how to work on it, for coding agents"),
    NewFile("README.md", "readme.tmpl", "what to do next"),
    NewFile("match.yaml", "match.tmpl", "a match of two bots"),
    NewFile("pyproject.toml", "pyproject.tmpl"),
    NewFile("$name/__init__.py", "init.tmpl"),
    NewFile("$name/cards.yaml", "$kind/cards.tmpl", "the cards"),
    NewFile("$name/game.py", "$kind/game.tmpl", "the rules and the display"),
    NewFile("$name/py.typed", "typed.tmpl"),
    NewFile("$name/rules.md", "$kind/rules.tmpl", "the rules for players"),
    NewFile("tests/test_$name.py", "tests.tmpl", "all checks, in one line"),
)

# The games to start from, with what happens in them.
KINDS = {
    "highest": "each player plays a card; the strongest card wins all of them",
    "kuhn": "a hidden card each, and one bet",
    "tricks": "follow suit, and the highest card of the suit led takes the trick",
    "draft": "take cards from an open row, and collect colours",
    "rummy": "draw and discard until your hand is a set or a run",
}
DEFAULT_KIND = "highest"

_VALID_NAME = re.compile(r"[a-z][a-z0-9_]{0,49}")
_RESERVED = {"tests": "it is the name of the folder for tests"}
_SUFFIXES = ("_game", "_cards", "_table")


def check_name(name: str, games: Collection[str]) -> None:
    """Raise AuthoringError, with a suggestion, if a new package cannot have this name.

    `games` are the names of the installed games.
    """
    if not _VALID_NAME.fullmatch(name):
        # NFKD splits off accents: é becomes e and is not dropped.
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
        form = re.sub(r"[^a-z0-9]+", "_", plain.lower()).lstrip("_0123456789").rstrip("_")
        proposal = form if _VALID_NAME.fullmatch(form) and not _conflict(form, games) else ""
        raise AuthoringError(
            f"invalid package name {name!r}: use a-z, 0-9 and _, begin with a letter, "
            f"at most 50 characters.{_hint(proposal)}"
        )
    reason = _conflict(name, games)
    if reason:
        candidates = (f"{name}{suffix}" for suffix in _SUFFIXES)
        hint = next((other for other in candidates if not _conflict(other, games)), "")
        raise AuthoringError(f"invalid game name {name!r}: {reason}.{_hint(hint)}")


def _conflict(name: str, games: Collection[str]) -> str:
    """Return why a well-formed name is not available, or an empty string."""
    if name in games:
        return "a game with this name is installed"
    if keyword.iskeyword(name):
        return "it is a keyword of Python"
    if name in sys.stdlib_module_names:
        return "it is a module of Python's standard library"
    if name in _RESERVED:
        return _RESERVED[name]
    # The package must not hide an installed one, nor be hidden by it.
    spec = find_spec(name)
    is_module = spec is not None and spec.origin is not None  # a namespace package has no origin
    return "a package with this name is installed" if is_module else ""


def _hint(name: str) -> str:
    return f" Did you mean {name!r}?" if name else ""


def write_package(name: str, parent: Path, kind: str = DEFAULT_KIND) -> Path:
    """Write the package of a new game of a kind into a new folder, and return the folder.

    The folder appears with all of its files or not at all. Raises AuthoringError; existing files
    are never overwritten.
    """
    words = _substitutions(name, kind)
    folder = parent / name
    write_folder(
        folder,
        {
            _filled(file.path, words): filled_template(
                "cardhub.cli.game", _filled(file.template, {"kind": kind}), words
            )
            for file in FILES
        },
    )
    return folder


def _filled(text: str, words: dict[str, str]) -> str:
    return Template(text).substitute(words)


def _substitutions(name: str, kind: str) -> dict[str, str]:
    words = name.replace("_", " ").split()
    # The class must not have the same name as a class that game.tmpl imports.
    class_name = "".join(map(str.capitalize, words))
    is_imported = class_name in {*cardhub.__all__, "Path", "Table"}  # names that game.tmpl uses
    return {
        "name": name,
        "title": " ".join(words).capitalize(),
        "kind": f"{class_name}Game" if is_imported else class_name,
        "what_happens": KINDS[kind],
        "distribution": "-".join(["cardhub", *words]),
    }


@click.command()
@click.argument("name", help="Name of the game and of its package, or of the bot.")
@click.option(
    "--from",
    "kind",
    type=click.Choice(list(KINDS)),
    help=f"The kind of game to start from. Default: {DEFAULT_KIND}.",
)
@click.option(
    "--bot",
    "language",
    type=click.Choice(list(KITS)),
    help="Create a bot in this language instead of a game.",
)
@click.option(
    "--dir",
    "where",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    metavar="DIR",
    help="Parent of the new folder (default: the current directory).",
)
@click.pass_context
def new(ctx: click.Context, name: str, kind: str | None, language: str | None, where: Path) -> None:
    """Create a small working game, or a bot, that you can edit.

    A game is a package in a new folder: cards, rules, a page of rules and tests. A bot is a program
    that plays legal actions at random, with its build, its check and a workflow for GitHub.
    Existing files are never overwritten.

    Kinds: `highest` (play a card, the strongest wins all), `kuhn` (a hidden card and a bet),
    `tricks` (follow suit), `draft` (take from an open row, collect colours), `rummy` (draw and
    discard for a set or a run).
    """
    if kind and language:
        raise click.UsageError("--from is for games: leave it out, or --bot.")
    try:
        if language:
            check_bot_name(name)
        else:
            check_name(name, [game.name for game in registry_of(ctx).declared(GAMES)])
    except AuthoringError as error:
        raise click.BadParameter(str(error), ctx, param_hint="'NAME'") from error
    if (where / name).exists():
        message = f"{where / name} exists already, and files are not overwritten"
        raise click.BadParameter(message, ctx, param_hint="'NAME'")
    if language:
        print_commands(write_kit(name, where, language), language)
    else:
        _print_next_steps(name, write_package(name, where, kind or DEFAULT_KIND))


def _print_next_steps(name: str, folder: Path) -> None:
    listed = {folder / _filled(file.path, {"name": name}): file.content for file in FILES}
    width = max(len(str(path)) for path, content in listed.items() if content)
    for path, content in listed.items():
        if content:
            echo(f"{path!s:{width}}  {content}")
    argument = shell_path(folder)  # the printed commands are copied
    steps = (
        f"python -m pip install -e {argument}",
        f"cardhub check {name}",
        f"cardhub play {name}",
    )
    echo("\n  ".join(["\nNext:", *steps]))
    echo(f"\nWithout installing it: cardhub --plugins-dir {argument} check {name}")
