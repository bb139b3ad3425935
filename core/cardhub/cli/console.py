"""The only module that prints.

All output is escaped here: texts of records, plugins, programs and file names cannot control the
terminal.
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
from typing_extensions import override

from cardhub.base.errors.quoting import printable


def echo(message: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Print an object as a string with escaped control characters; line ends are kept."""
    click.echo(printable(str(message), lines=True), err=err, nl=nl)


def print_file(text: str) -> None:
    """Print the contents of a file as a string: unchanged to a pipe, escaped on a terminal."""
    # Only a terminal interprets control characters; a pipe or file gets the text unchanged.
    if sys.stdout.isatty():
        echo(text, nl=False)
    else:
        click.echo(text, nl=False, color=True)  # without color=True click removes ANSI sequences


def control(sequence: str, *, err: bool = False) -> None:
    """Send a control sequence to the terminal."""
    click.echo(sequence, err=err, nl=False, color=True)


def ask(prompt: str) -> str:
    """Print a prompt and return the typed line as a string; raises EOFError at end of input."""
    return input(printable(prompt))


def discard_unwritable() -> None:
    """Redirect streams that cannot be written to the null device."""
    # Python flushes them when it exits, and would print an error message.
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with suppress(OSError, ValueError):  # a stream without a file has no buffered data
                null = os.open(os.devnull, os.O_WRONLY)
                os.dup2(null, stream.fileno())
                os.close(null)


def show_printable_tracebacks() -> None:
    """Escape the warnings and the tracebacks of uncaught exceptions that Python prints."""
    # They quote source lines and messages of exceptions, which third-party code chooses.
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
    """Help formatter of all commands, also of plugins; it escapes control characters."""

    @override
    def getvalue(self) -> str:
        return printable(super().getvalue(), lines=True)


class Context(click.Context):
    """Context whose help is escaped; subcommands inherit it as the default context class."""

    formatter_class = Formatter


class PrintableError(click.ClickException):
    """Exception of click with an escaped message, which may quote an argument of the user."""

    def __init__(self, error: click.ClickException) -> None:
        super().__init__(error.format_message())
        # Click declares the code on the class, and reads it from the error.
        self.exit_code = error.exit_code  # type: ignore[misc]
        self._error = error

    @override
    def show(self, file: IO[Any] | None = None) -> None:
        text = StringIO()
        self._error.show(text)
        echo(text.getvalue(), err=True, nl=False)
