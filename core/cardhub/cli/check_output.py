"""How checks come out: one result a line, with texts in a column of their own."""

import sys
from collections.abc import Mapping
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any, Protocol

from cardhub.cli.console import control, echo

OK, FAILED, SKIPPED = "ok", "FAILED", "skipped"
LEFT = 11
"""Where texts begin, after the result."""


class Facts(Protocol):
    """What can be told of a failed check."""

    def facts(self) -> dict[str, Any]:
        """Return it for programs."""
        ...


class Report(Protocol):
    """What named checks came to; `skipped` says why some were."""

    @property
    def skipped(self) -> Mapping[str, str]:
        """The reasons by check."""
        ...

    def finding(self, check: str, /) -> Facts | None:
        """Return what is wrong, if the check failed."""
        ...


def result(report: Report, check: str) -> str:
    """Return what a check came to, in a word."""
    if report.finding(check):
        return FAILED
    return SKIPPED if check in report.skipped else OK


def check_facts(report: Report, check: str) -> dict[str, Any]:
    """Return what a check came to, for programs."""
    found = report.finding(check)
    return {
        "name": check,
        "result": result(report, check).lower(),
        "skipped": report.skipped.get(check),
        "finding": found.facts() if found else None,
    }


class Counter:
    """Counts on a terminal how far a check has come, on a line that disappears again.

    `text` has braces in the place of the number.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._is_shown = sys.stderr.isatty()

    def __call__(self, number: int) -> None:
        """Show the count."""
        if self._is_shown:
            control("\r", err=True)
            echo(self._text.format(number), err=True, nl=False)

    def clear(self) -> None:
        """Take it away."""
        if self._is_shown:
            control("\r\x1b[K", err=True)


def print_result(result: str, text: str) -> None:
    """Print a text after a result, or beneath the last one if there is none."""
    room = max(get_terminal_size().columns - LEFT, 30)
    for number, line in enumerate(wrap(text, room, break_long_words=False, break_on_hyphens=False)):
        echo(f"  {result:9}{line}" if number == 0 else " " * LEFT + line)


def amount(number: int, what: str) -> str:
    """Return a number with its noun: `1 game`, `2 games`."""
    return f"{number} {what}" + ("s" if number != 1 else "")
