"""`cardhub check`: what is wrong with a game."""

import inspect
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from cardhub.cli.check_output import (
    FAILED,
    OK,
    SKIPPED,
    Counter,
    amount,
    check_facts,
    print_result,
    result,
)
from cardhub.cli.console import echo
from cardhub.cli.exit_codes import FAULT
from cardhub.cli.listing import print_json
from cardhub.cli.params import GameType
from cardhub.cli.root import registry_of
from cardhub.cli.session.saves import home
from cardhub.errors import RecordError
from cardhub.files import unused_path
from cardhub.game.game import Game
from cardhub.testing import PROMISES, GameFinding, GameReport, inspect_game
from cardhub.testing.random_play import SLOW

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


def print_report(report: GameReport) -> None:
    """Print what the checks came to, with a record for each that fails if there can be one."""
    echo(f"{report.game}: {_amount(report)}")
    for found in report.findings:
        print_result(FAILED, f"{found.check}: {found.promise.sentence}")
        for line in found.lines():
            print_result("", line)
        if found.record:
            _print_command(found)
    passed = [check for check in PROMISES if result(report, check) == OK]
    if passed:
        print_result(OK, ", ".join(passed))
    for why in dict.fromkeys(report.skipped.values()):
        checks = [check for check in PROMISES if report.skipped.get(check) == why]
        print_result(SKIPPED, f"{', '.join(checks)}: {why}")
    if report.speed is not None:
        _print_speed(report)
    echo()
    failed = ", ".join(found.check for found in report.findings)
    told = f"Failed: {failed}." if failed else f"Nothing wrong was found in {report.game}."
    echo(told)


def facts(report: GameReport) -> dict[str, Any]:
    """Return a report for programs."""
    speed = report.speed
    return {
        "game": report.game,
        "passed": report.passed,
        "games": report.games,
        "records": report.records,
        "games_per_second": speed and speed.games / speed.seconds,
        "actions_per_second": speed and speed.actions / speed.seconds,
        "checks": [_check_facts(report, check) for check in PROMISES],
    }


def _check_facts(report: GameReport, check: str) -> dict[str, Any]:
    return {"name": check, "promise": PROMISES[check].sentence, **check_facts(report, check)}


def _amount(report: GameReport) -> str:
    kept = f" and {amount(report.records, 'kept record')}" if report.records else ""
    return f"{amount(report.games, 'random game')}{kept}"


def _print_speed(report: GameReport) -> None:
    print_result("speed", str(report.speed))
    if report.speed and report.speed.is_slow:
        print_result("", f"below {SLOW:,} actions a second search bots see few games")


def _print_command(found: GameFinding) -> None:
    """Save the record of what was found, and print how to look at it; never in several lines."""
    verb = "replay" if '"scores"' in found.record[-1] else "resume"
    try:
        path = _save(found)
    except RecordError as error:
        print_result("", str(error))
        return
    print_result("", "look at it:")
    echo(f"             cardhub {verb} {click.format_filename(path)}")


def _save(found: GameFinding) -> Path:
    """Write a record into a new file among cardhub's own; raises RecordError."""
    folder = home() / "checks"
    game = found.game.replace(":", "_")  # which the names of files cannot have on every system
    stem = f"{datetime.now():%Y-%m-%dT%H-%M-%S}_{game}_{found.check}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = unused_path(folder, stem, ".jsonl")
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.writelines(found.record)
    except OSError as error:
        why = f"no record is written in {folder}: {error.strerror}"
        raise RecordError(why) from error
    return path
