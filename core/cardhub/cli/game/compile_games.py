"""`cardhub compile`: compile the core and the rules of games."""

import os
import shutil
import sys
import sysconfig
from collections.abc import Collection
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import click

from cardhub.base.errors import CardhubError
from cardhub.base.native.finder import read_manifest
from cardhub.base.native.folder import VARIABLE, build_folder
from cardhub.base.writing import amount
from cardhub.cli.console import echo
from cardhub.cli.root import registry_of
from cardhub.compiling.compiled_games import (
    build_request,
    chosen_games,
    compilable_games,
    game_sources,
)
from cardhub.compiling.native_build import BuildResult, build, remove
from cardhub.compiling.rules.rules_build import build_rules

COMPILERS = ("cc", "gcc", "clang")


@click.command("compile")
@click.argument("games", metavar="[GAME|FOLDER]...", nargs=-1)
@click.option("--remove", "removes", is_flag=True, help="Delete all compiled modules instead.")
@click.pass_context
def compile_games(ctx: click.Context, games: tuple[str, ...], removes: bool) -> None:
    """Compile the rules of games, for speed.

    Without a name all games that have rules in Python. Games compiled before stay compiled. Equal
    seeds give equal games, records and choices of bots, compiled or not. If a source changes
    afterwards, all runs interpreted until it is compiled again.
    """
    folder = _folder()
    if removes:
        _remove(folder, games)
        return
    _check_tools()
    sources = game_sources(registry_of(ctx))
    wanted = chosen_games(sources, games) if games else {*sources}
    wanted = compilable_games(sources, wanted, games)
    before = read_manifest(folder)
    wanted |= {name for name in (before.games if before else ()) if name in sources}
    echo(f"compiling {', '.join(sorted(wanted))}: this takes a minute or two")
    request = build_request(sources[name] for name in sorted(wanted))
    rules = {name: registry_of(ctx).game(name) for name in sorted(wanted)}
    result = build(request, folder, wanted, _progress, partial(build_rules, rules))
    _report(result, len(request.modules), folder)
    report_rules(result, {*games})


def _folder() -> Path:
    folder = build_folder()
    if folder is None:
        raise CardhubError(f"compiled modules are disabled. fix: unset {VARIABLE}")
    return folder


def _remove(folder: Path, games: tuple[str, ...]) -> None:
    if games:
        raise click.UsageError(
            "--remove deletes the modules of all games. fix: leave out the names"
        )
    echo(f"deleted {folder}" if remove(folder) else "there are no compiled modules")


def _check_tools() -> None:
    if find_spec("mypyc") is None or find_spec("setuptools") is None:
        remedy = "pip install '.[compile]' in the checkout of cardhub"
        raise CardhubError(f"mypyc is not installed. fix: {remedy}")
    # On Windows setuptools finds a compiler that is not on the path.
    named = os.environ.get("CC", "").split()[:1]
    if sys.platform != "win32" and not any(map(shutil.which, (*named, *COMPILERS))):
        names = ", ".join(COMPILERS)
        raise CardhubError(f"no C compiler is installed ({names}). fix: install gcc or clang")
    header = Path(sysconfig.get_paths()["include"], "Python.h")
    if not header.exists():
        raise CardhubError(
            f"the headers of Python are not installed: {header} is missing. fix: install the "
            "package python3-dev (Debian, Ubuntu) or python3-devel (Fedora)"
        )


def _progress(text: str) -> None:
    echo(f"  {text}")


def _report(result: BuildResult, wanted: int, folder: Path) -> None:
    for obstacle in result.obstacles:
        echo(f"interpreted: {obstacle}")
    # The library that all modules share does not count: it is not a module of the sources.
    compiled = wanted - len(result.obstacles)
    echo(f"compiled {compiled} of {wanted} modules into {folder}")


def report_rules(result: BuildResult, named: Collection[str]) -> None:
    """Print which rules are in C, and what of the others is not understood; all of it if named."""
    rules = result.rules
    built = [name for name, reasons in rules.items() if not reasons]
    if built:
        echo(f"rules in C: {', '.join(built)}")
    for name, reasons in rules.items():
        shown = reasons if name in named else reasons[:1]
        for reason in shown:
            echo(f"not in C: {name}: {reason}")
        if len(reasons) > len(shown):
            echo(f"not in C: {name}: {amount(len(reasons) - len(shown), 'more place')}")
