"""Exit codes of `cardhub match FILE`: 0, 1 and 2 are reserved for verdicts."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import NamedTemporaryFile
from traceback import format_exception
from typing import Any

import click

from cardhub.cli.exit_codes import (
    HUNG_UP,
    INTERRUPTED,
    TERMINATED,
    UNPLAYED,
    BotFailure,
    Failure,
    UnplayedFailure,
)
from cardhub.cli.root import registry_of
from cardhub.errors import BotError, CardhubError
from cardhub.errors.printable import printable
from cardhub.errors.quoting import describe_exception
from cardhub.plugins.failures import plugin_error

CODES = """\b
Exit codes:
  0    the match is over; with a test: the first bot is better
  1    with a test: the first bot is not better
  2    with a test: it stays undecided
  3    a bot's program is at fault before the first game
  4    anything else: a wrong command line or file, a damaged log, a full
       disk, a fault of a plugin or of cardhub itself
  129  the terminal was closed; the same command goes on
  130  interrupted (Ctrl-C); likewise
  143  terminated; likewise"""
LONGEST = 500
"""Maximum length of the message of an unexpected exception."""


class VerdictCommand(click.Command):
    """Command whose callback returns the exit code of a verdict; errors have other codes."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """See Command."""
        with _with_distinct_codes(parent):
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """See Command."""
        with _with_distinct_codes(ctx):
            code = super().invoke(ctx)
        ctx.exit(code)


@contextmanager
def _with_distinct_codes(ctx: click.Context | None) -> Iterator[None]:
    """Map errors to exit codes that are not verdicts."""
    try:
        yield
    except click.UsageError as error:
        # Click declares the code on the class, and reads it from the error.
        error.exit_code = UNPLAYED  # type: ignore[misc]
        raise
    except BaseException as error:
        if is_exit(error) or isinstance(error, BrokenPipeError):  # handled by the root command
            raise
        raise _failure(error, ctx) from error


def is_exit(error: BaseException) -> bool:
    """Return whether an exception is a regular exit: after --help, or after a signal."""
    if isinstance(error, KeyboardInterrupt):
        return True
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code == 0
    codes = HUNG_UP, INTERRUPTED, TERMINATED
    return isinstance(error, SystemExit) and error.code in codes


def _failure(error: BaseException, ctx: click.Context | None) -> Failure:
    if isinstance(error, BotError):
        return BotFailure(error)
    if isinstance(error, CardhubError):
        return UnplayedFailure(error)
    if isinstance(error, OSError) and error.errno is not None:
        where = error.filename or "the output"
        return UnplayedFailure(CardhubError(f"{where}: {os.strerror(error.errno)}"))
    culprit = registry_of(ctx).culprit(error) if ctx is not None else None
    told = f"fault: {describe_exception(error)}"
    if culprit is not None:
        told = str(plugin_error(culprit, "failed in a match", error))
    line = printable(told)[:LONGEST]
    return UnplayedFailure(CardhubError(f"{line}; {_kept_traceback(error)}"))


def _kept_traceback(error: BaseException) -> str:
    """Write the traceback of an exception to a file and return a message with its path."""
    text = "".join(format_exception(error))
    try:
        with NamedTemporaryFile(
            "w",
            prefix="cardhub-",
            suffix=".txt",
            delete=False,
            encoding="utf-8",
            errors="backslashreplace",
        ) as file:
            file.write(text)
    except OSError as unwritten:
        return f"its traceback cannot be written: {unwritten.strerror}"
    return f"traceback: {file.name}"
