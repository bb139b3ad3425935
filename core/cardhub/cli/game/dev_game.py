"""`cardhub dev`: a page that shows a game to all seats, and follows its files while they change."""

import webbrowser
from datetime import datetime
from threading import Thread

import click

from cardhub.base.errors import PluginError
from cardhub.base.writing import amount
from cardhub.cli.console import echo
from cardhub.cli.params import GAME, PORT_TYPE, SETTINGS, players_option, seed_option
from cardhub.cli.root import registry_of
from cardhub.testing.workbench.bench_messages import BenchFault, NewDeal
from cardhub.testing.workbench.bench_server import BenchServer
from cardhub.testing.workbench.workbench import BenchState, Workbench

# Default time of the checks after each change.
CHECK_SECONDS = 10


@click.command()
@click.argument("name", metavar="GAME", type=GAME, help="The name of a game.")
@players_option()
@SETTINGS
@seed_option("Seed of the first deal.")
@click.option(
    "--checks",
    type=click.FloatRange(min=0),
    metavar="N",
    default=CHECK_SECONDS,
    show_default=True,
    help="Check the game for about N seconds after each change; 0 for no checks.",
)
@click.option(
    "--port",
    type=PORT_TYPE,
    metavar="N",
    default=0,
    help="Port of the page on this machine. Default: a free one.",
)
@click.option("--open", "is_opened", is_flag=True, help="Open the page in the browser.")
@click.pass_context
def dev(
    ctx: click.Context,
    name: str,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    seed: int,
    checks: float,
    port: int,
    is_opened: bool,
) -> None:
    """Develop a game with its tables in view.

    Serves a page, for this machine only, with the tables of all seats side by side. Whenever a file
    of the game changes, the game is loaded anew: the page shows the same position by the new rules,
    and the checks run. Act at any table, play random actions, go back, deal with another seed, and
    save positions; the position of a failed check opens with a click. Ends with Ctrl-C.
    """
    registry = registry_of(ctx)
    declared = registry.games().get(name)
    source = declared.source() if declared else None
    if source is None:
        raise PluginError(f"the files of {name} cannot be watched. fix: name an installed game")
    bench = Workbench(registry.directories, name, source, checks, _report)
    try:
        with _serving(bench, port) as server:
            state = bench.begin(NewDeal(players or 0, dict(settings), seed))
            for fault in state.faults:
                echo(_fault_text(fault))
            echo(f"{name} is at {server.address}\nEnd with Ctrl-C.")
            if is_opened:
                webbrowser.open(server.address)
            bench.watch_files()
    except KeyboardInterrupt:
        echo("")
    finally:
        bench.close()


def _serving(bench: Workbench, port: int) -> BenchServer:
    try:
        server = BenchServer(bench, port)
    except OSError as error:
        raise click.UsageError(f"port {port} cannot be used: {error.strerror}") from error
    Thread(target=server.serve_forever, daemon=True).start()
    return server


def _report(state: BenchState) -> None:
    """Print what a change of files did to the position."""
    now = f"{datetime.now():%H:%M:%S}"
    shown = state.shown
    if state.faults or shown is None:
        echo(f"{now} reloaded in {state.seconds:.2f} s, with faults:")
        for fault in state.faults:
            echo(f"  {_fault_text(fault)}")
    else:
        echo(f"{now} reloaded in {state.seconds:.2f} s: {amount(shown.repeated, 'step')} repeated")
    if state.printed:
        echo(state.printed.rstrip("\n"))


def _fault_text(fault: BenchFault) -> str:
    where = f"{fault.file}:{fault.line}: " if fault.file else ""
    return f"{where}{fault.text}"
