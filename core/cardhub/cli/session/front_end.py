"""Front ends of a game: the table on the screen, or plain text."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import wraps
from typing import Any

import click

from cardhub.base.errors import BotError, BotFaultError, OptionError, PluginError, RecordError
from cardhub.cli.console import echo
from cardhub.cli.exit_codes import INTERRUPTED
from cardhub.cli.params import ASCII, BOT, PACE, PLAIN, THEME, parse_theme
from cardhub.cli.records.access import ALLOW, is_own, programs_of
from cardhub.cli.root import registry_of
from cardhub.cli.session.painter import Painter, check_glyphs, choose_glyphs
from cardhub.cli.session.text_table import PlainTextTable
from cardhub.play.advice import public_fault
from cardhub.play.host.opening import PACE as SCREEN_PACE
from cardhub.play.host.opening import Opener
from cardhub.play.host.saved.preferences import DEFAULTS, Preferences, load_preferences
from cardhub.play.host.scheduler import BlockingScheduler, LoopScheduler
from cardhub.play.host.table_host import Host
from cardhub.play.table_commands import PlayForced
from cardhub.plugins.registrations import Theme
from cardhub.plugins.registry import PluginRegistry
from cardhub.tui import run_table
from cardhub.view.text.glyphs import GlyphChoice

THEME_OPTION = click.option(
    "--theme",
    type=THEME,
    envvar="CARDHUB_THEME",
    show_envvar=True,
    help="Colours of the table on the screen; `cardhub themes` lists them.",
)
OPTIONS = (
    PLAIN,
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
        help="Bot that gives hints. Default: adviser, in most games two seconds of search.",
    ),
    THEME_OPTION,
)
# Bots and hints of a remote table are the server's.
REMOTE_OPTIONS = (PLAIN, ASCII, THEME_OPTION)


@dataclass(frozen=True, slots=True)
class FrontEnd:
    """The values of the front-end options.

    `pace` is in seconds, None for the default of the front end; `hint` is a bot, None for the
    default of the game; `theme` is a plugin's theme, or the name of one of Textual's themes.
    `preferences` are the saved settings, for those without an option.
    """

    plain: bool
    ascii_only: bool
    pace: float | None = None
    hint: str | None = None
    theme: Theme | str | None = None
    preferences: Preferences = DEFAULTS

    @property
    def is_plain(self) -> bool:
        """Whether to play in plain text: on request, or without a capable terminal."""
        return self.plain or not is_terminal() or os.environ.get("TERM") == "dumb"

    @property
    def glyphs(self) -> GlyphChoice:
        """The characters of tables and text."""
        return "ascii" if self.ascii_only else self.preferences.glyphs


def is_terminal() -> bool:
    """Return whether stdin and stdout are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def front_end_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the front-end options to a callback, which gets them as one argument, `front_end`."""
    return _with_options(command, OPTIONS)


def remote_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the front-end options for a remote table to a callback, as one argument, `front_end`."""
    return _with_options(command, REMOTE_OPTIONS)


def _with_options(
    command: Callable[..., Any], options: Sequence[Callable[..., Any]]
) -> Callable[..., Any]:
    @wraps(command)
    def with_front_end(*args: Any, **given: Any) -> Any:
        names = [field.name for field in fields(FrontEnd) if field.name in given]
        values = {name: given.pop(name) for name in names}
        return command(*args, front_end=_with_preferences(FrontEnd(**values)), **given)

    # Reversed, because decorators apply from the inside out: the help has the order of OPTIONS.
    for option in reversed(options):
        with_front_end = option(with_front_end)
    return with_front_end


def _with_preferences(given: FrontEnd) -> FrontEnd:
    """Return front-end options; the person's settings replace options that were not given."""
    liked = load_preferences()
    # In plain text all lines stay readable, so it waits only if an option requests it.
    pace = liked.pace if given.pace is None and not given.is_plain else given.pace
    theme = given.theme or (parse_theme(liked.theme) if liked.theme else None)
    return replace(
        given,
        pace=pace,
        theme=theme,
        preferences=liked,
    )


def checked_bot(registry: PluginRegistry, where: str, spec: str, game: str) -> None:
    """Raise UsageError, with the option `where` in its message, unless a bot plays a game."""
    try:
        registry.settings_of(spec, game)
    except (PluginError, OptionError) as error:
        raise click.UsageError(f"{where}: {error}") from error


def table_opener(registry: PluginRegistry, front_end: FrontEnd) -> Opener:
    """Return the opener of tables for a front end."""
    if front_end.is_plain:
        # No pace by default, because all lines stay readable.
        return Opener(registry, BlockingScheduler(), pace=front_end.pace or 0, is_inline=True)
    pace = SCREEN_PACE if front_end.pace is None else front_end.pace
    return Opener(registry, LoopScheduler(), pace=pace)


def check_hint(registry: PluginRegistry, front_end: FrontEnd, game: str) -> None:
    """Raise UsageError unless the bot of --hint, if given, plays a game."""
    if front_end.hint is not None:
        checked_bot(registry, f"--hint {front_end.hint}", front_end.hint, game)


def play_hosted(host: Host, front_end: FrontEnd) -> None:
    """Play games to their end or until one is left; then print where and how to continue."""
    hosts = [host]
    try:
        code = _play(host, front_end, lambda following: _follow(hosts, following, front_end))
        if hosts[-1].activity.failure is not None:
            raise hosts[-1].activity.failure
        if hosts[-1].activity.fault is not None:
            raise hosts[-1].activity.fault
    except BotFaultError as fault:
        raise _with_advice(hosts[-1], fault) from fault
    except KeyboardInterrupt:
        echo(err=True)  # otherwise the next message follows ^C on its line
        code = INTERRUPTED
    finally:
        for played in hosts:
            _print_saved(played)
        hosts[-1].close()
    if code:
        click.get_current_context().exit(code)


def _follow(hosts: list[Host], following: Host, front_end: FrontEnd) -> None:
    """Close the game before; the list keeps it, because its path is printed at the end."""
    hosts[-1].close()
    hosts.append(following)
    _set_single_choices(following, front_end)


def _play(host: Host, front_end: FrontEnd, opened: Callable[[Host], None]) -> int:
    """Play at a table; return the exit code of the program."""
    if isinstance(host.scheduler, BlockingScheduler):
        painter = Painter(choose_glyphs(front_end.glyphs))
        PlainTextTable(host, host.scheduler, painter).play()
        return 0
    _set_single_choices(host, front_end)
    return run_table(
        host,
        glyphs=check_glyphs(front_end.glyphs),
        theme=front_end.theme,
        preferences=front_end.preferences,
        on_opened=opened,
    )


def _set_single_choices(host: Host, front_end: FrontEnd) -> None:
    for seat in host.people:
        host.model(seat).send(PlayForced(is_on=front_end.preferences.plays_forced))


def _with_advice(host: Host, fault: BotFaultError) -> BotError:
    """Write a fault file; return the error with its command, for all people at the table."""
    # The full message may contain the bot's cards.
    message = public_fault(host.players[host.bot_seat], fault)
    try:
        path = click.format_filename(host.save_fault(fault))
    except RecordError as error:
        return BotError(f"{message}\nNo fault file is written: {error}")
    return BotError(f"{message}\nTo reproduce it: cardhub bot repro {path}")


def _print_saved(host: Host) -> None:
    path = host.path
    if path is None:
        return
    echo(f"{host.title}, {host.seed_text}: {path}", err=True)
    if not host.is_over:
        registry = registry_of(click.get_current_context())
        programs = programs_of(registry, host.game, tuple(host.players))
        # `resume` starts programs that a record elsewhere names only with this option.
        option = f" {ALLOW}" if not is_own(path) and any(programs) else ""
        echo(f"Continue with: cardhub resume {click.format_filename(path)}{option}", err=True)
