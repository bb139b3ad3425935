"""The command `cardhub serve`: serve tables to browsers and terminals."""

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click
from typing_extensions import override

from cardhub.base.errors import MissingLibraryError
from cardhub.cli.console import echo
from cardhub.cli.params import GAME, ParsedType, number_option, workers_option
from cardhub.cli.root import registry_of
from cardhub.online.server.limits import DEVICES
from cardhub.online.server.server_options import ServerOptions, read_origin, read_proxy
from cardhub.online.server.server_resources import (
    MOST_BY_ADDRESS,
    MOST_TABLES,
    ResourceOptions,
    open_tables,
)
from cardhub.online.server.shards import LETTERS, end_with_parent, run_shards
from cardhub.play.host.saved.editions import WITH_CHANGES
from cardhub.play.host.saved.saves import home


class PrintableHandler(logging.Handler):
    """Prints log messages with escaped control characters, because they may quote clients."""

    @override
    def emit(self, record: logging.LogRecord) -> None:
        try:
            echo(self.format(record), err=True)
        except (OSError, ValueError):
            self.handleError(record)


def log_to_stderr() -> None:
    """Print the log of cardhub and the errors of uvicorn, whose warnings are about clients."""
    handler = PrintableHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    for name, level in (("cardhub", logging.INFO), ("uvicorn", logging.ERROR)):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(level)
        logger.propagate = False


LIBRARIES = {"segno", "starlette", "uvicorn", "websockets"}


@contextmanager
def needs_web(command: str) -> Iterator[None]:
    """Raise MissingLibraryError if the block imports a missing library of the extra `web`."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in LIBRARIES:
            raise
        why = f"`cardhub {command}` needs {error.name}, which is not installed"
        remedy = "pip install '.[web]' in the checkout of cardhub"
        raise MissingLibraryError(f"{why}. fix: {remedy}") from error


EXAMPLES = """\b
Examples:
  cardhub serve
  cardhub serve --public --origin http://192.168.1.20:8000
  cardhub serve --origin https://cards.example.org --trust-proxy 127.0.0.1"""
MOST_PORTS = 65_535
DAY = 86_400.0
ORIGIN = ParsedType[str]("url", read_origin)
PROXY = ParsedType[str]("address", read_proxy)


@click.command(epilog=EXAMPLES)
@click.option(
    "--port",
    type=click.IntRange(0, MOST_PORTS),
    default=8000,
    show_default=True,
    help="The port; 0 for any free port.",
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Store the tables in this folder. Default: `tables` next to the saved games.",
)
@click.option(
    "--public",
    is_flag=True,
    help="Accept connections from other machines. Default: from this machine only. Needs --origin.",
)
@click.option(
    "--origin",
    "origins",
    type=ORIGIN,
    multiple=True,
    envvar="CARDHUB_SERVE_ORIGIN",
    show_envvar=True,
    help="Address of the server in browsers, such as https://cards.example.org; the first one is "
    "used in links.",
)
@click.option(
    "--trust-proxy",
    "proxies",
    type=PROXY,
    multiple=True,
    help="Address or network of a proxy whose header X-Forwarded-For is trusted.",
)
@click.option(
    "--offer",
    "collected",
    type=GAME,
    multiple=True,
    help="Also offer this game of a collection, such as openspiel:gin_rummy.",
)
@click.option(
    "--key",
    default="",
    envvar="CARDHUB_SERVE_KEY",
    show_envvar=True,
    help="Only people with this key can make tables. Default: everyone.",
)
@workers_option("Number of processes for bots. Default: one less than the number of processors.")
@number_option("--max-tables", "Maximum number of tables.", default=MOST_TABLES)
@number_option(
    "--tables-per-address",
    "Maximum number of tables that people behind one address have made.",
    default=MOST_BY_ADDRESS,
)
@number_option(
    "--devices-per-address",
    "Number of devices that may share one address, such as the devices of a school.",
    "devices",
    default=DEVICES,
)
@click.option(
    "--expire-after",
    type=click.IntRange(min=0),
    default=90,
    show_default=True,
    metavar="DAYS",
    help="Archive tables that nobody has visited for so long; a visit brings them back. 0: never.",
)
@click.option(
    "--expire-unstarted-after",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    metavar="DAYS",
    help="Delete tables without a game that nobody has visited for so long; 0 for never.",
)
@click.option(
    "--allow-local-webhooks",
    is_flag=True,
    help="Also call webhooks on this machine and in private networks.",
)
@click.option(
    "--shards",
    type=click.IntRange(2, len(LETTERS)),
    metavar="N",
    help="Run N processes on the ports after --port, behind a proxy that chooses one by the first "
    "letter of a table's id.",
)
@click.option(
    "--shard",
    type=click.Choice(LETTERS),
    metavar="LETTER",
    help="Run one shard, for several machines: the ids of its tables begin with this letter.",
)
@click.option(
    WITH_CHANGES,
    "with_changes",
    is_flag=True,
    help="Go on with games whose cards or rules have changed since; their records note it.",
)
@click.option("--ends-with-input", is_flag=True, hidden=True)  # a process of --shards
@click.pass_context
def serve(ctx: click.Context, /, **given: Any) -> None:
    """Serve tables to browsers and terminals.

    People open the address, make a table of any installed game and send its link to others; games
    of collections need --offer. Ctrl-C ends the server; the next start continues all tables.
    """
    arguments = _Arguments(**given)
    if not arguments.origins and (arguments.public or arguments.shards):
        option = "--public" if arguments.public else "--shards"
        raise click.UsageError(f"{option} needs --origin: the address that people open", ctx)
    log_to_stderr()
    if arguments.shards:
        number = arguments.shards
        # In the environment, because all users of the machine can read the arguments.
        os.environ["CARDHUB_SERVE_KEY"] = arguments.key
        commands = [_command(ctx, arguments, shard) for shard in range(number)]
        run_shards(commands, lambda: _announce_shards(arguments, number))
    else:
        _serve_one(ctx, arguments)


class _Arguments(NamedTuple):
    """The options of the command line."""

    port: int
    folder: Path | None
    public: bool
    origins: tuple[str, ...]
    proxies: tuple[str, ...]
    collected: tuple[str, ...]
    key: str
    workers: int | None
    max_tables: int
    expire_after: int
    expire_unstarted_after: int
    tables_per_address: int
    devices: int
    allow_local_webhooks: bool
    shards: int | None
    shard: str | None
    with_changes: bool
    ends_with_input: bool

    @property
    def place(self) -> Path:
        """The folder of the tables."""
        return self.folder or home() / "tables"


def _serve_one(ctx: click.Context, arguments: _Arguments) -> None:
    with needs_web("serve"):
        from cardhub.online.server.web.serving import serve as serve_until_signal
    options = ServerOptions(
        arguments.port,
        arguments.origins,
        arguments.public,
        arguments.proxies,
        arguments.key,
        arguments.devices,
    )
    resources = ResourceOptions(
        arguments.place,
        arguments.workers,
        arguments.max_tables,
        arguments.shard or "",
        origin=arguments.origins[0] if arguments.origins else f"http://localhost:{arguments.port}",
        calls_local=arguments.allow_local_webhooks,
        collected=arguments.collected,
        tables_by_address=arguments.tables_per_address,
        devices=arguments.devices,
        expires_after=arguments.expire_after * DAY,
        expires_unstarted_after=arguments.expire_unstarted_after * DAY,
        accepts_changes=arguments.with_changes,
    )
    with open_tables(registry_of(ctx), resources) as tables:
        if arguments.ends_with_input:
            serve_until_signal(tables, options, lambda _: None, end_with_parent)
        else:
            is_local = not arguments.origins

            def announce(address: str) -> None:
                _announce(address, arguments.place, is_local=is_local)

            serve_until_signal(tables, options, announce)


def _command(ctx: click.Context, arguments: _Arguments, shard: int) -> list[str]:
    """Return the command of one shard. Its letter is the first of its ids and its folder's name."""
    letter = LETTERS[shard]
    plugins = [f"--plugins-dir={path}" for path in registry_of(ctx).directories]
    options = [
        f"--port={arguments.port + 1 + shard}",
        f"--folder={arguments.place / letter}",
        f"--shard={letter}",
        "--ends-with-input",
        f"--max-tables={arguments.max_tables}",
        f"--expire-after={arguments.expire_after}",
        f"--expire-unstarted-after={arguments.expire_unstarted_after}",
        f"--tables-per-address={arguments.tables_per_address}",
        f"--devices-per-address={arguments.devices}",
        *(["--public"] if arguments.public else []),
        *([WITH_CHANGES] if arguments.with_changes else []),
        *(["--allow-local-webhooks"] if arguments.allow_local_webhooks else []),
        *(f"--origin={origin}" for origin in arguments.origins),
        *(f"--trust-proxy={proxy}" for proxy in arguments.proxies),
        *(f"--offer={game}" for game in arguments.collected),
        *([f"--workers={arguments.workers}"] if arguments.workers else []),
    ]
    return [sys.executable, "-m", "cardhub", *plugins, "serve", *options]


def _announce(address: str, place: Path, *, is_local: bool) -> None:
    echo(f"Open {address} in a browser, make a table, and send its link to your friends.")
    echo(f"Tables are stored in {place}. Ctrl-C ends the server; the next start continues them.")
    if is_local:
        echo("Only this machine can reach it; --public --origin URL opens it to your network.")


def _announce_shards(arguments: _Arguments, number: int) -> None:
    for shard in range(number):
        echo(f"Shard {LETTERS[shard]} listens on port {arguments.port + 1 + shard}")
    echo(f"Open {arguments.origins[0]} in a browser, after you have set up the proxy")
    echo(f"Tables are stored in {arguments.place}. Ctrl-C ends all shards.")
