"""`cardhub league FILE`: train a learner against its earlier versions, and rate each checkpoint."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click
from msgspec import to_builtins

from cardhub.base.errors import MatchError
from cardhub.base.writing import amount, percent, signed
from cardhub.bots.processes.launch import processors
from cardhub.cli.console import echo
from cardhub.cli.output import ProgressCounter, print_json, print_table
from cardhub.cli.params import (
    AS_JSON,
    QUIET,
    cluster_option,
    folder_option,
    number_option,
    workers_option,
)
from cardhub.cli.root import registry_of
from cardhub.lab.match.match_spec import RatingRules
from cardhub.learning.learn.league.checkpoints import PLAN, LeagueRating, LeagueResult
from cardhub.learning.learn.league.league_file import LeagueFile, read_league
from cardhub.learning.learn.league.league_run import League, Phase

# Default parent folder of leagues.
LEAGUES = Path("leagues")
DOING: dict[Phase, str] = {"train": "training", "rate": "rating"}
LEVEL = RatingRules().level


@click.command(
    epilog="The same command continues an interrupted league; a greater --rounds trains further."
)
@click.argument("file", type=click.Path(path_type=Path))
@number_option("--rounds", "Number of checkpoints in all. Default: as in the file.")
@workers_option(
    "Number of processes for matches. Default: as in the file, else one for each processor."
)
@cluster_option("Play matches on the workers of this Dask cluster: tcp://HOST:8786.")
@folder_option("Folder for the league. Default: as in the file, else leagues/NAME.")
@click.option("--ratings", "only_ratings", is_flag=True, help="Print the ratings without training.")
@AS_JSON
@QUIET
@click.pass_context
def league(
    ctx: click.Context,
    file: Path,
    rounds: int | None,
    workers: int | None,
    cluster: str | None,
    out: Path | None,
    only_ratings: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Train a learner against its earlier versions, and rate each checkpoint.

    FILE describes the league, and the command continues it where it stopped. Each checkpoint is
    rated by a match, whose result does not depend on the number of workers.
    """
    if not file.exists():
        raise click.UsageError(f"there is no file {str(file)!r}", ctx)
    if workers and cluster:
        raise click.UsageError("--workers and --cluster are mutually exclusive", ctx)
    # Read the file before any write, because an invalid file must leave no folder behind.
    league_file = read_league(file, registry_of(ctx))
    folder = out or Path(league_file.out or LEAGUES / league_file.name)
    if only_ratings and not (folder / PLAN).exists():
        raise MatchError(
            f"there is no league in {folder}. fix: run it, or name its folder by --out"
        )
    opened = league_file.league(folder, trains=not only_ratings)
    if not only_ratings:
        number = workers or league_file.workers or processors()
        total = rounds or league_file.rounds
        _run(opened, total * league_file.every, total, number, cluster, is_shown=not quiet)
    _show(league_file, folder, opened.standings(), as_json=as_json, is_quiet=quiet)


def _run(
    opened: League, steps: int, rounds: int, workers: int, cluster: str | None, *, is_shown: bool
) -> None:
    counter = ProgressCounter("Round {} of {}: {}")

    def begin(number: int, phase: Phase) -> None:
        if is_shown:
            counter(number, rounds, DOING[phase])

    def print_rating(row: LeagueRating) -> None:
        counter.clear()
        if is_shown:
            value, low, high, games = _cells(row)
            span = f" ({low} to {high})" if low and high else ""
            rating = f"{value} {row.unit}{span}" if value else "no rating yet"
            echo(f"{row.bot}: {rating}, {games} games", err=True)

    try:
        opened.run(steps, workers=workers, cluster=cluster, on_rated=print_rating, on_begin=begin)
    except (KeyboardInterrupt, SystemExit):
        message = f"\nInterrupted: {opened.folder} has the league so far. "
        with suppress(OSError):  # the terminal may be closed
            echo(f"{message}The same command continues.", err=True)
        raise
    finally:
        counter.clear()


def _show(
    league_file: LeagueFile,
    folder: Path,
    ratings: Sequence[LeagueRating],
    *,
    as_json: bool,
    is_quiet: bool,
) -> None:
    rounds = sum(row.steps > 0 for row in ratings)
    result = LeagueResult(
        league_file.name,
        league_file.game,
        league_file.players,
        rounds,
        league_file.every,
        LEVEL,
        tuple(ratings),
    )
    if as_json:
        print_json(to_builtins(result))
    elif not is_quiet:
        _print(result)
        echo(f"Checkpoints and matches: {folder}")


def _print(result: LeagueResult) -> None:
    made = f"{amount(result.rounds, 'checkpoint')}, one after every {result.every:,} steps"
    echo(f"{result.game}: {made}")
    if not result.ratings:
        echo("No checkpoint is rated yet.")
        return
    unit = result.ratings[0].unit
    echo(f"{unit} above the mean of all, with its interval at {percent(result.level)}")
    rows = [(row.bot, f"{row.steps:,}", *_cells(row)) for row in result.ratings]
    print_table(("bot", "steps", unit, "from", "to", "games"), rows)


def _cells(row: LeagueRating) -> tuple[str, str, str, str]:
    digits = 0 if row.unit == "Elo" else 2
    values = (row.rating, row.low, row.high)
    value, low, high = ("" if value is None else signed(value, digits) for value in values)
    return value, low, high, str(row.games)
