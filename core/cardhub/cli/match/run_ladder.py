"""`cardhub ladder`: rate versions of bots in one list, over months and in several programs."""

import secrets
import shlex
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from socket import gethostname
from threading import Event
from typing import Any

import click

from cardhub.base import writing
from cardhub.base.writing import amount, count
from cardhub.bots.processes.launch import processors
from cardhub.cli.console import echo
from cardhub.cli.output import ProgressCounter, print_json, print_table
from cardhub.cli.params import (
    AS_JSON,
    GAME,
    PORT_TYPE,
    QUIET,
    SETTINGS,
    number_option,
    players_option,
    seed_option,
    workers_option,
)
from cardhub.cli.root import registry_of
from cardhub.lab.ladder.ladder import BLOCKS, Ladder
from cardhub.lab.ladder.ladder_page import LadderList, write_list
from cardhub.lab.ladder.volunteer_http import volunteer_server
from cardhub.lab.ladder.volunteers import VolunteerDesk
from cardhub.lab.match.run.runner import RunOptions, shared_workers
from cardhub.lab.report import number_format as fmt

LEVEL = 0.95
FIT = (
    "Fit: the probability of results that differ as much from the ratings by all other machines. "
    "Leave out a machine with --exclude NAME."
)
ALONE = "The ladder needs two versions that can play here. fix: add a bot with --add BOT"


@click.command(epilog="Several programs may play in one folder at the same time.")
@click.argument(
    "folder",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of the ladder.",
)
@click.option("--game", type=GAME, metavar="GAME", help="Begin a ladder of this game.")
@click.option(
    "--add",
    "bots",
    metavar="BOT",
    multiple=True,
    help="Add the present version of a bot; may be given several times.",
)
@number_option("--meetings", "Number of meetings to play now; 0 only lists.", least=0, default=10)
@number_option("--blocks", "Number of blocks of a meeting, with --game.", default=BLOCKS)
@players_option(least=2)
@SETTINGS
@seed_option()
@workers_option("Number of processes. Default: one for each processor.")
@click.option(
    "--serve",
    "port",
    type=PORT_TYPE,
    metavar="PORT",
    help="Let volunteers play instead, until Ctrl-C; 0 for any free port.",
)
@click.option(
    "--host", default="127.0.0.1", metavar="ADDRESS", help="The address for --serve to listen on."
)
@click.option(
    "--name",
    "worker",
    default=gethostname,
    metavar="NAME",
    help="Name of this machine. Default: its own.",
)
@click.option("--exclude", metavar="NAME", help="Do not count the results of this machine.")
@click.option("--admit", metavar="NAME", help="Count the results of an excluded machine again.")
@QUIET
@AS_JSON
@click.pass_context
def ladder(
    ctx: click.Context,
    /,
    folder: Path,
    game: str | None,
    bots: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    workers: int | None,
    quiet: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Rate versions of bots in one list.

    cardhub ladder mine --game gamon --add rule --add ismcts:100

    Each meeting is a match of the two versions from which the list learns most. The same command
    without --game continues, and --add adds a version whose files have changed.
    """
    registry = registry_of(ctx)
    table = Ladder(folder, registry)
    if game is not None:
        seats = given["players"] or registry.game(game).seats.default
        table.begin(game, seats, dict(settings), blocks=given["blocks"], seed=given["seed"])
    _add(table, bots, is_shown=not quiet)
    for option in ("exclude", "admit"):
        if given[option] is not None:
            table.set_excluded(given[option], is_excluded=option == "exclude")
    with shared_workers(workers or processors()) as options:
        if given["port"] is not None:
            _serve(VolunteerDesk(table, registry, options), given["host"], given["port"])
        else:
            _play(table, given["meetings"], options, given["worker"], is_shown=not quiet)
    listing = _list(table)
    page = write_list(folder, listing)
    if as_json:
        print_json(listing.facts())
    elif not quiet:
        _print(listing)
        echo(f"Page: {page}")


def _add(table: Ladder, bots: Iterable[str], *, is_shown: bool) -> None:
    for bot in bots:
        version = table.add(bot)
        if is_shown:
            echo(f"Version: {version.name} ({version.use})", err=True)


def _list(table: Ladder) -> LadderList:
    header, rows, workers = table.header, table.rows(LEVEL), table.workers()
    return LadderList(header.game, header.players, LEVEL, *table.counts(), rows, workers)


def _serve(desk: VolunteerDesk, host: str, port: int) -> None:
    """Let volunteers play until Ctrl-C."""
    with volunteer_server(desk, host, port, secrets.token_urlsafe(16)) as url:
        echo(f"Volunteers: cardhub bot connect {shlex.quote(url)}")
        echo("Ctrl-C ends it.", err=True)
        with suppress(KeyboardInterrupt):
            Event().wait()


def _play(
    table: Ladder, meetings: int, options: RunOptions, worker: str, *, is_shown: bool
) -> None:
    counter = ProgressCounter("Meeting {} of {}: {}")
    try:
        for number in range(meetings):
            meeting = table.play_meeting(options, worker)
            if meeting is None:
                echo(ALONE, err=True)
                return
            if is_shown:
                counter(count(number + 1), count(meetings), " against ".join(meeting.bots))
    except KeyboardInterrupt:
        with suppress(OSError):  # the terminal may be closed
            echo("\nInterrupted. The same command continues.", err=True)
        raise
    finally:
        counter.clear()


def _print(listing: LadderList) -> None:
    meetings, games = amount(listing.meetings, "meeting"), amount(listing.games, "game")
    echo(f"{listing.game}: {games} in {meetings}, Elo above the first version")
    rows = [
        (row.name, fmt.elo(row.elo), fmt.elo_range(row.elo), count(row.blocks), row.use)
        for row in listing.rows
    ]
    print_table(("version", ">Elo", ">interval at 95 %", ">blocks", "bot"), rows)
    if len(listing.workers) > 1:
        echo()
        print_table(("machine", ">meetings", ">games", ">fit", ""), [*_worker_rows(listing)])
        echo(FIT)
    if gone := [row.name for row in listing.rows if not row.is_playable]:
        echo(f"Changed or missing here: {', '.join(gone)}. Add a changed bot with --add BOT.")


def _worker_rows(listing: LadderList) -> Iterator[tuple[str, ...]]:
    for row in listing.workers:
        status = "excluded" if row.is_excluded else "" if row.fits else "does not fit"
        fit = writing.NONE if row.fit is None else writing.p_value(row.fit)
        yield row.name or "unknown", count(row.meetings), count(row.games), fit, status
