"""`cardhub match deals`: make a suite of deals from records, at which games of a match begin."""

from pathlib import Path
from random import Random

import click

from cardhub.base.writing import amount
from cardhub.cli.console import echo
from cardhub.cli.params import GAME, number_option, seed_option
from cardhub.cli.records.access import write_new
from cardhub.cli.root import registry_of
from cardhub.lab.match.suite_making import (
    Choose,
    Disagreement,
    make_suite,
    one_of_each_game,
    take_every,
)
from cardhub.lab.match.suites import MOST_POSITIONS, suite_text


@click.command()
@click.argument(
    "file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The new file for the positions.",
)
@click.argument(
    "sources",
    metavar="SOURCE...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, path_type=Path),
    help="Records, folders of records, and folders of matches.",
)
@click.option("--game", type=GAME, metavar="GAME", help="Only games of this game.")
@number_option("--every", "Take every Nth decision of each game, instead of one at random.")
@click.option(
    "--disagree",
    metavar="A,B",
    default="",
    help="Take one decision of each game in which these bots choose different actions.",
)
@number_option("--most", "The most positions.", default=MOST_POSITIONS)
@seed_option()
@click.pass_context
def deals(
    ctx: click.Context,
    file: Path,
    sources: tuple[Path, ...],
    game: str | None,
    every: int | None,
    disagree: str,
    most: int,
    seed: int,
) -> None:
    """Make positions for the key `deals` of a match file from records.

    cardhub match deals hard.jsonl runs/cup --disagree rule,ismcts:200

    By default each game gives one decision, drawn at random among those with a choice.
    """
    bots = [bot.strip() for bot in disagree.split(",") if bot.strip()]
    if every and bots:
        raise click.UsageError("--every and --disagree are mutually exclusive", ctx)
    if len(bots) == 1:
        raise click.UsageError("--disagree needs two bots: --disagree A,B", ctx)
    rng = Random(f"{seed} deals")
    choose = _chooser(ctx, rng, every, bots, seed)
    suite, games, left_out = make_suite(
        sources, registry_of(ctx), choose, rng, game or "", min(most, MOST_POSITIONS)
    )
    write_new(file, suite_text(suite))
    positions = amount(len(suite.openings), "position")
    echo(f"{positions} of {suite.header.game} from {amount(games, 'game')}: {file}")
    if left_out:
        echo(f"{amount(left_out, 'record')} left out: another game, other options, or redacted.")


def _chooser(
    ctx: click.Context, rng: Random, number: int | None, bots: list[str], seed: int
) -> Choose:
    if number:
        return take_every(number)
    if bots:
        return one_of_each_game(rng, Disagreement(registry_of(ctx), bots, seed))
    return one_of_each_game(rng, lambda _: True)
