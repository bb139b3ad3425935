"""Exit codes, and the errors of cardhub as exceptions of click that exit with them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import click
from typing_extensions import override

from cardhub.base.errors import BotError, CardhubError, OptionError, SeatingError
from cardhub.cli.console import echo

FAULT, USAGE, BOT = 1, 2, 3
# 128 + the number of SIGHUP, SIGINT, SIGPIPE and SIGTERM, as shells report the end by a signal.
HUNG_UP, INTERRUPTED, PIPE, TERMINATED = 129, 130, 141, 143
# A match cannot be played; not FAULT, which is a verdict there.
UNPLAYED = 4

# A match is over, but a bot of its file could not play; not BOT or UNPLAYED, which are errors.
ABSENT = 5

MEANINGS = """\b
Exit codes:
  0    success
  1    a game, a record or a plugin is at fault
  2    usage error: unknown command, option, game or value
  3    a bot misbehaved
  129  the terminal was closed
  130  interrupted (Ctrl-C)
  141  the reader of the output has gone, as in `cardhub bot list | head -1`
  143  terminated"""


class Failure(click.ClickException):
    """Exception of click: its message is printed on stderr, `exit_code` ends the process."""

    exit_code = FAULT

    def __init__(self, error: CardhubError) -> None:
        super().__init__(str(error))

    @override
    def show(self, file: IO[Any] | None = None) -> None:
        echo(f"Error: {self.message}", err=True)


class UsageFailure(Failure):
    """An invalid argument or option of the command line."""

    exit_code = USAGE


class BotFailure(Failure):
    """Exception of click for a fault of a bot."""

    exit_code = BOT


class UnplayedFailure(Failure):
    """Exception of click for an error that ends a match without a verdict."""

    exit_code = UNPLAYED


def fail(error: CardhubError) -> Failure:
    """Return the exception of click to raise for an error of cardhub."""
    if isinstance(error, OptionError | SeatingError):
        return UsageFailure(error)
    return BotFailure(error) if isinstance(error, BotError) else Failure(error)


@contextmanager
def no_verdict() -> Iterator[None]:
    """Make usage errors of the block exit with UNPLAYED: their usual code means a verdict."""
    try:
        yield
    except click.UsageError as error:
        # Click declares the code on the class, and reads it from the error.
        error.exit_code = UNPLAYED  # type: ignore[misc]
        raise
