"""`cardhub serve`: serve tables to browsers and terminals."""

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
from cardhub.cli.params import GAME, ParsedType, workers_option
from cardhub.cli.root import registry_of
from cardhub.online.server.server_options import ServerOptions, read_origin, read_proxy
from cardhub.online.server.server_resources import MOST_TABLES, ResourceOptions, open_tables
from cardhub.online.server.shards.shard_processes import LETTERS, end_with_parent, run_shards
from cardhub.play.host.saved.saves import home


class PrintableHandler(logging.Handler):
    """Prints with escaped control characters, as messages may quote what clients sent."""

    @override
    def emit(self, record: logging.LogRecord) -> None:
        try:
            echo(self.format(record), err=True)
        except (OSError, ValueError):
            self.handleError(record)


def log_to_stderr() -> None:
    """Print the log of cardhub, and errors of uvicorn: its warnings are faults of clients."""
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
    """Raise MissingLibraryError if the block imports a library of the extra that is missing."""
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
ORIGIN = ParsedType[str]("url", read_origin)
PROXY = ParsedType[str]("address", read_proxy)


@click.command(epilog=EXAMPLES)
@click.option(
    "--port",
    type=click.IntRange(0, MOST_PORTS),
    default=8000,
    show_default=True,
    help="The port; 0 for any free one.",
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep the tables in this folder. Default: `tables` beside the saved games.",
)
@click.option(
    "--public",
    is_flag=True,
    help="Accept connections from other machines. Default: from this one only. Needs --origin.",
)
@click.option(
    "--origin",
    "origins",
    type=ORIGIN,
    multiple=True,
    envvar="CARDHUB_SERVE_ORIGIN",
    show_envvar=True,
    help="Address under which browsers know the server, such as https://cards.example.org; the "
    "first one is that of links.",
)
@click.option(
    "--trust-proxy",
    "proxies",
    type=PROXY,
    multiple=True,
    help="Address or network of a proxy whose header X-Forwarded-For is believed.",
)
@click.option(
    "--offer",
    "collected",
    type=GAME,
    multiple=True,
    help="Offer also this game of a collection, such as openspiel:gin_rummy.",
)
@click.option(
    "--key",
    default="",
    envvar="CARDHUB_SERVE_KEY",
    show_envvar=True,
    help="Let only people with this key make tables. Default: anyone.",
)
@workers_option("Number of processes for bots. Default: one less than there are processors.")
@click.option(
    "--max-tables",
    type=click.IntRange(min=1),
    default=MOST_TABLES,
    show_default=True,
    metavar="N",
    help="Number of tables that are kept.",
)
@click.option(
    "--allow-local-webhooks",
    is_flag=True,
    help="Call webhooks of tables also on this machine and in private networks.",
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
    help="Be one shard, for several machines: ids of its tables begin with this letter.",
)
@click.option("--ends-with-input", is_flag=True, hidden=True)  # a process of --shards
@click.pass_context
def serve(ctx: click.Context, /, **given: Any) -> None:
    """Serve tables to browsers and terminals.

    People open the address, make a table of any installed game and send its link to others; games
    of collections need --offer. Ctrl-C ends the server; the next start continues all tables.
    """
    asked = _Asked(**given)
    if not asked.origins and (asked.public or asked.shards):
        option = "--public" if asked.public else "--shards"
        raise click.UsageError(f"{option} needs --origin: the address that people open", ctx)
    log_to_stderr()
    if asked.shards:
        _serve_shards(ctx, asked, asked.shards)
    else:
        _serve_one(ctx, asked)


class _Asked(NamedTuple):
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
    allow_local_webhooks: bool
    shards: int | None
    shard: str | None
    ends_with_input: bool

    @property
    def place(self) -> Path:
        """The folder of the tables."""
        return self.folder or home() / "tables"


def _serve_one(ctx: click.Context, asked: _Asked) -> None:
    with needs_web("serve"):
        from cardhub.online.server.web.serving import serve as serve_until_signal
    options = ServerOptions(asked.port, asked.origins, asked.public, asked.proxies, asked.key)
    house = ResourceOptions(
        asked.place,
        asked.workers,
        asked.max_tables,
        asked.shard or "",
        origin=asked.origins[0] if asked.origins else f"http://localhost:{asked.port}",
        calls_local=asked.allow_local_webhooks,
        collected=asked.collected,
    )
    with open_tables(registry_of(ctx), house) as tables:
        if asked.ends_with_input:
            serve_until_signal(tables, options, lambda _: None, end_with_parent)
        else:
            is_local = not asked.origins

            def announce(address: str) -> None:
                _announce(address, asked.place, is_local=is_local)

            serve_until_signal(tables, options, announce)


def _serve_shards(ctx: click.Context, asked: _Asked, number: int) -> None:
    # In the environment and not among the arguments, which all users of the machine can read.
    os.environ["CARDHUB_SERVE_KEY"] = asked.key
    commands = [_command(ctx, asked, shard) for shard in range(number)]
    run_shards(commands, lambda: _announce_shards(asked, number))


def _command(ctx: click.Context, asked: _Asked, shard: int) -> list[str]:
    """Return the command of one shard; the letter of its tables is that of its folder."""
    letter = LETTERS[shard]
    plugins = [f"--plugins-dir={path}" for path in registry_of(ctx).directories]
    options = [
        f"--port={asked.port + 1 + shard}",
        f"--folder={asked.place / letter}",
        f"--shard={letter}",
        "--ends-with-input",
        f"--max-tables={asked.max_tables}",
        *(["--public"] if asked.public else []),
        *(["--allow-local-webhooks"] if asked.allow_local_webhooks else []),
        *(f"--origin={origin}" for origin in asked.origins),
        *(f"--trust-proxy={proxy}" for proxy in asked.proxies),
        *(f"--offer={game}" for game in asked.collected),
        *([f"--workers={asked.workers}"] if asked.workers else []),
    ]
    return [sys.executable, "-m", "cardhub", *plugins, "serve", *options]


def _announce(address: str, place: Path, *, is_local: bool) -> None:
    echo(f"Open {address} in a browser, make a table, and send its link to your friends.")
    echo(f"Tables are kept in {place}. Ctrl-C ends the server; its tables go on with the next one.")
    if is_local:
        echo("Only this machine reaches it; --public --origin URL opens it to your network.")


def _announce_shards(asked: _Asked, number: int) -> None:
    for shard in range(number):
        echo(f"Shard {LETTERS[shard]} listens on port {asked.port + 1 + shard}")
    echo(f"Open {asked.origins[0]} in a browser, once a proxy leads there")
    echo(f"Tables are kept in {asked.place}. Ctrl-C ends all shards.")
