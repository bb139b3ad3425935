"""`cardhub stats`: results over time, from the saved games."""

from collections.abc import Sequence
from typing import Any

import click

from cardhub.base.errors import CardhubError, RecordError
from cardhub.cli.console import echo, print_file
from cardhub.cli.output import print_json, print_table
from cardhub.cli.params import AS_JSON, GAME
from cardhub.cli.root import registry_of, warn
from cardhub.play.host.saved.personal_results import StatisticsRow, outcomes, sides_of, tabulate
from cardhub.play.host.saved.saved_list import SavedGame, list_saved
from cardhub.play.host.saved.statistics_texts import (
    COLUMNS,
    statistics_cells,
    statistics_csv,
    statistics_facts,
)


@click.command()
@click.argument("game", type=GAME, required=False, help="Only this game.")
@click.option("--name", default="", metavar="NAME", help="Only the games of this person.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the rows as CSV.")
@AS_JSON
@click.pass_context
def stats(ctx: click.Context, game: str | None, name: str, as_csv: bool, as_json: bool) -> None:
    """Print results of games over time.

    Counted are finished games of one person against bots. By game and bots: games, the share of
    them won with its 95 % interval, and the average score. Games with hints or undo are counted
    apart.
    """
    if as_csv and as_json:
        raise click.UsageError("--csv and --json are mutually exclusive")
    found = list(list_saved(finished=True))
    warn(*(str(entry) for entry in found if isinstance(entry, RecordError)))
    games = [entry for entry in found if isinstance(entry, SavedGame)]
    chosen = [saved for saved in games if game in (None, saved.game)]
    results = outcomes(chosen, sides_of(registry_of(ctx)), name)
    if as_json:
        print_json(statistics_facts(results))
    elif as_csv:
        print_file(statistics_csv(results))
    else:
        _print_rows(ctx, tabulate(results))


def _print_rows(ctx: click.Context, rows: Sequence[StatisticsRow]) -> None:
    if not rows:
        echo("There is no finished game of one person against bots.", err=True)
        return
    cells = [statistics_cells(row, _game_of(ctx, row.game)) for row in rows]
    print_table(COLUMNS, cells)


def _game_of(ctx: click.Context, name: str) -> Any:
    try:
        return registry_of(ctx).game(name)
    except CardhubError:
        return None
