"""Access to records: their game, the programs that they name, and who may view them.

A command that needs the cards and rules a game was recorded with runs in a new process, because in
this one the installed game may be loaded.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import click

from cardhub.base.errors import OptionError, PluginError, RecordError
from cardhub.base.errors.quoting import did_you_mean, printable
from cardhub.cli.root import warn
from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.model.table.state_declaration import shows_spectators_more
from cardhub.play.host.opening import recorded_game
from cardhub.play.host.replays.viewpoints import (
    ALL,
    SPECTATOR,
    default_viewer,
    viewer_name,
)
from cardhub.play.host.saved.editions import AS_RECORDED, Editions
from cardhub.play.host.saved.saves import home
from cardhub.play.records.edition_files import KeptEdition, unpack
from cardhub.play.records.reading import Record, read_record
from cardhub.play.seating import Player
from cardhub.plugins.discovery import PLUGINS_DIR
from cardhub.plugins.registry import PluginRegistry

ALLOW = "--allow-programs"


def warn_damaged(record: Record) -> Record:
    """Return the record; print a warning if its last line was damaged and left out."""
    if record.torn:
        warn(record.damage)
    return record


def warn_changed(game: Game[Any], record: Record) -> None:
    """Print a warning if the cards or rules of a game have changed since a record."""
    if text := Editions().describe_changes(game, record):
        warn(text)


def write_new(path: Path, content: str | bytes) -> None:
    """Write a new file, completely or not at all; raises RecordError."""
    # Bytes keep the ends of lines as they are.
    data = content.encode() if isinstance(content, str) else content
    try:
        file = path.open("xb")  # mode x also fails if the file appears after a check
    except FileExistsError:
        raise RecordError(f"{path} exists already, and files are not overwritten") from None
    except OSError as error:
        raise RecordError(f"{path} cannot be written: {error.strerror}") from error
    try:
        with file:
            file.write(data)
    except OSError as error:
        # On a full disk the beginning of the text would remain, and look like a whole file.
        path.unlink(missing_ok=True)
        raise RecordError(f"{path} cannot be written: {error.strerror}") from error


def programs_of(registry: PluginRegistry, game: str, players: tuple[Player, ...]) -> Iterator[str]:
    """Yield the commands of the programs among the players, and the files that bots load."""
    for kind in dict.fromkeys(player.kind for player in players if not player.is_human):
        try:
            parts = list(registry.parts(kind, game))
        except (PluginError, OptionError):
            continue  # reported when the bot is created
        for part in parts:
            yield from part.loads


def refuse_programs(registry: PluginRegistry, record: Record) -> None:
    """Raise UsageError if a record that is not a saved game of one's own names programs."""
    # One's own games name only programs that this user chose.
    header = record.header
    if is_own(record.path):
        return
    players = tuple(player for _, player in record.seatings)
    commands = list(programs_of(registry, header.game, players))
    if commands:
        raise click.UsageError(
            f"{record.path}:1: continuing would start a program or load a file: "
            f"{printable(', '.join(commands))}\n"
            f"fix: add {ALLOW} if you trust this file"
        )


def is_own(path: Path) -> bool:
    """Return whether a record is among the saved games."""
    try:
        # Resolved: a link may lead to the record of another person.
        return path.resolve().parent == (home() / "games").resolve()
    except OSError:
        return False


def choose_viewer(game: Game[Any], record: Record, who: str | None) -> int:
    """Return the viewer called `who`; raises UsageError if that viewer must not be shown.

    See `default_viewer` for the default.
    """
    header, players = record.header, record.players
    spectator = len(players)
    own = spectator if header.viewer is None else header.viewer
    people = [players[seat].name for seat in record.people]
    viewer = default_viewer(game, record) if who is None else _named(players, who)
    # In some games spectators see the hands that their owners do not see.
    is_secret = header.viewer is None and people and not record.is_finished
    if is_secret and viewer == spectator and shows_spectators_more(game.state_type.zones):
        raise click.UsageError(
            "this game is not over, and spectators see hands that their owners must not see. "
            f"Use --as {' or '.join(people)}"
        )
    if who is None:
        return viewer
    if header.viewer is not None and viewer not in (own, spectator):
        held = viewer_name(players, own)
        raise click.UsageError(f"this record contains only what {held} saw: use --as {held}")
    if not record.is_finished and viewer not in (spectator, *record.people):
        known = " or ".join([*people, SPECTATOR])
        raise click.UsageError(
            f"this game is not over: the view of {who} is still secret. Use --as {known}"
        )
    return viewer


def _named(players: Sequence[Player], who: str) -> int:
    names = {player.name.casefold(): seat for seat, player in enumerate(players)}
    # Players may be called `all` or `spectator`: names of players win.
    names = {ALL: EVERYTHING, SPECTATOR: len(players)} | names
    if who.casefold() in names:
        return names[who.casefold()]
    known = [*(player.name for player in players), SPECTATOR, ALL]
    hint = did_you_mean(who, known)
    raise click.UsageError(f"unknown viewer {who!r}.{hint} Known: {', '.join(known)}")


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
    environment.pop(PLUGINS_DIR, None)
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
