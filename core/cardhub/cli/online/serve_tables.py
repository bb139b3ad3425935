"""`cardhub serve`: serve tables to browsers and terminals."""

from pathlib import Path

import click

from cardhub.cli.console import echo
from cardhub.cli.online.server_log import log_to_stderr
from cardhub.cli.online.web_extra import needs_web
from cardhub.cli.params import ParsedType
from cardhub.cli.root import registry_of
from cardhub.host.saved.saves import home
from cardhub.server.server_options import ServerOptions, read_origin, read_proxy
from cardhub.server.table_house import MOST_TABLES, HouseOptions, open_tables

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
    "--key",
    default="",
    envvar="CARDHUB_SERVE_KEY",
    show_envvar=True,
    help="Let only people with this key make tables. Default: anyone.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of processes for bots. Default: one less than there are processors.",
)
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
@click.pass_context
def serve(
    ctx: click.Context,
    port: int,
    folder: Path | None,
    public: bool,
    origins: tuple[str, ...],
    proxies: tuple[str, ...],
    key: str,
    workers: int | None,
    max_tables: int,
    allow_local_webhooks: bool,
) -> None:
    """Serve tables to browsers and terminals.

    People open the address, make a table of any installed game and send its link to others. Ctrl-C
    ends the server; the next start continues all tables.
    """
    if public and not origins:
        raise click.UsageError("--public needs --origin: the address that people open", ctx)
    options = ServerOptions(port, origins, public, proxies, key)
    with needs_web("serve"):
        from cardhub.server.web.serving import serve as serve_until_signal
    place = folder or home() / "tables"
    log_to_stderr()
    house = HouseOptions(
        place,
        workers,
        max_tables,
        origin=origins[0] if origins else f"http://localhost:{port}",
        calls_local=allow_local_webhooks,
    )
    with open_tables(registry_of(ctx), house) as tables:
        serve_until_signal(tables, options, lambda address: _announce(address, place))


def _announce(address: str, place: Path) -> None:
    echo(f"Open {address} in a browser, or: cardhub join {address}")
    echo(f"Tables are kept in {place}. Ctrl-C ends the server; its tables go on with the next one.")
