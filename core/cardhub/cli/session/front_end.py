"""Playing a game to its end, or until somebody leaves, in the front end that fits."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from random import Random
from typing import Any

import click

from cardhub.cli.console import echo
from cardhub.cli.exit_codes import INTERRUPTED
from cardhub.cli.params import BotType, PaceType, ThemeType
from cardhub.cli.records.access import ALLOW, is_own, programs_of
from cardhub.cli.root import registry_of
from cardhub.cli.session.painter import Painter, choose_glyphs
from cardhub.cli.session.plain_table import Hint, PlainTable
from cardhub.errors import BotError, BotFaultError, OptionError, PluginError, RecordError
from cardhub.play.advice import public_fault
from cardhub.play.bot_process.lineup import advisers_of, ask_adviser, bots_of
from cardhub.play.bot_process.process import BotProcess
from cardhub.play.fault_report import decisions, save_fault
from cardhub.play.referee import Referee
from cardhub.play.seeds import seed_in_words
from cardhub.play.setup import close, seated
from cardhub.plugins.registrations import Theme
from cardhub.plugins.registry import PluginRegistry
from cardhub.tui import run_table

Play = Callable[[Path], object]
"""Plays a game that is saved at a path until it is over or left."""

OPTIONS = (
    click.option("--plain", is_flag=True, help="Plain text instead of the table on the screen."),
    click.option("--ascii", "ascii_only", is_flag=True, help="Draw with plain characters only."),
    click.option(
        "--pace",
        type=PaceType(),
        metavar="SECONDS",
        help="The least time between the actions of bots.",
    ),
    click.option("--hint", type=BotType(), help="Bot that gives hints. Default: the level hard."),
    click.option(
        "--theme",
        type=ThemeType(),
        envvar="CARDHUB_THEME",
        show_envvar=True,
        help="The colours of the table on the screen; `cardhub themes` lists them.",
    ),
)


@dataclass(frozen=True, slots=True)
class Front:
    """How a game is to be shown; `pace` is in seconds, None for what the front end finds good."""

    plain: bool
    ascii_only: bool
    pace: float | None
    hint: str | None
    """Whom to ask for hints, as text; None for the best bot there is."""
    theme: Theme | str | None
    """The colours of the table, a plugin's or by the name that Textual has for them."""

    @property
    def is_plain(self) -> bool:
        """Whether to play in plain text: on request, and wherever there is no real terminal."""
        return self.plain or not is_terminal() or os.environ.get("TERM") == "dumb"


def is_terminal() -> bool:
    """Return whether a person reads and types at a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def front_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how a game is shown; they come as one argument, `front`."""

    @wraps(command)
    def with_front(
        *args: Any,
        plain: bool,
        ascii_only: bool,
        pace: float | None,
        hint: str | None,
        theme: Theme | str | None,
        **others: Any,
    ) -> Any:
        front = Front(plain, ascii_only, pace, hint, theme)
        return command(*args, front=front, **others)

    for option in reversed(OPTIONS):
        with_front = option(with_front)
    return with_front


def checked_bot(registry: PluginRegistry, where: str, spec: str, game: str) -> str:
    """Return a bot as text; raises click's usage error, saying where, if there is no such bot."""
    try:
        registry.settings_of(spec, game)
    except (PluginError, OptionError) as error:
        raise click.UsageError(f"{where}: {error}") from error
    return spec


@contextmanager
def sitting(registry: PluginRegistry, referee: Referee[Any], front: Front) -> Iterator[Play]:
    """Have bots sit down in the front end that fits, and yield what plays the game at a path.

    Raises PluginError, OptionError or BotError if a bot cannot be made, and click's usage error if
    nobody can be asked for hints.
    """
    game, hint = referee.game.name, front.hint
    if hint is None:
        hint = registry.default_hint(game)
    else:
        checked_bot(registry, f"--hint {hint}", hint, game)
    begin = _in_plain_text if front.is_plain else _on_screen
    with begin(registry, referee, front, hint) as play:
        yield play


@contextmanager
def _in_plain_text(
    registry: PluginRegistry, referee: Referee[Any], front: Front, hint: str
) -> Iterator[Play]:
    painter = Painter([p.name for p in referee.players], choose_glyphs(front.ascii_only))
    advisers = advisers_of(referee, registry, hint)
    helper = Hint(hint, partial(ask_adviser, advisers, registry))
    with seated(registry, referee) as bots:
        yield lambda _: PlainTable(referee, bots, helper, painter, front.pace or 0).play()


@contextmanager
def _on_screen(
    registry: PluginRegistry, referee: Referee[Any], front: Front, hint: str
) -> Iterator[Play]:
    lineup, advisers = bots_of(referee, registry), advisers_of(referee, registry, hint)
    _greet_programs(registry, referee)
    with closing(BotProcess(lineup)) as bots, closing(BotProcess(advisers)) as adviser:
        table = partial(run_table, referee, bots, adviser, hint=hint, theme=front.theme)
        glyphs = choose_glyphs(front.ascii_only)
        how = partial(table, pace=front.pace, ascii_only=glyphs.is_ascii)
        yield lambda path: _exit(how(record=path))


def _greet_programs(registry: PluginRegistry, referee: Referee[Any]) -> None:
    """Have programs introduce themselves once before the game; raises BotError."""
    kinds = dict.fromkeys(player.kind for player in referee.players if not player.is_human)
    with closing(registry):
        for kind in kinds:
            if registry.is_program(kind, referee.game.name):
                close(registry.make_bot(kind, referee.game.name, Random(kind)))


def play_on(referee: Referee[Any], play: Play, path: Path) -> None:
    """Play from where the game stands; whatever ends it, say where it is saved."""
    missed = decisions(referee)
    try:
        play(path)
    except BotFaultError as fault:
        # Anybody may read it.
        told = public_fault(referee.players[referee.seat], fault)
        raise BotError(f"{told}\n{_keep(referee, fault, path, missed)}") from fault
    except KeyboardInterrupt:
        echo(err=True)  # what follows does not stand behind ^C
        _exit(INTERRUPTED)
    finally:
        _tell_where(referee, path)


def _exit(code: int) -> None:
    click.get_current_context().exit(code)


def _keep(referee: Referee[Any], fault: BotFaultError, path: Path, missed: Counter[int]) -> str:
    """Write down how a bot came to a fault, and return how to see it again."""
    try:
        kept = save_fault(referee, fault, path, missed)
    except RecordError as error:
        return f"How it came to that is not kept: {error}"
    return f"To see it again: cardhub bot repro {click.format_filename(kept)}"


def _tell_where(referee: Referee[Any], path: Path) -> None:
    seed = seed_in_words(referee.seed, is_over=referee.is_over)
    echo(f"{referee.game.title}, {seed}: {path}", err=True)
    if not referee.is_over:
        registry = registry_of(click.get_current_context())
        starts = programs_of(registry, referee.game.name, tuple(referee.players))
        needed = f" {ALLOW}" if not is_own(path) and any(starts) else ""
        echo(f"Go on with: cardhub resume {click.format_filename(path)}{needed}", err=True)
