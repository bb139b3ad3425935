"""Asking the bots of a match: within their time, and whatever they do is their fault alone."""

import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import parent_process
from time import monotonic
from typing import Any, TypeVar

from cardhub.bots.bot import Bot, Interruptible
from cardhub.errors import (
    BotExceptionError,
    BotFaultError,
    BotTimeoutError,
    OptionError,
    PluginError,
)
from cardhub.hidden.observation import Observation
from cardhub.match.deadline import TooLateError, within
from cardhub.match.task import Limits, Spent
from cardhub.play.advice import choose
from cardhub.play.table import close

T = TypeVar("T")

START = 15.0
"""Seconds for making or closing a bot: longer than a program has for its first answer."""


class Guarded:
    """A bot that is made when it is asked for the first time, and stopped when its time is up.

    Whatever it raises is a BotFaultError; only Ctrl-C passes. `allowance` are seconds that its
    first answer may take longer.
    """

    def __init__(self, make: Callable[[], Bot], limits: Limits, allowance: float = 0.0) -> None:
        self._make = make
        self._limits = limits
        self._allowance = allowance
        self._bot: Bot | None = None
        self._is_expendable = _is_worker()
        self._seconds = self._longest = 0.0
        self._answers = 0
        self._limit = self._left()

    @property
    def spent(self) -> Spent:
        """What its answers took."""
        return Spent(self._seconds, self._longest, self._answers)

    def choose(self, observation: Observation[Any], /) -> int:
        """See Bot; raises BotFaultError, and PluginError or OptionError if there is no such bot."""
        bot = self._bot or self._made()
        begun = monotonic()
        try:
            return _blamed(lambda: choose(bot, observation), self._limit, self._is_expendable)
        except BotTimeoutError:
            if isinstance(bot, Interruptible):
                bot.interrupt()
            raise
        finally:
            self._note(monotonic() - begun)

    def close(self) -> None:
        """Tell the bot that its game is over; what goes wrong then changes nothing."""
        bot, self._bot = self._bot, None
        if bot is not None:
            with suppress(BotFaultError):
                _blamed(lambda: close(bot), START, self._is_expendable)

    def _note(self, seconds: float) -> None:
        self._seconds += seconds
        if seconds > self._longest:
            self._longest = seconds
        self._answers += 1
        if self._answers == 1 or self._limits.bank_seconds is not None:
            self._limit = self._left()

    def _made(self) -> Bot:
        limit = None if self._limits.guard_seconds is None else START
        self._bot = bot = _blamed(self._make, limit, self._is_expendable)
        return bot

    def _left(self) -> float | None:
        """Return how many seconds the next answer may take."""
        limit, bank = self._limits.guard_seconds, self._limits.bank_seconds
        if bank is not None:
            left = max(bank - self._seconds, 0.001)
            limit = left if limit is None else min(limit, left)
        return limit if self._answers or limit is None else limit + self._allowance


def _blamed(call: Callable[[], T], limit: float | None, is_expendable: bool) -> T:
    """Return what a bot's code returns; raises BotFaultError for whatever it does instead."""
    try:
        return within(limit, call, is_expendable)
    except TooLateError:
        raise BotTimeoutError(f"no answer within {limit:g} seconds") from None
    except (BotFaultError, PluginError, OptionError):
        raise
    except KeyboardInterrupt as error:
        if not is_expendable:
            raise
        raise _exception(error) from error  # workers ignore Ctrl-C: this one is the bot's own
    except BaseException as error:  # a bot may even try to end the program
        raise _exception(error) from error


def _exception(error: BaseException) -> BotExceptionError:
    """Return a bot's exception as its fault, though it may fail to say what it is."""
    told = traceback.format_exception_only(error)[-1].strip()
    return BotExceptionError(told, details="".join(traceback.format_exception(error)))


def _is_worker() -> bool:
    """Return whether this process is one of several that play games, and can be replaced."""
    return parent_process() is not None
