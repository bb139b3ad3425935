"""`cardhub bot connect`: a bot of this machine plays at a table of a server."""

import asyncio
from functools import partial
from pathlib import Path
from random import Random
from socket import gethostname
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from cardhub.base.errors import RemoteError
from cardhub.bots.processes.launch import processors
from cardhub.cli.console import echo
from cardhub.cli.exit_codes import INTERRUPTED
from cardhub.cli.params import workers_option
from cardhub.cli.root import registry_of

if TYPE_CHECKING:
    from cardhub.online.remote.table_address import TableAddress
    from cardhub.plugins.registry import PluginRegistry

# The part of a ladder's address before its secret.
LADDER = "#volunteer="
EXAMPLES = """\b
Examples:
  cardhub bot connect 'https://cards.example/t/jx4m2a5f7q3c6d7e#seat=TOKEN' hard
  cardhub bot connect 'http://127.0.0.1:8000/t/jx4m2a5f7q3c6d7e#seat=TOKEN' 'cmd:node my_bot.js'
  cardhub bot connect 'http://127.0.0.1:8001/ladder#volunteer=TOKEN'"""


@click.command(epilog=EXAMPLES)
@click.argument("url", help="The link to the seat, as the owner of the table shares it.")
@click.argument(
    "spec",
    metavar="[BOT]",
    required=False,
    help="A bot: a level, ismcts:2000, cmd:PROGRAM. None for a ladder.",
)
@click.option("--name", metavar="NAME", help="Name of this machine in a ladder.")
@workers_option("Number of processes for a ladder. Default: one for each processor.")
@click.pass_context
def connect(
    ctx: click.Context, url: str, spec: str | None, name: str | None, workers: int | None
) -> None:
    """Play with a bot of this machine at a table of a server.

    The owner of the table gives a seat to a bot over the network and shares the link to it. The bot
    plays one game after another until Ctrl-C, and comes back if the connection is lost. The game
    must be installed here.

    With the link of a ladder, this machine plays its meetings, with the ladder's bots.
    """
    if LADDER in url:
        if spec is not None:
            raise click.UsageError("a ladder has bots of its own. fix: leave out BOT", ctx)
        _volunteer(registry_of(ctx), url, name or gethostname(), workers or processors())
        return
    if spec is None:
        raise click.UsageError("Missing argument 'BOT'.", ctx)
    from cardhub.online.remote.table_address import (
        parse_address,  # needs an extra: not for `--help`
    )

    try:
        address = parse_address(url)
    except RemoteError as error:
        raise click.UsageError(str(error), ctx) from error
    if not address.token:
        raise click.UsageError(
            "the link does not contain a seat. fix: quote it, with the part after the #", ctx
        )
    try:
        _play(registry_of(ctx), spec, address)
    except KeyboardInterrupt:
        echo(err=True)  # otherwise the prompt of the shell follows ^C on its line
        ctx.exit(INTERRUPTED)


def _volunteer(registry: "PluginRegistry", url: str, name: str, workers: int) -> None:
    """Play meetings of a ladder until it has none."""
    # Imported only now: matches load slowly.
    from cardhub.lab.ladder.volunteer_http import send_to
    from cardhub.lab.ladder.volunteers import play_for
    from cardhub.lab.match.run.runner import shared_workers

    with TemporaryDirectory() as folder, shared_workers(workers) as options:
        echo(f"{name} plays for {url.partition('#')[0]}. Ctrl-C ends it.")
        end = play_for(
            partial(send_to, url),
            registry,
            name,
            Path(folder),
            options,
            lambda bots: echo(" against ".join(bots)),
        )
    echo(end, err=True)


def _play(registry: "PluginRegistry", spec: str, address: "TableAddress") -> None:
    """Stay at a table until the server ends it.

    Raises RemoteError with the reason, or KeyboardInterrupt after Ctrl-C.
    """
    from cardhub.online.remote.bots.bot_connection import BotConnection
    from cardhub.online.remote.bots.bot_player import BotPlayer

    player = BotPlayer(registry, spec)
    connection = BotConnection(address, player, Printer(spec), Random())
    echo(f"{spec} connects with {address.page}. Ctrl-C ends it.")
    try:
        asyncio.run(connection.run())
    finally:
        player.rest()
        registry.close()
    # Ctrl-C ends the connection without an error.
    raise connection.error or KeyboardInterrupt


class Printer:
    """Prints one line for each event of the connection."""

    def __init__(self, spec: str) -> None:
        self._spec = spec

    def on_started(self, game: str, seat: int) -> None:
        """Print the game and the seat."""
        echo(f"It plays {game} in seat {seat + 1}.")

    def on_fault(self, why: str) -> None:
        """Print a fault."""
        echo(f"The server reports a fault of {self._spec}: {why}", err=True)

    def on_lost(self, why: str) -> None:
        """Print why the connection was lost."""
        echo(f"The connection was lost: {why}. Trying again.", err=True)

    def on_over(self) -> None:
        """Print that the game is over."""
        echo("The game is over. It waits for the next one.")
