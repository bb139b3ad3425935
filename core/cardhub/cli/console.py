"""The one place that prints.

Whatever a command tells goes through here, so that nothing from a record, a plugin, a program or a
file name can rewrite the terminal.
"""

import os
import sys
import traceback
import warnings
from contextlib import suppress
from io import StringIO
from types import TracebackType
from typing import IO, Any, TextIO

import click

from cardhub.errors.printable import printable


def echo(message: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text with its control characters written out; line ends stay."""
    click.echo(printable(str(message), lines=True), err=err, nl=nl)


def print_file(text: str) -> None:
    """Print what could be a file: unchanged to a pipe or a file, made printable on a terminal."""
    if sys.stdout.isatty():
        echo(text, nl=False)
    else:
        click.echo(text, nl=False, color=True)  # otherwise click removes ANSI sequences


def control(sequence: str, *, err: bool = False) -> None:
    """Send a terminal a control sequence of our own."""
    click.echo(sequence, err=err, nl=False, color=True)


def ask(prompt: str) -> str:
    """Print a prompt and return the line that is typed; raises EOFError where input ends."""
    return input(printable(prompt))


def discard_unwritable() -> None:
    """Send what can no longer be written nowhere, or Python would complain of it at its end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):  # a stream without a file holds nothing back
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, stream.fileno())
                os.close(nowhere)


def show_printable_tracebacks() -> None:
    """Have the warnings and tracebacks of Python printed here as well: they quote anything."""
    warnings.showwarning = _show_warning
    sys.excepthook = _show_exception


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    echo(warnings.formatwarning(message, category, filename, lineno, line), err=True, nl=False)


def _show_exception(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    echo("".join(traceback.format_exception(kind, error, trace)), err=True, nl=False)


class Formatter(click.HelpFormatter):
    """Formats the help of commands, those of plugins included."""

    def getvalue(self) -> str:
        """Return the help with its control characters written out."""
        return printable(super().getvalue(), lines=True)


class Context(click.Context):
    """A context whose help is printable."""

    formatter_class = Formatter


class PrintableError(click.ClickException):
    """An error of click on its way out; its message may quote anything."""

    def __init__(self, error: click.ClickException) -> None:
        super().__init__(error.format_message())
        # Click declares the code on the class, and reads it from the error.
        self.exit_code = error.exit_code  # type: ignore[misc]
        self._error = error

    def show(self, file: IO[Any] | None = None) -> None:
        """Print usage and message on stderr."""
        text = StringIO()
        self._error.show(text)
        echo(text.getvalue(), err=True, nl=False)
