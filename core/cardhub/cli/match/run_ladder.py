"""`cardhub ladder`: rate versions of bots in one list, over months and in several programs."""

from contextlib import suppress
from pathlib import Path

import click

from cardhub.base.writing import amount, count
from cardhub.bots.processes.launch import processors
from cardhub.cli.console import echo
from cardhub.cli.output import ProgressCounter, print_json, print_table
from cardhub.cli.params import (
    AS_JSON,
    GAME,
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
from cardhub.lab.match.run.runner import shared_workers
from cardhub.lab.report import number_format as fmt

LEVEL = 0.95
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
@QUIET
@AS_JSON
@click.pass_context
def ladder(
    ctx: click.Context,
    folder: Path,
    game: str | None,
    bots: tuple[str, ...],
    meetings: int,
    blocks: int,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    seed: int,
    workers: int | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Rate versions of bots in one list.

    cardhub ladder mine --game gamon --add rule --add ismcts:100

    Each meeting is a match of the two versions from which the list learns most. The same command
    without --game continues, and --add adds a version whose files have changed.
    """
    registry = registry_of(ctx)
    table = Ladder(folder, registry)
    if game is not None:
        seats = players or registry.game(game).seats.default
        table.begin(game, seats, dict(settings), blocks=blocks, seed=seed)
    for bot in bots:
        version = table.add(bot)
        if not quiet:
            echo(f"Version: {version.name} ({version.use})", err=True)
    _play(table, meetings, workers or processors(), is_shown=not quiet)
    played, games = table.counts()
    header = table.header
    listing = LadderList(header.game, header.players, LEVEL, played, games, table.rows(LEVEL))
    page = write_list(folder, listing)
    if as_json:
        print_json(listing.facts())
    elif not quiet:
        _print(listing)
        echo(f"Page: {page}")


def _play(table: Ladder, meetings: int, workers: int, *, is_shown: bool) -> None:
    counter = ProgressCounter("Meeting {} of {}: {}")
    try:
        with shared_workers(workers) as options:
            for number in range(meetings):
                meeting = table.play_meeting(options)
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
    if gone := [row.name for row in listing.rows if not row.is_playable]:
        echo(f"Changed or missing here: {', '.join(gone)}. Add a changed bot with --add BOT.")
