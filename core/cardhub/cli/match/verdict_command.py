"""Exit codes of `cardhub match FILE`: 0, 1 and 2 are verdicts; errors have other codes."""

import os
from tempfile import NamedTemporaryFile
from traceback import format_exception
from typing import Any

import click
from typing_extensions import override

from cardhub.base.errors import BotError, CardhubError
from cardhub.base.errors.quoting import describe_exception, printable
from cardhub.cli.exit_codes import (
    HUNG_UP,
    INTERRUPTED,
    TERMINATED,
    BotFailure,
    Failure,
    UnplayedFailure,
    no_verdict,
)
from cardhub.cli.root import registry_of
from cardhub.plugins.failures import plugin_error

CODES = """\b
Exit codes:
  0    the match is over; with a test: the first bot is better
  1    with a test: the first bot is not better
  2    with a test: undecided
  3    a bot's program is at fault before the first game
  4    anything else: a usage error, an invalid match file, a damaged log,
       a full disk, a fault of a plugin or of cardhub itself
  5    the match is over, but a bot was absent; with a test: its verdict
  129  the terminal was closed; the same command continues the match
  130  interrupted (Ctrl-C); the same command continues the match
  143  terminated; the same command continues the match"""
# Maximum length of the message of an unexpected exception.
MAX_MESSAGE = 500


class VerdictCommand(click.Command):
    """Command whose callback returns the exit code of a verdict; other errors exit with 3 or 4."""

    @override
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with no_verdict():
            return super().parse_args(ctx, args)

    @override
    def invoke(self, ctx: click.Context) -> Any:
        try:
            with no_verdict():
                code = super().invoke(ctx)
        except (click.UsageError, BrokenPipeError):  # handled by the root command
            raise
        except BaseException as error:
            if is_exit(error):
                raise
            # Any other exception too: Python's own exit code 1 would be a verdict.
            raise _failure(error, ctx) from error
        ctx.exit(code)


def is_exit(error: BaseException) -> bool:
    """Return whether an exception is a regular exit: after --help, or after a signal."""
    if isinstance(error, KeyboardInterrupt):
        return True
    if isinstance(error, click.exceptions.Exit):
        return error.exit_code == 0
    codes = HUNG_UP, INTERRUPTED, TERMINATED
    return isinstance(error, SystemExit) and error.code in codes


def _failure(error: BaseException, ctx: click.Context) -> Failure:
    if isinstance(error, BotError):
        return BotFailure(error)
    if isinstance(error, CardhubError):
        return UnplayedFailure(error)
    if isinstance(error, OSError) and error.errno is not None:
        where = error.filename or "the output"
        return UnplayedFailure(CardhubError(f"{where}: {os.strerror(error.errno)}"))
    culprit = registry_of(ctx).culprit(error)
    message = f"fault: {describe_exception(error)}"
    if culprit is not None:
        message = str(plugin_error(culprit, "failed in a match", error))
    # One line for scripts and logs of schedulers; the traceback goes into a file.
    line = printable(message)[:MAX_MESSAGE]
    return UnplayedFailure(CardhubError(f"{line}; {_save_traceback(error)}"))


def _save_traceback(error: BaseException) -> str:
    """Write the traceback of an exception to a new file, and return a message with its path."""
    try:
        with NamedTemporaryFile(
            "w",
            prefix="cardhub-",
            suffix=".txt",
            delete=False,
            encoding="utf-8",
            errors="backslashreplace",  # the message of an exception may hold lone surrogates
        ) as file:
            file.writelines(format_exception(error))
    except OSError as unwritten:
        return f"its traceback cannot be written: {unwritten.strerror}"
    return f"traceback: {file.name}"
