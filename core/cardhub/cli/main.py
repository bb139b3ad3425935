"""The command `cardhub`: its subcommands, standard streams and signals."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from threading import current_thread, main_thread
from typing import NoReturn

import click

from cardhub.cli.console import discard_unwritable, show_printable_tracebacks
from cardhub.cli.exit_codes import HUNG_UP, MEANINGS, PIPE, TERMINATED
from cardhub.cli.lazy import LazyCommand
from cardhub.cli.root import Root, check_excluded, exclude_plugins, registry_of
from cardhub.plugins.discovery import NO_PLUGIN, PLUGINS_DIR

COMMANDS = {
    "play": LazyCommand("cardhub.cli.session.play_game:play", "Play a game against bots."),
    "learn": LazyCommand(
        "cardhub.cli.session.learn_game:learn", "Learn a game in a first hand with comments."
    ),
    "resume": LazyCommand("cardhub.cli.session.resume_game:resume", "Continue an unfinished game."),
    "join": LazyCommand(
        "cardhub.cli.online.join_command:join", "Play or watch at a table of a server."
    ),
    "replay": LazyCommand(
        "cardhub.cli.records.replay_record:replay",
        "Replay a recorded game; without FILE, list the saved games.",
    ),
    "export": LazyCommand(
        "cardhub.cli.records.export_record:export", "Write a recorded game in another format."
    ),
    "verify": LazyCommand(
        "cardhub.cli.records.show_statistics:verify",
        "Check that a game was played with the deal that its record commits to.",
    ),
    "stats": LazyCommand(
        "cardhub.cli.records.show_statistics:stats",
        "Print results of games over time.",
    ),
    "serve": LazyCommand(
        "cardhub.cli.online.serve_tables:serve", "Serve tables to browsers and terminals."
    ),
    "mcp": LazyCommand("cardhub.cli.online.mcp_command:mcp", "Let an assistant play at a table."),
    "games": LazyCommand("cardhub.cli.game.game_info:games", "List the installed games."),
    "rules": LazyCommand(
        "cardhub.cli.game.game_info:rules", "Explain a game: its rules, options and cards."
    ),
    "bot": LazyCommand(
        "cardhub.cli.bot:bot",
        "List bots, check or exploit one, show prompts, or connect one with a server.",
    ),
    "match": LazyCommand(
        "cardhub.cli.match:match",
        "Play matches between bots, as described by a line or a match file.",
    ),
    "league": LazyCommand(
        "cardhub.cli.match.run_league:league",
        "Train a learner against its earlier versions, and rate each checkpoint.",
    ),
    "train": LazyCommand(
        "cardhub.cli.match.train_network:train",
        "Train an opponent by self-play, and measure how strong it is.",
    ),
    "tune": LazyCommand(
        "cardhub.cli.match.tune_bot:tune", "Find the values of a bot's options that win most."
    ),
    "ladder": LazyCommand(
        "cardhub.cli.match.run_ladder:ladder", "Rate versions of bots in one list."
    ),
    "cite": LazyCommand(
        "cardhub.cli.match.cite_match:cite", "Print BibTeX entries of cardhub and of a match."
    ),
    "grade": LazyCommand(
        "cardhub.cli.bot.grade_bots:grade",
        "Grade the bots of a course.",
    ),
    "study": LazyCommand(
        "cardhub.cli.game.study_command:study",
        "Study a game for its designers, from matches between bots.",
    ),
    "solve": LazyCommand(
        "cardhub.cli.game.solve_game:solve", "Find near-perfect play of a small game."
    ),
    "new": LazyCommand(
        "cardhub.cli.game.new_package:new",
        "Create a small working game, or a bot, that you can edit.",
    ),
    "dev": LazyCommand(
        "cardhub.cli.game.dev_game:dev",
        "Develop a game with its tables in view.",
    ),
    "check": LazyCommand("cardhub.cli.game.check_game:check", "Check a game for faults."),
    "mutate": LazyCommand(
        "cardhub.cli.game.mutate_game:mutate",
        "Find rules that no check and no test covers.",
    ),
    "compile": LazyCommand(
        "cardhub.cli.game.compile_games:compile_games",
        "Compile the rules of games, for speed.",
    ),
    "themes": LazyCommand(
        "cardhub.cli.list_plugins:themes", "List the colour themes of the terminal interface."
    ),
    "plugins": LazyCommand(
        "cardhub.cli.list_plugins:plugins", "List the plugins with their contents and their errors."
    ),
}


@click.group(
    "cardhub",
    cls=Root,
    lazy=COMMANDS,
    invoke_without_command=True,
    epilog=MEANINGS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.option(
    "--plugins-dir",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    multiple=True,
    is_eager=True,  # before --help, which lists the commands of plugins
    envvar=PLUGINS_DIR,
    show_envvar=True,
    help="Load every Python file and package in this directory as a plugin.",
)
@click.option(
    "--no-plugin",
    metavar="NAME",
    multiple=True,
    is_eager=True,  # before --help, as above
    envvar=NO_PLUGIN,
    show_envvar=True,
    callback=exclude_plugins,
    help="Leave out the plugin, or all plugins of the package, of this name.",
)
@click.version_option(package_name="cardhub")
@click.pass_context
def cli(ctx: click.Context, plugins_dir: tuple[Path, ...], no_plugin: tuple[str, ...]) -> None:
    """Card games for the terminal and the browser, for plugin authors and for bots.

    Without a command, at a terminal: the home screen. To play: cardhub play gargon
    To learn a game first: cardhub learn gargon
    """
    check_excluded(ctx, no_plugin)
    registry_of(ctx)  # before the contexts of subcommands inherit it
    if ctx.invoked_subcommand is None:
        _open_home(ctx)


def main() -> NoReturn:
    """Run the command line and exit."""
    _open_streams()
    # First of all: even an error message may quote text that the terminal's encoding lacks.
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a character shows `?`
    show_printable_tracebacks()
    # Ctrl-C needs no handler: Python raises KeyboardInterrupt, which Root maps to its exit code.
    signal.signal(signal.SIGTERM, _terminate)
    try:
        with _exit_on_hangup():
            cli.main(prog_name="cardhub")
    except BrokenPipeError:  # while click wrote an error message
        sys.exit(PIPE)
    finally:
        # A reader that has gone must not cause a message when Python closes the streams.
        discard_unwritable()


def _open_home(ctx: click.Context) -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        raise click.exceptions.NoArgsIsHelpError(ctx)
    from cardhub.cli.session.open_home import open_home  # loads records and settings: rarely needed

    open_home(ctx)


def _open_streams() -> None:
    """Open the null device for each closed standard stream."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        # A stream closed by the parent process is None in Python: sys.stdin.isatty() would raise
        # AttributeError.
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115  # open to the end
            setattr(sys, name, stream)


def _terminate(_number: int, _frame: object) -> NoReturn:
    # As an exception: the game is left in order, and its resume command is printed.
    sys.exit(TERMINATED)


def _hang_up(_number: int, _frame: object) -> NoReturn:
    # Without a handler the process would end without saying how to continue.
    sys.exit(HUNG_UP)


@contextmanager
def _exit_on_hangup() -> Iterator[None]:
    """Let SIGHUP raise SystemExit in the block, unless it is ignored, as under nohup."""
    if sys.platform == "win32" or not _hangup_is_default():
        yield
        return
    before = signal.signal(signal.SIGHUP, _hang_up)
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)


def _hangup_is_default() -> bool:
    if sys.platform == "win32" or current_thread() is not main_thread():
        return False  # Windows has no SIGHUP, and only the main thread may install handlers
    return signal.getsignal(signal.SIGHUP) is signal.SIG_DFL
