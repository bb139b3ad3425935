"""`cardhub check`: check the rules of a game, and print a report."""

import inspect
from datetime import datetime
from pathlib import Path

import click
import msgspec

from cardhub.base.errors import RecordError
from cardhub.base.files import numbered_paths, write_unused
from cardhub.base.writing import amount
from cardhub.cli.console import echo
from cardhub.cli.exit_codes import FAULT
from cardhub.cli.output import ProgressCounter, check_facts, print_checks, print_json, print_result
from cardhub.cli.params import AS_JSON, GAME, number_option, seconds_option, seed_option
from cardhub.cli.root import registry_of
from cardhub.play.host.saved.saves import home
from cardhub.testing import PROMISES, GameFinding, GameReport, inspect_game
from cardhub.testing.game_checks.report_schema import FORMAT, CheckedGame
from cardhub.testing.speeds import SLOW, Speed

# Default folder of kept records, relative to the parent of the game's package.
RECORDS = Path("tests", "records")
# Default time of the random games.
SECONDS = 20


@click.command()
@click.argument("name", metavar="GAME", type=GAME, help="The name of a game.")
@seconds_option(f"Play random games for about N seconds. Default: {SECONDS}.")
@number_option(
    "--games",
    "Play N random games for each number of players and for each changed option instead: the "
    "same on every computer.",
)
@seed_option()
@click.option(
    "--records",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Replay the records in this folder. Default: tests/records next to the package.",
)
@AS_JSON
@click.pass_context
def check(
    ctx: click.Context,
    name: str,
    seconds: float | None,
    games: int | None,
    seed: int,
    records: Path | None,
    as_json: bool,
) -> None:
    """Check a game for faults.

    Plays random games and checks that the rules of a game are consistent, that the game can be
    shown, recorded and searched, and that players cannot learn hidden cards. Later games prefer
    actions that were rare in earlier games. The exit code is 1 if a check fails.
    """
    if seconds and games:
        raise click.UsageError("--seconds and --games are mutually exclusive")
    game = registry_of(ctx).game(name)
    # parents[0] is the package, parents[1] the project folder with its tests.
    records = records or Path(inspect.getfile(type(game))).parents[1] / RECORDS
    counter = ProgressCounter(f"{name}: {{}} games played")
    report = inspect_game(
        game,
        games=games or 0,
        seconds=None if games else seconds or SECONDS,
        seed=seed,
        records=records,
        watch=counter,
    )
    counter.clear()
    if as_json:
        print_json(msgspec.to_builtins(_build_results(report)))
    else:
        _print_report(report)
    if not report.passed:
        ctx.exit(FAULT)


def _print_report(report: GameReport) -> None:
    kept = f" and {amount(report.records, 'kept record')}" if report.records else ""
    echo(f"{report.game}: {amount(report.games, 'random game')}{kept}")
    print_checks(
        report, {name: promise.sentence for name, promise in PROMISES.items()}, _print_finding
    )
    for number, sentence in enumerate(report.unreached):
        print_result("" if number else "unseen", sentence)
    if report.speed is not None:
        _print_speed(report.speed)
    failed = ", ".join(finding.check for finding in report.findings)
    echo(f"\nFailed: {failed}." if failed else f"\nNothing wrong was found in {report.game}.")


def _print_speed(speed: Speed) -> None:
    print_result("speed", str(speed))
    if speed.is_slow:
        print_result("", f"below {SLOW:,} actions a second search bots see few games")
    print_result("", f"determinizations: {speed.determinizations}")
    print_result("", f"search iterations: {speed.iterations}")


def _build_results(report: GameReport) -> CheckedGame:
    speed = report.speed
    results = {
        "format": FORMAT,
        "game": report.game,
        "passed": report.passed,
        "games": report.games,
        "records": report.records,
        "games_per_second": speed and speed.games / speed.seconds,
        "actions_per_second": speed and speed.actions / speed.seconds,
        "determinizations_per_second": speed and speed.determinizations,
        "iterations_per_second": speed and speed.iterations,
        "unreached": list(report.unreached),
        "checks": [
            {"name": name, "promise": promise.sentence, **check_facts(report, name)}
            for name, promise in PROMISES.items()
        ],
    }
    # What is printed has the form that is documented, or no test of this command passes.
    return msgspec.convert(results, CheckedGame)


def _print_finding(finding: GameFinding) -> None:
    for line in finding.lines():
        print_result("", line)
    if not finding.record:
        return
    try:
        path = _save(finding)
    except RecordError as error:
        print_result("", str(error))
        return
    command = "replay" if '"scores"' in finding.record[-1] else "resume"
    print_result("", "look at it:")
    # Not wrapped, because people copy it.
    echo(f"             cardhub {command} {click.format_filename(path)}")


def _save(finding: GameFinding) -> Path:
    """Write the record of a finding into a new file; raises RecordError."""
    folder = home() / "checks"
    game = finding.game.replace(":", "_")  # Windows does not allow colons in file names
    stem = f"{datetime.now():%Y-%m-%dT%H-%M-%S}_{game}_{finding.check}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return write_unused(numbered_paths(folder, stem, ".jsonl"), "".join(finding.record))
    except OSError as error:
        raise RecordError(f"cannot write a record in {folder}: {error.strerror}") from error
