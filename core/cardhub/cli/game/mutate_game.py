"""`cardhub mutate`: break the rules one by one, and list what no check and no test notices."""

import inspect
from math import inf
from pathlib import Path
from typing import Any

import click

from cardhub.base.writing import amount
from cardhub.bots.processes.launch import processors
from cardhub.cli.console import echo
from cardhub.cli.exit_codes import FAULT
from cardhub.cli.output import ProgressCounter, print_json
from cardhub.cli.params import (
    AS_JSON,
    GAME,
    number_option,
    seconds_option,
    seed_option,
    workers_option,
)
from cardhub.cli.root import registry_of
from cardhub.model.game.game import Game
from cardhub.testing.mutation.mutation_run import MutationReport, mutate_game

# Default folder of the tests, beside the package of the game, and of records in it.
TESTS, RECORDS = "tests", "records"
# Default time of all trials.
SECONDS = 120


@click.command()
@click.argument("name", metavar="GAME", type=GAME, help="The name of a game.")
@seconds_option(f"Try mutants for about N seconds. Default: {SECONDS}.")
@number_option("--mutants", "Try the first N mutants instead: the same on every computer.")
@seed_option("Seed of the order of mutants and of the random games.")
@workers_option("Number of processes. Default: one per core.")
@click.option(
    "--tests",
    type=click.Path(exists=True, path_type=Path),
    metavar="DIR",
    help="Run these tests. Default: the folder tests next to the package.",
)
@AS_JSON
@click.pass_context
def mutate(
    ctx: click.Context,
    name: str,
    seconds: float | None,
    mutants: int | None,
    seed: int,
    workers: int | None,
    tests: Path | None,
    as_json: bool,
) -> None:
    """Find rules that no check and no test covers.

    Changes the rules in one place at a time: a comparison is flipped, a number is one more or
    less, a statement is dropped, a condition is negated. Then it runs the checks and the tests of
    the package, and lists the changes that none of them notices. Files are not changed. The exit
    code is 1 if a change goes unnoticed.
    """
    if seconds and mutants:
        raise click.UsageError("--seconds and --mutants are mutually exclusive")
    game: Game[Any] = registry_of(ctx).game(name)
    folder = Path(inspect.getfile(type(game))).parents[1] / TESTS
    tests = tests or (folder if folder.is_dir() else None)
    counter = ProgressCounter(f"{name}: {{}} mutants tried")
    report = mutate_game(
        game,
        seconds=inf if mutants else seconds or SECONDS,
        most=mutants,
        seed=seed,
        workers=workers or processors(),
        records=tests / RECORDS if tests else None,
        tests=tests,
        watch=counter,
    )
    counter.clear()
    if as_json:
        print_json(_facts(report))
    else:
        _print_report(report)
    if report.survivors:
        ctx.exit(FAULT)


def _print_report(report: MutationReport) -> None:
    tried, survivors = len(report.verdicts), report.survivors
    mutants = amount(report.total, "mutant")
    echo(f"{report.game}: {tried} of {mutants} tried, {len(survivors)} unnoticed")
    for mutant in survivors:
        path = click.format_filename(_short(mutant.path))
        echo(f"  {path}:{mutant.line}: {mutant.before}  →  {mutant.after}")
    if not tried:
        echo("The time was over before the first mutant had a result: give it more with --seconds.")
    elif not survivors:
        echo("Every change that was tried was noticed.")


def _short(path: str) -> str:
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:  # another drive or folder
        return path


def _facts(report: MutationReport) -> dict[str, Any]:
    return {
        "format": 1,
        "game": report.game,
        "seed": report.seed,
        "mutants": report.total,
        "tried": len(report.verdicts),
        "verdicts": [
            {
                "file": mutant.path,
                "line": mutant.line,
                "before": mutant.before,
                "after": mutant.after,
                "noticed_by": noticed_by or None,
            }
            for mutant, noticed_by in report.verdicts
        ],
    }
