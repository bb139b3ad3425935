"""`cardhub match plan`: how many games a match needs to find a difference."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import click

from cardhub.base.writing import amount, count, number, percent
from cardhub.bots.processes.launch import processors
from cardhub.cli.console import echo
from cardhub.cli.match.match_line import LineOptions, plan_words
from cardhub.cli.output import print_json, print_table
from cardhub.cli.params import AS_JSON, number_option, workers_option
from cardhub.cli.root import registry_of
from cardhub.lab.analysis.planning import (
    Scatter,
    games_in,
    pilot_of,
    scatters_of,
    seconds_of_game,
)
from cardhub.lab.match.log.lookup import match_in
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.matchfile.reader import AS_WRITTEN
from cardhub.lab.match.run.executors import AHEAD, make_executor
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.lab.stats import elo_of_score

PILOT_BLOCKS = 50
# Differences in scores, and for points in standard deviations.
EFFECTS = (0.02, 0.05, 0.1)
EVEN = 0.5


class Need(NamedTuple):
    """What it takes to find a difference: `effect` is in scores or points above an even result."""

    effect: float
    blocks: int
    games: int
    seconds: float


@click.command()
@click.argument(
    "words",
    nargs=-1,
    required=True,
    metavar="FILE | GAME[,GAME]... BOT BOT...",
    help="A match file; or games and bots.",
)
@click.option(
    "--effect",
    "effects",
    type=click.FloatRange(min=0, min_open=True),
    multiple=True,
    metavar="N",
    help="A difference to find, in scores above 0.5 or in points; may be given several times.",
)
@click.option(
    "--power",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.8,
    show_default=True,
    metavar="N",
    help="The share of such matches that find it.",
)
@click.option(
    "--pilot",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder of an earlier match, which shows how much results vary. Default: play some.",
)
@number_option("--blocks", "Number of blocks to play if there is no --pilot.", default=PILOT_BLOCKS)
@workers_option("Number of processes. Default: one for each processor.")
@AS_JSON
@click.pass_context
def plan(
    ctx: click.Context,
    words: tuple[str, ...],
    effects: tuple[float, ...],
    power: float,
    pilot: Path | None,
    blocks: int,
    workers: int | None,
    as_json: bool,
) -> None:
    """Show how many games a match needs to find out which bot is better.

    cardhub match plan gamon rule ismcts:100 --effect 0.05

    Some blocks on other deals show how much results vary.
    """
    match = plan_words(ctx, words, LineOptions(), AS_WRITTEN).match
    processes = workers or processors()
    scatters, seconds = _pilot(ctx, match, pilot, blocks, processes)
    needs = {
        scatter.subject: _needs(match, scatter, effects, power, seconds / processes)
        for scatter in scatters
    }
    if as_json:
        print_json([_facts(scatter, needs[scatter.subject]) for scatter in scatters])
        return
    for scatter in scatters:
        _print(scatter, needs[scatter.subject], match.rating.level, power, processes)


def _pilot(
    ctx: click.Context, match: Match, folder: Path | None, blocks: int, processes: int
) -> tuple[list[Scatter], float]:
    """Return how much results vary, and the seconds of a game."""
    if folder is not None:
        return scatters_of(match_in(folder), folder), seconds_of_game(folder)
    pilot = pilot_of(match, blocks)
    options = RunOptions(make_executor(processes), AHEAD * processes)
    with TemporaryDirectory(prefix="cardhub-") as name:
        run(pilot, registry_of(ctx), Path(name), options)
        return scatters_of(match_in(Path(name)), Path(name)), seconds_of_game(Path(name))


def _needs(
    match: Match, scatter: Scatter, effects: Sequence[float], power: float, seconds: float
) -> list[Need]:
    if not scatter.deviation:
        return []
    scale = 1.0 if not scatter.unit else round(scatter.deviation, 1) or 1.0
    needs = []
    for effect in effects or [scale * share for share in EFFECTS]:
        blocks = scatter.blocks_for(effect, power, match.rating.level)
        games = games_in(match, blocks)
        needs.append(Need(effect, blocks, games, games * seconds))
    return needs


def _print(
    scatter: Scatter, needs: Sequence[Need], level: float, power: float, processes: int
) -> None:
    unit = scatter.unit
    deviation = f"{number(scatter.deviation, 2)} {unit}".strip()
    echo(
        f"{scatter.subject}: on {amount(scatter.deals, 'deal')}, the difference of two bots varies "
        f"by {deviation} from deal to deal (standard deviation)."
    )
    if not needs:
        echo("All deals ended alike, which shows nothing. More blocks are needed: --blocks N")
        return
    time = f">time ({amount(processes, 'process', 'processes')})"
    heads = ("points" if unit else "score", ">Elo", ">blocks", ">games", time)
    print_table(heads, [_row(need, unit) for need in needs])
    together = f" for all {count(scatter.pairs)} pairs together" if scatter.pairs > 1 else ""
    echo(
        f"A match of this length finds such a difference in {percent(power)} of cases, at a level "
        f"of {percent(level)}{together}."
    )


def _row(need: Need, unit: str) -> tuple[str, ...]:
    elo = None if unit else elo_of_score(EVEN + need.effect)
    shown = need.effect if unit else EVEN + need.effect
    time = f"{need.seconds / 60:.0f} min" if need.seconds >= 60 else f"{need.seconds:.0f} s"
    return number(shown, 2), number(elo, 0), count(need.blocks), count(need.games), time


def _facts(scatter: Scatter, needs: Sequence[Need]) -> dict[str, Any]:
    return scatter._asdict() | {"needs": [need._asdict() for need in needs]}
