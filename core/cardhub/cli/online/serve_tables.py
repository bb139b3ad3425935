"""The command `cardhub serve`: serve tables to browsers and terminals."""

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from typing_extensions import override

from cardhub.base.errors import MissingLibraryError
from cardhub.cli.console import echo
from cardhub.cli.params import GAME, PORT_TYPE, ParsedType, number_option, workers_option
from cardhub.cli.root import registry_of
from cardhub.online.server.limits import DEVICES
from cardhub.online.server.server_options import ServerOptions, read_origin, read_proxy
from cardhub.online.server.server_resources import (
    ResourceOptions,
    open_tables,
)
from cardhub.online.server.shards import LETTERS, end_with_parent, run_shards
from cardhub.online.server.tables.table_context import TableLimits
from cardhub.play.host.saved.editions import WITH_CHANGES
from cardhub.play.host.saved.saves import home
from cardhub.plugins.registry import PluginRegistry


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
DAY = 86_400.0
# The options that are about connections.
NETWORK = ("port", "origins", "is_public", "proxies", "key", "has_assistants")
LIMITS = TableLimits()
ORIGIN = ParsedType[str]("url", read_origin)
PROXY = ParsedType[str]("address", read_proxy)


@click.command(epilog=EXAMPLES)
@click.option(
    "--port",
    type=PORT_TYPE,
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
    "is_public",
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
@click.option(
    "--models",
    "lets_models",
    is_flag=True,
    help="Let people choose the language model of CARDHUB_LLM as an opponent; you pay for it.",
)
@click.option(
    "--assistants",
    "has_assistants",
    is_flag=True,
    help="Let assistants that speak the Model Context Protocol sit down: at the link of a table "
    "with /mcp at its end.",
)
@workers_option("Number of processes for bots. Default: one less than the number of processors.")
@number_option("--max-tables", "Maximum number of tables.", "tables", default=LIMITS.tables)
@number_option(
    "--tables-per-address",
    "Maximum number of tables that people behind one address have made.",
    "tables_by_address",
    default=LIMITS.tables_by_address,
)
@number_option(
    "--devices-per-address",
    "Number of devices that may share one address, such as the devices of a school.",
    "devices",
    default=DEVICES,
)
@click.option(
    "--expire-after",
    "days_unvisited",
    type=click.IntRange(min=0),
    default=90,
    show_default=True,
    metavar="DAYS",
    help="Archive tables after this time without a visit; a visit restores them. 0: never.",
)
@click.option(
    "--expire-unstarted-after",
    "days_unstarted",
    type=click.IntRange(min=0),
    default=3,
    show_default=True,
    metavar="DAYS",
    help="Delete tables without a game after this time without a visit. 0: never.",
)
@click.option(
    "--allow-local-webhooks",
    "calls_local",
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
    "accepts_changes",
    is_flag=True,
    help="Go on with games whose cards or rules have changed since; their records note it.",
)
@click.option("--ends-with-input", is_flag=True, hidden=True)  # a process of --shards
@click.pass_context
def serve(
    ctx: click.Context,
    /,
    folder: Path | None,
    shards: int | None,
    shard: str | None,
    *,
    ends_with_input: bool,
    **given: Any,
) -> None:
    """Serve tables to browsers and terminals.

    People open the address, make a table of any installed game and send its link to others; games
    of collections need --offer. Ctrl-C ends the server; the next start continues all tables.
    """
    network = {name: given.pop(name) for name in NETWORK}
    options = ServerOptions(**network, devices=given["devices"])
    if not options.origins and (options.is_public or shards):
        option = "--public" if options.is_public else "--shards"
        raise click.UsageError(f"{option} needs --origin: the address that people open", ctx)
    limits = _pop_limits(given)
    resources = ResourceOptions(
        **given,
        limits=limits,
        folder=folder or home() / "tables",
        shard=shard or "",
        origin=options.origins[0] if options.origins else f"http://localhost:{options.port}",
    )
    log_to_stderr()
    if shards:
        # In the environment, because all users of the machine can read the arguments.
        os.environ["CARDHUB_SERVE_KEY"] = options.key
        commands = [_command(ctx, options, resources, number) for number in range(shards)]
        run_shards(commands, lambda: _announce_shards(options, resources, shards))
    else:
        _serve_one(registry_of(ctx), options, resources, ends_with_input=ends_with_input)


def _pop_limits(given: dict[str, Any]) -> TableLimits:
    """Take the options that limit tables out of all options."""
    unvisited, unstarted = (given.pop(name) * DAY for name in ("days_unvisited", "days_unstarted"))
    return TableLimits(
        given.pop("tables"),
        given.pop("tables_by_address"),
        unvisited=unvisited,
        unstarted=unstarted,
        lets_models=given.pop("lets_models"),
    )


def _serve_one(
    registry: PluginRegistry,
    options: ServerOptions,
    resources: ResourceOptions,
    *,
    ends_with_input: bool,
) -> None:
    with needs_web("serve"):
        from cardhub.online.server.web.serving import serve as serve_until_signal
    if options.has_assistants:
        import_module("cardhub.online.assistant.mcp_server")  # says how to get a missing library
    with open_tables(registry, resources) as tables:
        if ends_with_input:
            serve_until_signal(tables, options, lambda _: None, end_with_parent)
            return
        serve_until_signal(
            tables,
            options,
            lambda address: _announce(address, resources.folder, is_local=not options.origins),
        )


def _command(
    ctx: click.Context, options: ServerOptions, resources: ResourceOptions, shard: int
) -> list[str]:
    """Return the command of one shard. Its letter is the first of its ids and its folder's name."""
    letter, limits = LETTERS[shard], resources.limits
    plugins = [f"--plugins-dir={path}" for path in registry_of(ctx).directories]
    arguments = [
        f"--port={options.port + 1 + shard}",
        f"--folder={resources.folder / letter}",
        f"--shard={letter}",
        "--ends-with-input",
        f"--max-tables={limits.tables}",
        f"--expire-after={limits.unvisited / DAY:.0f}",
        f"--expire-unstarted-after={limits.unstarted / DAY:.0f}",
        f"--tables-per-address={limits.tables_by_address}",
        f"--devices-per-address={resources.devices}",
        *(["--public"] if options.is_public else []),
        *([WITH_CHANGES] if resources.accepts_changes else []),
        *(["--assistants"] if options.has_assistants else []),
        *(["--models"] if limits.lets_models else []),
        *(["--allow-local-webhooks"] if resources.calls_local else []),
        *(f"--origin={origin}" for origin in options.origins),
        *(f"--trust-proxy={proxy}" for proxy in options.proxies),
        *(f"--offer={game}" for game in resources.collected),
        *([f"--workers={resources.workers}"] if resources.workers else []),
    ]
    return [sys.executable, "-m", "cardhub", *plugins, "serve", *arguments]


def _announce(address: str, place: Path, *, is_local: bool) -> None:
    echo(f"Open {address} in a browser, make a table, and send its link to your friends.")
    echo(f"Tables are stored in {place}. Ctrl-C ends the server; the next start continues them.")
    if is_local:
        echo("Only this machine can reach it; --public --origin URL opens it to your network.")


def _announce_shards(options: ServerOptions, resources: ResourceOptions, number: int) -> None:
    for shard in range(number):
        echo(f"Shard {LETTERS[shard]} listens on port {options.port + 1 + shard}")
    echo(f"Open {options.origins[0]} in a browser, after you have set up the proxy")
    echo(f"Tables are stored in {resources.folder}. Ctrl-C ends all shards.")
