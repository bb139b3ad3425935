"""What the check of a bot came to, for people and for programs."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from statistics import median
from typing import Any

from cardhub.cli.console import echo
from cardhub.cli.results import FAILED, OK, SKIPPED, amount, check_facts, print_result, result
from cardhub.testing import BotReport, Finding
from cardhub.testing.bot_checks.bot_findings import CHECKS


def print_report(report: BotReport) -> None:
    """Print what the checks came to in one game."""
    echo(f"{report.game}: {_amount(report)}")
    for found in report.findings:
        print_result(FAILED, f"{found.check}: {CHECKS[found.check]}")
        for text in _told(found):
            print_result("", text)
    passed = [check for check in CHECKS if result(report, check) == OK]
    if passed:
        print_result(OK, ", ".join(passed))
    for why, checks in groupby(report.skipped, key=lambda check: report.skipped[check]):
        print_result(SKIPPED, f"{', '.join(checks)}: {why}")
    echo()


def print_verdict(reports: Sequence[BotReport]) -> None:
    """Print what all of it came to."""
    failed = [f"{found.check} in {r.game}" for r in reports for found in r.findings]
    games = ", ".join(report.game for report in reports)
    if failed:
        echo(f"Failed: {'; '.join(failed)}.")
    else:
        echo(f"Nothing wrong was found in {games}.")


def facts(report: BotReport) -> dict[str, Any]:
    """Return a report for programs."""
    seconds = report.seconds
    return {
        "game": report.game,
        "passed": report.passed,
        "games": report.games,
        "positions": report.positions,
        "median_seconds": median(seconds) if seconds else None,
        "slowest_seconds": max(seconds, default=None),
        "checks": [check_facts(report, check) for check in CHECKS],
    }


def _told(found: Finding) -> Iterator[str]:
    yield found.what + (f" ({found.count} times, first here)" if found.count > 1 else "")
    yield f"expected: {found.expected}"
    if found.place:
        yield f"where: {found.place}"


def _amount(report: BotReport) -> str:
    asked = f"{amount(report.positions, 'position')} in {amount(report.games, 'game')}"
    if not report.seconds:
        return asked
    times = f"{_time(median(report.seconds))} for an answer, at most {_time(max(report.seconds))}"
    return f"{asked}; {times}"


def _time(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"
