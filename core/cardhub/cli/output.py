"""Results of commands on stdout: JSON, tables, and the results of checks."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from shutil import get_terminal_size
from typing import Any, Protocol, TypeVar

from cardhub.base.errors.quoting import in_json, printable
from cardhub.cli.console import control, echo
from cardhub.view.text.glyphs import cells, pad, wrapped

OK, FAILED, SKIPPED = "ok", "FAILED", "skipped"
# Column at which the texts of check results begin.
INDENT = 11
# Minimum width of a wrapped column, even if the terminal is narrower.
MIN_WIDTH = 30


class FailedCheck(Protocol):
    """A failed check of a game or bot."""

    @property
    def check(self) -> str:
        """The name of the check."""
        ...

    def facts(self) -> dict[str, Any]:
        """Return the finding as a dict of JSON values."""
        ...


F_co = TypeVar("F_co", bound=FailedCheck, covariant=True)


class CheckReport(Protocol[F_co]):
    """Results of named checks; `skipped` is a dict from skipped checks to the reasons."""

    @property
    def findings(self) -> Sequence[F_co]:
        """The failed checks."""
        ...

    @property
    def skipped(self) -> Mapping[str, str]:
        """The reasons as strings, by check."""
        ...

    def finding(self, check: str, /) -> F_co | None:
        """Return the finding of a check that failed, else None."""
        ...


def print_json(value: Any) -> None:
    """Print an object as indented JSON."""
    # Readable names instead of ASCII escapes; in_json escapes the control characters alone.
    echo(in_json(json.dumps(value, ensure_ascii=False, indent=2)))


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows of strings in columns; columns with heads that begin with `>` align right.

    If the last column aligns left, it is wrapped at the width of the terminal. Else the columns
    beyond that width follow below, beside the names of the rows.
    """
    is_right = [head.startswith(">") for head in heads]
    # Escaped before the widths are measured: `\x1b` takes four cells.
    names = [head.removeprefix(">") for head in heads]
    table = [[printable(cell) for cell in row] for row in (names, *rows)]
    widths = [max(map(cells, column)) for column in zip(*table, strict=True)]
    for number, columns in enumerate(_fitting_columns(widths, is_right)):
        if number:
            echo()
        *firsts, last = columns
        left = sum(widths[column] + 2 for column in firsts)
        for row in table:
            start = "".join(
                f"{_aligned(row[column], widths[column], is_right[column])}  " for column in firsts
            )
            end = _aligned(row[last], widths[last], is_right[last])
            first, *more = [end] if is_right[last] else wrapped(row[last], _width_after(left))
            for line in (start + first, *(" " * left + line for line in more)):
                echo(line.rstrip())


def _fitting_columns(widths: Sequence[int], is_right: Sequence[bool]) -> list[list[int]]:
    """Return groups of columns for the width of the terminal; each begins with the row's name."""
    if not is_right[-1]:
        return [list(range(len(widths)))]
    names = range(is_right.index(False) + 1 if False in is_right else 1)
    groups = [list(names)]
    for column in range(len(names), len(widths)):
        width = sum(widths[other] + 2 for other in groups[-1]) + widths[column]
        if width > _width_after(0) and len(groups[-1]) > len(names):
            groups.append(list(names))
        groups[-1].append(column)
    return groups


def _aligned(text: str, width: int, is_right: bool) -> str:
    return " " * (width - cells(text)) + text if is_right else pad(text, width)


def print_paragraph(text: str, mark: str = "", *, err: bool = False) -> None:
    """Print text wrapped at the width of the terminal, behind a mark; whole words are kept.

    `err`: print to stderr.
    """
    width, hang = _width_after(0), " " * len(mark)
    # No line begins with the sign of a percentage.
    joined = printable(mark + text).replace(" %", "\N{NO-BREAK SPACE}%")
    for line in wrapped(joined, width, hang=hang, breaks_words=False):
        echo(line.replace("\N{NO-BREAK SPACE}", " "), err=err)


def print_checks(
    report: CheckReport[F_co], sentences: Mapping[str, str], print_details: Callable[[F_co], None]
) -> None:
    """Print the results of all checks; `sentences` maps checks to the requirements they check."""
    for finding in report.findings:
        print_result(FAILED, f"{finding.check}: {sentences[finding.check]}")
        print_details(finding)
    passed = [check for check in sentences if _result(report, check) == OK]
    if passed:
        print_result(OK, ", ".join(passed))
    # One line for all checks with the same reason: one failure makes many of them meaningless.
    for reason in dict.fromkeys(report.skipped.values()):
        checks = [check for check in sentences if report.skipped.get(check) == reason]
        print_result(SKIPPED, f"{', '.join(checks)}: {reason}")


def print_result(result: str, text: str) -> None:
    """Print the result of a check with a string; an empty result continues the one above."""
    # Long words stay whole: paths and commands are copied from here.
    lines = wrapped(text, _width_after(INDENT), breaks_words=False)
    for number, line in enumerate(lines):
        echo(f"  {result:9}{line}" if number == 0 else " " * INDENT + line)


def check_facts(report: CheckReport[FailedCheck], check: str) -> dict[str, Any]:
    """Return the result of a check as a dict of JSON values."""
    finding = report.finding(check)
    return {
        "name": check,
        "result": _result(report, check).lower(),
        "skipped": report.skipped.get(check),
        "finding": finding.facts() if finding else None,
    }


def _result(report: CheckReport[FailedCheck], check: str) -> str:
    if report.finding(check):
        return FAILED
    return SKIPPED if check in report.skipped else OK


def _width_after(indent: int) -> int:
    return max(get_terminal_size().columns - indent, MIN_WIDTH)


class ProgressCounter:
    """Progress of a command, shown on stderr if that is a terminal; `text` is a format string."""

    def __init__(self, text: str) -> None:
        self._text = text
        # On stderr: stdout has only the report.
        self._is_shown = sys.stderr.isatty()

    def __call__(self, *values: object) -> None:
        """Show the text with these values."""
        if self._is_shown:
            # Each text overwrites the one before, which may be longer.
            control("\r\x1b[K", err=True)
            echo(self._text.format(*values), err=True, nl=False)

    def clear(self) -> None:
        """Erase the line."""
        if self._is_shown:
            control("\r\x1b[K", err=True)
