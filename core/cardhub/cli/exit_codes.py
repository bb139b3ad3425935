"""Exit codes, and which error means which."""

from typing import IO, Any

import click

from cardhub.cli.console import echo
from cardhub.errors import BotError, CardhubError, OptionError, SeatingError

FAULT, USAGE, BOT = 1, 2, 3
HUNG_UP, INTERRUPTED, PIPE, TERMINATED = 129, 130, 141, 143
UNPLAYED = 4
"""A match cannot be played; 1 and 2 are verdicts there."""

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
    """An error of cardhub on its way out: a message on stderr and an exit code."""

    exit_code = FAULT

    def __init__(self, error: CardhubError) -> None:
        super().__init__(str(error))

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message on stderr."""
        echo(f"Error: {self.message}", err=True)


class UsageFailure(Failure):
    """A failure that another command line would not have had."""

    exit_code = USAGE


class BotFailure(Failure):
    """A failure that is a bot's."""

    exit_code = BOT


class UnplayedFailure(Failure):
    """A failure of a match that ended in no verdict."""

    exit_code = UNPLAYED


def fail(error: CardhubError) -> Failure:
    """Return the failure to raise for an error."""
    if isinstance(error, OptionError | SeatingError):
        return UsageFailure(error)
    return BotFailure(error) if isinstance(error, BotError) else Failure(error)
