"""`cardhub stats`: results over time, from the saved games."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from cardhub.base.errors import CardhubError, RecordError
from cardhub.base.writing import amount
from cardhub.cli.console import echo, print_file
from cardhub.cli.exit_codes import FAULT
from cardhub.cli.output import print_json, print_table
from cardhub.cli.params import AS_JSON, GAME, RECORD
from cardhub.cli.root import registry_of, warn
from cardhub.play.host.saved.editions import Editions
from cardhub.play.host.saved.personal_results import (
    COLUMNS,
    StatisticsRow,
    outcomes,
    sides_of,
    statistics_cells,
    statistics_csv,
    statistics_facts,
    tabulate,
)
from cardhub.play.host.saved.saved_list import SavedGame, list_saved
from cardhub.play.records.edition import shortened
from cardhub.play.records.reading import read_record
from cardhub.play.records.verification import verify_record, verify_redacted


@click.command()
@click.argument("game", type=GAME, required=False, help="Only this game.")
@click.option("--name", default="", metavar="NAME", help="Only the games of this person.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the rows as CSV.")
@AS_JSON
@click.pass_context
def stats(ctx: click.Context, game: str | None, name: str, as_csv: bool, as_json: bool) -> None:
    """Print results of games over time.

    It counts finished games of one person against bots. Each row has a game, its bots, the number
    of games, the share of games won with its 95 % interval, and the average score. Games with hints
    or undo have separate rows.
    """
    if as_csv and as_json:
        raise click.UsageError("--csv and --json are mutually exclusive")
    entries = list(list_saved(finished=True))
    warn(*(str(entry) for entry in entries if isinstance(entry, RecordError)))
    games = [entry for entry in entries if isinstance(entry, SavedGame)]
    chosen = [saved for saved in games if game in (None, saved.game)]
    results = outcomes(chosen, sides_of(registry_of(ctx)), name)
    warn(*_changed_games(ctx, [result.saved for result in results]))
    if as_json:
        print_json(statistics_facts(results))
    elif as_csv:
        print_file(statistics_csv(results))
    else:
        _print_rows(ctx, tabulate(results))


def _changed_games(ctx: click.Context, games: Sequence[SavedGame]) -> Iterator[str]:
    """Yield for each edition that is not installed any more how many games were played with it."""
    editions = Editions()
    for (name, edition), count in Counter((saved.game, saved.edition) for saved in games).items():
        game = _game_of(ctx, name)
        changes = () if game is None else editions.changes_since(game, edition)
        if changes:
            yield (
                f"{amount(count, 'game')} of {game.title} counted as played, before it changed: "
                f"{shortened(changes)}"
            )


def _print_rows(ctx: click.Context, rows: Sequence[StatisticsRow]) -> None:
    if not rows:
        echo("There are no finished games of one person against bots.", err=True)
        return
    cells = [statistics_cells(row, _game_of(ctx, row.game)) for row in rows]
    print_table(COLUMNS, cells)


def _game_of(ctx: click.Context, name: str) -> Any:
    try:
        return registry_of(ctx).game(name)
    except CardhubError:
        return None


@click.command(epilog="The exit code is 1 if anything is wrong or cannot be checked.")
@click.argument("record", type=RECORD, help="The whole record of a game that is over.")
@click.argument(
    "redacted",
    type=RECORD,
    nargs=-1,
    help="Redacted records of the same game, handed out earlier.",
)
@click.pass_context
def verify(ctx: click.Context, record: Path, redacted: tuple[Path, ...]) -> None:
    """Check that a game was played with the deal that its record commits to.

    Unless the seed was chosen, a record begins with a commitment to the seed and ends with the
    seed. The deal and the outcomes of chance are computed from it again. REDACTED records must have
    the same commitment, and the same cards if they show them.
    """
    # All problems are reported, not just the first: they show what was changed.
    whole = read_record(record)
    game = registry_of(ctx).game(whole.header.game)
    problems = list(verify_record(game, whole))
    for path in redacted:
        problems += verify_redacted(game, whole, read_record(path))
    for problem in problems:
        echo(problem)
    if not problems:
        also = f", also in {len(redacted)} redacted records" if redacted else ""
        echo(f"The deal matches the commitment from before the first card was seen{also}.")
    ctx.exit(FAULT if problems else 0)
