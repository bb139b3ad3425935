"""Playing a game to its end, or until somebody leaves, in the front end that fits."""

import os
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from cardhub.bots import Bot
from cardhub.cli.exits import INTERRUPTED
from cardhub.cli.params import PaceType
from cardhub.cli.picture import Painter, choose_glyphs
from cardhub.cli.plain_table import PlainTable
from cardhub.errors import BotFaultError, RecordError
from cardhub.play.referee import Referee
from cardhub.play.reproducing import decisions, save_fault
from cardhub.tui import run_table

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Front:
    """How a game is to be shown; `pace` is in seconds, None for what the front end finds good."""

    plain: bool
    ascii_only: bool
    pace: float | None

    @property
    def is_plain(self) -> bool:
        """Whether to play in plain text: on request, and wherever there is no real terminal."""
        return self.plain or not is_terminal() or os.environ.get("TERM") == "dumb"


def is_terminal() -> bool:
    """Return whether a person reads and types at a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def front_options(command: F) -> F:
    """Add the options that say how a game is shown."""
    options = (
        click.option(
            "--plain", is_flag=True, help="Plain text instead of the table on the screen."
        ),
        click.option(
            "--ascii", "ascii_only", is_flag=True, help="Draw with plain characters only."
        ),
        click.option(
            "--pace",
            type=PaceType(),
            metavar="SECONDS",
            help="The least time between the actions of bots.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def play_on(referee: Referee[Any], bots: dict[int, Bot], path: Path, front: Front) -> None:
    """Play from where the game stands; whatever ends it, say where it is saved."""
    missed = decisions(referee)
    try:
        if front.is_plain:
            painter = Painter([p.name for p in referee.players], choose_glyphs(front.ascii_only))
            PlainTable(referee, bots, painter, front.pace or 0).play()
        else:
            pace, ascii_only = front.pace, choose_glyphs(front.ascii_only).is_ascii
            code = run_table(referee, bots, pace=pace, ascii_only=ascii_only, record=path)
            click.get_current_context().exit(code)
    except BotFaultError as fault:
        raise fault.told(f"{fault}\n{_keep(referee, fault, path, missed)}") from fault
    except KeyboardInterrupt:
        click.echo(err=True)  # what follows does not stand behind ^C
        click.get_current_context().exit(INTERRUPTED)
    finally:
        _tell_where(referee, path)


def _keep(referee: Referee[Any], fault: BotFaultError, path: Path, missed: Counter[int]) -> str:
    """Write down how a bot came to a fault, and return how to see it again."""
    try:
        kept = save_fault(referee, fault, path, missed)
    except RecordError as error:
        return f"How it came to that is not kept: {error}"
    return f"To see it again: cardhub bot repro {click.format_filename(kept)}"


def _tell_where(referee: Referee[Any], path: Path) -> None:
    click.echo(f"{referee.game.title}, seed {referee.seed}: {path}", err=True)
    if not referee.is_over:
        click.echo(f"Go on with: cardhub resume {click.format_filename(path)}", err=True)
