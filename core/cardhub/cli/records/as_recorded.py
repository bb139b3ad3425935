"""Running a command with the cards and rules that a game was recorded with.

The kept sources are imported by a new process: in this one the installed game may be loaded.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import click

from cardhub.base.errors import RecordError
from cardhub.play.host.opening import recorded_game
from cardhub.play.host.saved.editions import AS_RECORDED, Editions
from cardhub.play.records.edition_files import KeptEdition, unpack
from cardhub.play.records.reading import Record, read_record
from cardhub.plugins.registry import PluginRegistry

PLUGINS = "--plugins-dir"
F = TypeVar("F", bound=Callable[..., Any])


def as_recorded_option() -> Callable[[F], F]:
    """Return the option that runs a command with a record's own cards and rules."""
    return click.option(
        AS_RECORDED,
        "as_recorded",
        is_flag=True,
        help="If the game has changed since, use the cards and rules that it was recorded with.",
    )


def run_as_recorded(ctx: click.Context, registry: PluginRegistry, path: Path) -> None:
    """Run this command again with a record's own cards and rules, and exit with its code.

    Return if the installed game has the same ones. Raises RecordError if they were not kept.
    """
    record, editions = read_record(path), Editions()
    if record.edition is None:
        raise RecordError(f"{path}: this record is from before records named their cards and rules")
    game = recorded_game(registry, record)
    if not editions.changes_since(game, record.edition):
        return
    kept = editions.find_kept(game.name, record.edition)
    if kept is None or not kept.sources:
        raise RecordError(f"{path}: {_why_lost(record, editions, is_kept=kept is not None)}")
    with TemporaryDirectory(prefix="cardhub-edition-") as folder:
        ctx.exit(_run(kept, registry.directories, Path(folder)))


def _why_lost(record: Record, editions: Editions, *, is_kept: bool) -> str:
    if is_kept:
        return "the cards of its edition were kept, but its code was not: the package is too large"
    return (
        f"its edition {'-'.join(record.edition or ())} is not in {editions.place}: its cards and "
        "code cannot be restored. They are kept where a game begins; copy the file from there"
    )


def _run(kept: KeptEdition, directories: Iterable[Path], folder: Path) -> int:
    environment = {**os.environ}
    environment.pop("CARDHUB_PLUGINS_DIR", None)
    if kept.is_plugin_file:
        plugins = list(_plugins_with(kept, directories, folder))
    else:
        unpack(kept, folder)
        before = environment.get("PYTHONPATH")
        environment["PYTHONPATH"] = os.pathsep.join([str(folder), *([before] if before else [])])
        plugins = list(directories)
    options = [f"{PLUGINS}={path}" for path in plugins]
    # -P: a package in the current folder must not come before the kept one.
    command = [sys.executable, "-P", "-m", "cardhub", *options, *_same_command(sys.argv[1:])]
    with subprocess.Popen(command, env=environment) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue  # the other process got it as well, and decides


def _plugins_with(kept: KeptEdition, directories: Iterable[Path], folder: Path) -> Iterable[Path]:
    """Yield the plugins directories; the one with the game is a copy with the kept sources."""
    first = Path(next(iter(kept.sources))).parts[0]
    for number, directory in enumerate(directories):
        if (directory / first).exists():
            copy = folder / str(number)
            shutil.copytree(directory, copy, ignore=shutil.ignore_patterns("__pycache__"))
            unpack(kept, copy)
            yield copy
        else:
            yield directory


def _same_command(arguments: Sequence[str]) -> list[str]:
    """Return the arguments of this command without the edition and the plugins directories."""
    kept, following = list[str](), iter(arguments)
    for argument in following:
        if argument == PLUGINS:
            next(following, None)
        elif argument != AS_RECORDED and not argument.startswith(f"{PLUGINS}="):
            kept.append(argument)
    return kept
