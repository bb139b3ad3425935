"""How checks come out: one result a line, with texts in a column of their own."""

import sys
from shutil import get_terminal_size
from textwrap import wrap

import click

OK, FAILED, SKIPPED = "ok", "FAILED", "skipped"
LEFT = 11
"""Where texts begin, after the result."""


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
            click.echo("\r" + self._text.format(number), err=True, nl=False)

    def clear(self) -> None:
        """Take it away."""
        if self._is_shown:
            click.echo("\r\x1b[K", err=True, nl=False)


def print_result(result: str, text: str) -> None:
    """Print a text after a result, or beneath the last one if there is none."""
    room = max(get_terminal_size().columns - LEFT, 30)
    for number, line in enumerate(wrap(text, room, break_long_words=False, break_on_hyphens=False)):
        click.echo(f"  {result:9}{line}" if number == 0 else " " * LEFT + line)


def amount(number: int, what: str) -> str:
    """Return a number with its noun: `1 game`, `2 games`."""
    return f"{number} {what}" + ("s" if number != 1 else "")
