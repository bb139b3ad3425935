"""Where the program starts."""

import os
import signal
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn

import click

from cardhub.cli.bot import bot
from cardhub.cli.check import check
from cardhub.cli.console import discard_unwritable, print_what_python_tells
from cardhub.cli.exits import MEANINGS, PIPE, TERMINATED
from cardhub.cli.export import export
from cardhub.cli.games import games
from cardhub.cli.hangups import hearing_hangups
from cardhub.cli.match.group import match
from cardhub.cli.new import new
from cardhub.cli.play import play
from cardhub.cli.plugins import plugins
from cardhub.cli.replay import replay
from cardhub.cli.resume import resume
from cardhub.cli.root import Find, Root, registry_of
from cardhub.cli.rules import rules
from cardhub.cli.themes import themes
from cardhub.cli.verify import verify
from cardhub.plugins.discovery import find_plugins

COMMANDS = (
    play,
    resume,
    replay,
    export,
    verify,
    games,
    rules,
    bot,
    match,
    new,
    check,
    themes,
    plugins,
)


def make_cli(find: Find = find_plugins) -> Root:
    """Return the command `cardhub`; `find` makes the registry of plugins for a run."""

    @click.group(
        cls=Root, epilog=MEANINGS, context_settings={"help_option_names": ["-h", "--help"]}
    )
    @click.option(
        "--plugins-dir",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        multiple=True,
        is_eager=True,  # before --help, which lists the commands of plugins
        envvar="CARDHUB_PLUGINS_DIR",
        show_envvar=True,
        help="Take every Python file and package in this directory for a plugin.",
    )
    @click.version_option(package_name="cardhub")
    @click.pass_context
    def cardhub(ctx: click.Context, plugins_dir: tuple[Path, ...]) -> None:
        """Card games for the terminal, for plugin authors and for bots.

        Begin with: cardhub play gargon
        """
        registry_of(ctx)  # before the commands' contexts inherit it

    root: Root = cardhub
    root.find = find
    for command in COMMANDS:
        root.add_command(command)
    return root


def main() -> NoReturn:
    """Run the command line and exit."""
    _open_streams()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a character shows `?`
    print_what_python_tells()
    signal.signal(signal.SIGTERM, _terminate)
    try:
        with hearing_hangups():
            make_cli().main(prog_name="cardhub")
    except BrokenPipeError:  # while a last message was written
        sys.exit(PIPE)
    finally:
        discard_unwritable()


def _open_streams() -> None:
    """Replace closed streams, which Python leaves out, by ones without content."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115  # open to the end
            setattr(sys, name, stream)


def _terminate(_number: int, _frame: object) -> NoReturn:
    """Leave as an exception would, so that a game says how it can be resumed."""
    sys.exit(TERMINATED)
