"""Asking the bots of a match: within their time, and whatever they do is their fault alone."""

import traceback
from collections.abc import Callable
from contextlib import suppress
from math import inf
from threading import current_thread, get_ident, main_thread
from time import monotonic, sleep
from typing import Any, NoReturn, TypeVar

from cardhub.bots.bot import Bot, Interruptible
from cardhub.errors import (
    BotCrashError,
    BotExceptionError,
    BotFaultError,
    BotTimeoutError,
    OptionError,
    PluginError,
)
from cardhub.hidden.observation import Observation
from cardhub.match.run.deadline import BELL, Alarm, TooLateError, is_worker, within
from cardhub.match.run.signals import PENDING, Interrupted
from cardhub.match.task import Limits, Spent
from cardhub.play.advice import choose
from cardhub.play.setup import close

T = TypeVar("T")

START = 15.0
"""Seconds for making or closing a bot: longer than a program has for its first answer."""
CRASH_GRACE = 0.2
"""Seconds in which a signal to all processes, which has ended a bot's, reaches this one as well."""


class Guarded:
    """A bot that is made when it is asked for the first time, and stopped when its time is up.

    Whatever it raises is a BotFaultError, unless the program was interrupted meanwhile: then it is
    Interrupted. `allowance` are seconds that making it may take longer.
    """

    def __init__(self, make: Callable[[], Bot], limits: Limits, allowance: float = 0.0) -> None:
        self._make = make
        self._limits = limits
        self._allowance = allowance
        self._bot: Bot | None = None
        self._took: list[float] = []
        self._limit: float | None = None
        self._is_settled = False

    @property
    def spent(self) -> Spent:
        """What its answers took."""
        return Spent(sum(self._took), max(self._took, default=0.0), len(self._took))

    def choose(self, observation: Observation[Any], /) -> int:
        """See Bot; raises BotFaultError, and PluginError or OptionError if there is no such bot."""
        bot = self._bot or self._made()
        limit = self._limit if self._is_settled else self._settle()
        begun, lost = monotonic(), BELL.lost
        before = PENDING.is_breakable
        try:
            PENDING.enter()
            if limit is None or BELL.thread != get_ident():
                return _blamed(lambda: choose(bot, observation), limit)
            # `within` written out, since a match does this for every step of every game.
            BELL.deadline = until = begun + limit
            if until < BELL.rings_at or begun > BELL.armed_until or limit != BELL.seconds:
                BELL.start(limit, begun)
            try:
                return choose(bot, observation)
            finally:
                BELL.deadline = inf
        except BaseException as error:  # noqa: BLE001  # a bot may even try to end the program
            is_left = PENDING.have_come or isinstance(error, Alarm | BotTimeoutError)
            if is_left and isinstance(bot, Interruptible):
                with suppress(BotFaultError, Interrupted):
                    _blamed(bot.interrupt, START)
            _blame(error, limit)
        finally:
            self._took.append(monotonic() - begun - (BELL.lost - lost))
            PENDING.leave(before)

    def close(self) -> None:
        """Tell the bot that its game is over; what goes wrong then changes nothing."""
        bot, self._bot = self._bot, None
        if bot is not None:
            with suppress(BotFaultError, Interrupted):  # the others are to be closed all the same
                _blamed(lambda: close(bot), START)

    def _made(self) -> Bot:
        limit = None if self._limits.guard_seconds is None else START + self._allowance
        self._bot = bot = _blamed(self._make, limit)
        return bot

    def _settle(self) -> float | None:
        """Return how many seconds the next answer may take."""
        limit, bank = self._limits.guard_seconds, self._limits.bank_seconds
        if bank is not None:
            left = max(bank - sum(self._took), 0.001)
            limit = left if limit is None else min(limit, left)
        self._is_settled = bank is None and bool(self._took)
        self._limit = limit
        return limit


def _blamed(call: Callable[[], T], limit: float | None) -> T:
    """Return what a bot's code returns; raises BotFaultError or Interrupted, as Guarded does."""
    before = PENDING.is_breakable
    try:
        PENDING.enter()
        return within(limit, call)
    except BaseException as error:  # noqa: BLE001  # as above
        _blame(error, limit)
    finally:
        PENDING.leave(before)


def _blame(error: BaseException, limit: float | None) -> NoReturn:
    """Raise what a bot did wrong, given what came out of its code.

    Within PENDING's `enter` and `leave`: after a signal it is Interrupted in any case.
    """
    if isinstance(error, BotCrashError) and PENDING.thread == get_ident():
        sleep(CRASH_GRACE)
    if isinstance(error, Alarm | TooLateError):
        BELL.deadline = inf  # should the alarm have come just before that was done
        raise BotTimeoutError(f"no answer within {limit:g} seconds") from None
    if isinstance(error, BotFaultError | PluginError | OptionError):
        raise error
    if isinstance(error, KeyboardInterrupt) and _hears_ctrl_c():
        raise error
    told = traceback.format_exception_only(error)[
        -1
    ].strip()  # though it may fail to say what it is
    raise BotExceptionError(told, details="".join(traceback.format_exception(error))) from error


def _hears_ctrl_c() -> bool:
    """Return whether KeyboardInterrupt may be the user's, since nobody holds signals here."""
    return current_thread() is main_thread() and PENDING.thread is None and not is_worker()
