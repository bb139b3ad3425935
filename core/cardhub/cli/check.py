"""`cardhub check`: what is wrong with a game."""

import inspect
from pathlib import Path
from typing import Any

import click

from cardhub.cli.exits import FAULT
from cardhub.cli.listing import print_json
from cardhub.cli.params import GameType
from cardhub.cli.results import Counter
from cardhub.cli.root import registry_of
from cardhub.game.game import Game

TESTS = Path("tests", "records")
"""Where an author keeps records, seen from the folder that the package of the game is in."""


@click.command()
@click.argument("name", metavar="GAME", type=GameType(), help="The name of a game.")
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    metavar="N",
    help="How many random games for each number of players, and for each option changed.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the games.")
@click.option(
    "--records",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Replay the records in this folder; else those in tests/records beside the package.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def check(
    ctx: click.Context, name: str, games: int, seed: int, records: Path | None, as_json: bool
) -> None:
    """Check a game for faults.

    Plays random games and checks everything that a game must ensure: that its rules are consistent,
    that it can be shown, recorded and searched, and that no player can learn hidden cards. The exit
    code is 1 if a check fails.
    """
    from cardhub.cli.check_report import facts, print_report
    from cardhub.testing import inspect_game

    game = registry_of(ctx).game(name)
    counter = Counter(f"{name}: {{}} games played")
    report = inspect_game(
        game, games=games, seed=seed, records=records or _records(game), watch=counter
    )
    counter.clear()
    if as_json:
        print_json(facts(report))
    else:
        print_report(report)
    if not report.passed:
        ctx.exit(FAULT)


def _records(game: Game[Any]) -> Path:
    """Return the folder for records beside the package that a game is in."""
    return Path(inspect.getfile(type(game))).parents[1] / TESTS
