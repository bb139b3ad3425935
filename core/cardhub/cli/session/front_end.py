"""Front ends of a game: the table on the screen, or plain text."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields, replace
from functools import partial, wraps
from pathlib import Path
from random import Random
from typing import Any

import click

from cardhub.cli.console import echo
from cardhub.cli.exit_codes import INTERRUPTED
from cardhub.cli.params import ASCII, BOT, PACE, THEME, parse_theme
from cardhub.cli.records.access import ALLOW, is_own, programs_of
from cardhub.cli.root import registry_of
from cardhub.cli.session.painter import Painter, choose_glyphs
from cardhub.cli.session.plain_table import Hint, PlainTable
from cardhub.errors import BotError, BotFaultError, OptionError, PluginError, RecordError
from cardhub.host.saved.preferences import load_preferences
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

# Plays the game that is saved at a path until it is over or left.
Play = Callable[[Path], object]

OPTIONS = (
    click.option("--plain", is_flag=True, help="Use plain text instead of the whole screen."),
    ASCII,
    click.option(
        "--pace",
        type=PACE,
        metavar="SECONDS",
        help="Minimum time between the actions of bots.",
    ),
    click.option(
        "--hint",
        type=BOT,
        help="Bot that gives hints. Default: the level hard, in most games two seconds of search.",
    ),
    click.option(
        "--theme",
        type=THEME,
        envvar="CARDHUB_THEME",
        show_envvar=True,
        help="Colours of the table on the screen; `cardhub themes` lists them.",
    ),
)


@dataclass(frozen=True, slots=True)
class FrontEnd:
    """The values of the front-end options.

    `pace` is in seconds, None for the default of the front end; `hint` is a bot, None for the
    default of the game; `theme` is a plugin's theme, or the name of one of Textual's themes.
    """

    plain: bool
    ascii_only: bool
    pace: float | None
    hint: str | None
    theme: Theme | str | None

    @property
    def is_plain(self) -> bool:
        """Whether to play in plain text: on request, or without a capable terminal."""
        return self.plain or not is_terminal() or os.environ.get("TERM") == "dumb"


def is_terminal() -> bool:
    """Return whether stdin and stdout are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def front_end_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the front-end options to a callback, which gets them as one argument, `front_end`."""

    @wraps(command)
    def with_front_end(*args: Any, **options: Any) -> Any:
        values = {field.name: options.pop(field.name) for field in fields(FrontEnd)}
        return command(*args, front_end=_with_preferences(FrontEnd(**values)), **options)

    # Decorators apply from the inside out: reversed, so that the help has the order of OPTIONS.
    for option in reversed(OPTIONS):
        with_front_end = option(with_front_end)
    return with_front_end


def _with_preferences(given: FrontEnd) -> FrontEnd:
    """Return front-end options with the person's settings where an option was not given."""
    liked = load_preferences()
    # In plain text all lines stay readable: it waits only if an option says so.
    pace = liked.pace if given.pace is None and not given.is_plain else given.pace
    theme = given.theme or (parse_theme(liked.theme) if liked.theme else None)
    return replace(given, pace=pace, theme=theme, ascii_only=given.ascii_only or liked.ascii)


def checked_bot(registry: PluginRegistry, where: str, spec: str, game: str) -> None:
    """Raise UsageError, with the option `where` in its message, unless a bot plays a game."""
    try:
        registry.settings_of(spec, game)
    except (PluginError, OptionError) as error:
        raise click.UsageError(f"{where}: {error}") from error


@contextmanager
def open_front_end(
    registry: PluginRegistry, referee: Referee[Any], front_end: FrontEnd
) -> Iterator[Play]:
    """Create the bots and yield a callback that plays the game.

    Raises PluginError, OptionError or BotError if a bot cannot be created, UsageError for an
    unknown bot in --hint.
    """
    game = referee.game.name
    if front_end.hint is not None:
        checked_bot(registry, f"--hint {front_end.hint}", front_end.hint, game)
    hint = front_end.hint or registry.default_hint(game)
    start = _in_plain_text if front_end.is_plain else _on_screen
    with start(registry, referee, front_end, hint) as play:
        yield play


@contextmanager
def _in_plain_text(
    registry: PluginRegistry, referee: Referee[Any], front_end: FrontEnd, hint: str
) -> Iterator[Play]:
    painter = Painter([p.name for p in referee.players], choose_glyphs(front_end.ascii_only))
    advisers = advisers_of(referee, registry, hint)
    adviser = Hint(hint, partial(ask_adviser, advisers, registry))
    with seated(registry, referee) as bots:
        # No pace by default: all lines stay readable, so there is no need to wait.
        yield lambda _: PlainTable(referee, bots, adviser, painter, front_end.pace or 0).play()


@contextmanager
def _on_screen(
    registry: PluginRegistry, referee: Referee[Any], front_end: FrontEnd, hint: str
) -> Iterator[Play]:
    lineup, advisers = bots_of(referee, registry), advisers_of(referee, registry, hint)
    _greet_programs(registry, referee)
    # Hints have a process of their own: stopping a hint must not end the bots, which remember their
    # game.
    with closing(BotProcess(lineup)) as bots, closing(BotProcess(advisers)) as adviser:
        table = partial(run_table, referee, bots, adviser, hint=hint, theme=front_end.theme)
        is_ascii = choose_glyphs(front_end.ascii_only).is_ascii
        table = partial(table, pace=front_end.pace, ascii_only=is_ascii)
        yield lambda path: _exit(table(record=path))


def _greet_programs(registry: PluginRegistry, referee: Referee[Any]) -> None:
    # Before the screen is taken over, so that a broken program is reported at the shell.
    # Once per kind: greeting starts the program, which may take long.
    kinds = dict.fromkeys(player.kind for player in referee.players if not player.is_human)
    with closing(registry):
        for kind in kinds:
            if registry.is_program(kind, referee.game.name):
                # Any generator will do: this bot is closed before its first action.
                close(registry.make_bot(kind, referee.game.name, Random(kind)))


def play_saved(referee: Referee[Any], play: Play, path: Path) -> None:
    """Play a game that is saved at a path; at the end, print where and how to continue."""
    # The bots of a resumed game were not asked for these decisions; a fault file says so.
    previous = decisions(referee)
    try:
        play(path)
    except BotFaultError as fault:
        # The full message may contain the bot's cards, and all people at the table read this.
        message = public_fault(referee.players[referee.seat], fault)
        report = _save_fault(referee, fault, path, previous)
        raise BotError(f"{message}\n{report}") from fault
    except KeyboardInterrupt:
        echo(err=True)  # otherwise the next message follows ^C on its line
        _exit(INTERRUPTED)
    finally:
        _print_saved(referee, path)


def _exit(code: int) -> None:
    click.get_current_context().exit(code)


def _save_fault(
    referee: Referee[Any], fault: BotFaultError, path: Path, previous: Counter[int]
) -> str:
    """Write a fault file and return a string with the command that reads it."""
    try:
        saved = save_fault(referee, fault, path, previous)
    except RecordError as error:
        return f"No fault file is written: {error}"
    return f"To reproduce it: cardhub bot repro {click.format_filename(saved)}"


def _print_saved(referee: Referee[Any], path: Path) -> None:
    seed = seed_in_words(referee.seed, is_over=referee.is_over)
    echo(f"{referee.game.title}, {seed}: {path}", err=True)
    if not referee.is_over:
        registry = registry_of(click.get_current_context())
        programs = programs_of(registry, referee.game.name, tuple(referee.players))
        # `resume` starts programs that a record elsewhere names only with this option.
        option = f" {ALLOW}" if not is_own(path) and any(programs) else ""
        echo(f"Continue with: cardhub resume {click.format_filename(path)}{option}", err=True)
