"""What a record names, looked up with care: it may come from somebody else."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from cardhub.cli.saves import home
from cardhub.errors import OptionError, PluginError
from cardhub.errors.printable import printable
from cardhub.game.game import Game
from cardhub.play.records.reading import Record
from cardhub.play.seating import Player
from cardhub.plugins.bot_parts import parts_of
from cardhub.plugins.registry import PluginRegistry

ALLOW = "--allow-programs"


def recorded_game(registry: PluginRegistry, record: Record) -> Game[Any]:
    """Return the game of a record; raises PluginError, naming the record, if it is missing."""
    try:
        return registry.game(record.header.game)
    except PluginError as error:
        raise PluginError(f"{record.path}:1: {error}") from error


def programs_of(registry: PluginRegistry, game: str, players: tuple[Player, ...]) -> Iterator[str]:
    """Yield the commands of the programs that would play."""
    for kind in dict.fromkeys(player.kind for player in players if not player.is_human):
        try:
            commands = [part.command for part in parts_of(registry, kind, game)]
        except (PluginError, OptionError):
            continue  # there is no such bot: it is an error when it sits down
        yield from filter(None, commands)


def refuse_programs(registry: PluginRegistry, record: Record) -> None:
    """Raise click's usage error if a record from elsewhere would start programs."""
    header = record.header
    if is_own(record.path):
        return
    commands = list(programs_of(registry, header.game, header.players))
    if commands:
        raise click.UsageError(
            f"{record.path}:1: going on would start a program: {printable(', '.join(commands))}\n"
            f"fix: add {ALLOW} if you trust this file"
        )


def is_own(path: Path) -> bool:
    """Return whether a record lies among one's own saved games."""
    try:
        return path.resolve().parent == (home() / "games").resolve()
    except OSError:
        return False
