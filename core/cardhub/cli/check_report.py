"""What the check of a game came to, for people and for programs."""

from datetime import datetime
from pathlib import Path
from typing import Any

import click

from cardhub.cli.console import echo
from cardhub.cli.results import FAILED, OK, SKIPPED, amount, check_facts, print_result, result
from cardhub.cli.saves import home
from cardhub.errors import RecordError
from cardhub.files import unused_path
from cardhub.testing import PROMISES, GameFinding, GameReport
from cardhub.testing.random_play import SLOW


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
