"""Bots of a match, asked with a time limit; all their exceptions become BotFaultError."""

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
from cardhub.match.run.deadline import TIMER, Alarm, TooLateError, is_worker, within
from cardhub.match.run.signals import GROUP_GRACE, SIGNALS, Interrupted
from cardhub.match.task import Limits, Spent
from cardhub.play.advice import choose
from cardhub.play.setup import close

T = TypeVar("T")

START = 15.0
"""Limit in seconds for making or closing a bot: more than a program has for its handshake."""


class TimedBot:
    """Bot with time limits, made when it is first asked.

    All exceptions of the bot are raised as BotFaultError, or as Interrupted if a signal was
    received in the meantime. `allowance` are additional seconds for making the bot.
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
        """Time of its actions so far."""
        return Spent(sum(self._took), max(self._took, default=0.0), len(self._took))

    def choose(self, observation: Observation[Any], /) -> int:
        """See Bot; raises BotFaultError, and PluginError or OptionError if the spec is invalid."""
        bot = self._bot or self._made()
        limit = self._limit if self._is_settled else self._settle()
        begun, lost = monotonic(), TIMER.lost
        before = SIGNALS.is_interruptible
        try:
            SIGNALS.enter()
            if limit is None or TIMER.thread != get_ident():
                return _blamed(lambda: choose(bot, observation), limit)
            # `within` inlined: this is the hot path of a match.
            TIMER.deadline = until = begun + limit
            if until < TIMER.fires_at or begun > TIMER.armed_until or limit != TIMER.seconds:
                TIMER.start(limit, begun)
            try:
                return choose(bot, observation)
            finally:
                TIMER.deadline = inf
        except BaseException as error:  # noqa: BLE001  # a bot may even try to end the program
            is_left = SIGNALS.has_received or isinstance(error, Alarm | BotTimeoutError)
            if is_left and isinstance(bot, Interruptible):
                with suppress(BotFaultError, Interrupted):
                    _blamed(bot.interrupt, START)
            _blame(error, limit)
        finally:
            self._took.append(monotonic() - begun - (TIMER.lost - lost))
            SIGNALS.leave(before)

    def close(self) -> None:
        """Tell the bot that its game is over; its exceptions are ignored."""
        bot, self._bot = self._bot, None
        if bot is not None:
            with suppress(BotFaultError, Interrupted):  # the other bots must be closed, too
                _blamed(lambda: close(bot), START)

    def _made(self) -> Bot:
        limit = None if self._limits.guard_seconds is None else START + self._allowance
        self._bot = bot = _blamed(self._make, limit)
        return bot

    def _settle(self) -> float | None:
        """Return the limit of the next action in seconds."""
        limit, bank = self._limits.guard_seconds, self._limits.bank_seconds
        if bank is not None:
            left = max(bank - sum(self._took), 0.001)
            limit = left if limit is None else min(limit, left)
        self._is_settled = bank is None and bool(self._took)
        self._limit = limit
        return limit


def _blamed(call: Callable[[], T], limit: float | None) -> T:
    """Call a bot's code; raises BotFaultError or Interrupted, as TimedBot does."""
    before = SIGNALS.is_interruptible
    try:
        SIGNALS.enter()
        return within(limit, call)
    except BaseException as error:  # noqa: BLE001  # as above
        _blame(error, limit)
    finally:
        SIGNALS.leave(before)


def _blame(error: BaseException, limit: float | None) -> NoReturn:
    """Raise the BotFaultError of an exception raised by a bot's code.

    Called between `enter` and `leave` of SIGNALS: after a signal, `leave` raises Interrupted.
    """
    if isinstance(error, BotCrashError) and SIGNALS.thread == get_ident():
        sleep(GROUP_GRACE)
    if isinstance(error, Alarm | TooLateError):
        TIMER.deadline = inf  # should the alarm have come just before that was done
        raise BotTimeoutError(f"no answer within {limit:g} seconds") from None
    if isinstance(error, BotFaultError | PluginError | OptionError):
        raise error
    if isinstance(error, KeyboardInterrupt) and _hears_ctrl_c():
        raise error
    told = traceback.format_exception_only(error)[-1].strip()  # works even if str(error) raises
    raise BotExceptionError(told, details="".join(traceback.format_exception(error))) from error


def _hears_ctrl_c() -> bool:
    """Return whether a KeyboardInterrupt can be from Ctrl-C: signals are not held here."""
    return current_thread() is main_thread() and SIGNALS.thread is None and not is_worker()
