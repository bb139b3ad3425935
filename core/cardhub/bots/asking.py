"""Ask bots: the only way in which tables, matches and checks call the code of a bot."""

import traceback
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from math import inf, isfinite
from threading import current_thread, get_ident, main_thread
from time import monotonic, sleep
from typing import Any, NamedTuple, NoReturn, TypeVar, TypeVarTuple

from cardhub.base.errors import (
    BotCrashError,
    BotExceptionError,
    BotFaultError,
    BotIllegalError,
    BotTimeoutError,
    CardhubError,
)
from cardhub.base.errors.quoting import as_int, describe_exception, quoted
from cardhub.bots.bot import Adviser, Bot, Comparer, Interruptible, Rated
from cardhub.bots.deadline import TIMER, Alarm, TooLateError, is_worker, within
from cardhub.bots.signals import GROUP_GRACE, SIGNALS, Interrupted, record_signals
from cardhub.model.hidden.observation import Observation, Step

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

# Limit in seconds for making or closing a bot: more than a program has for its handshake.
START = 15.0

# Stands for the answer of a bot that raised an exception or was interrupted.
NOT_RETURNED = object()


class Answer(NamedTuple):
    """The answer of a bot: an action, legal or not, or a fault.

    `seconds` excludes time in which this process was stopped. `returned` is the object that the bot
    returned, else NOT_RETURNED. An exception of the bot is the `__cause__` of the fault.
    """

    action: int
    fault: BotFaultError | None
    seconds: float
    returned: object

    def chosen(self) -> int:
        """Return the action; raises BotFaultError if there is none."""
        if self.fault is not None:
            raise self.fault
        return self.action


def ask(bot: Bot, observation: Observation[Any], limit: float | None = None) -> Answer:
    """Ask a bot for an action, within `limit` seconds if given.

    Raises only after a signal: Interrupted, or the exception of its handler.
    """
    action, fault, returned = -1, None, NOT_RETURNED
    begun, lost = monotonic(), TIMER.lost
    try:
        value = call_bot(_choose, bot, observation, limit=limit)
        # Another integer type, such as numpy's, is converted by its own code: within a limit, too.
        number = value if type(value) is int else call_bot(as_int, value, limit=START)
        returned = value  # not before: its `__index__` is code of the bot, too
        if number is None:
            # The bot may have changed its observation, so that even the refusal fails.
            call_bot(_refuse, value, observation, limit=START)
        else:
            action = number
    except (BotFaultError, Interrupted) as error:
        # Its process or search would go on with a question whose answer is not read any more.
        is_left = isinstance(error, Interrupted | BotTimeoutError)
        if is_left and isinstance(bot, Interruptible):
            with suppress(BotFaultError, Interrupted):
                call_bot(bot.interrupt, limit=START)
        if isinstance(error, Interrupted):
            raise
        fault = error
    return Answer(action, fault, monotonic() - begun - (TIMER.lost - lost), returned)


def choose(bot: Bot, observation: Observation[Any]) -> int:
    """Return the action that a bot chooses, legal or not; raises BotFaultError."""
    return ask(bot, observation).chosen()


def advise(bot: Bot, observation: Observation[Any]) -> list[Rated]:
    """Return a bot's ratings of the legal actions, the best first; raises BotFaultError.

    For a bot that is no Adviser, the list has only the action it would choose, with 0 visits.
    """
    legal = observation.legal()  # now, as the bot may change the observation
    if not isinstance(bot, Adviser):
        return [call_bot(_checked, Rated(choose(bot, observation), 0, 0.0), legal, observation)]
    rated = call_bot(_rate, bot, legal, observation)
    if not rated:
        raise BotIllegalError("it returned no ratings", [])
    return rated


def compare(bot: Comparer, observation: Observation[Any], actions: Sequence[int]) -> list[Rated]:
    """Return a bot's ratings of some legal actions, in their order; raises BotFaultError."""
    return call_bot(_compare, bot, observation.legal(), observation, actions)


def call_bot(
    call: Callable[[*Ts], T],
    *arguments: *Ts,
    limit: float | None = None,
    passing: tuple[type[CardhubError], ...] = (),
) -> T:
    """Return the result of a call into a bot's code, within `limit` seconds if given.

    Any exception becomes a BotFaultError, except those of the types `passing`. After a signal,
    exceptions of its handler pass, or Interrupted is raised.
    """
    is_recorded = SIGNALS.thread is None and current_thread() is main_thread() and not is_worker()
    with record_signals() if is_recorded else nullcontext(()) as received:
        before = SIGNALS.is_interruptible
        try:
            SIGNALS.enter()
            return within(limit, call, *arguments)
        except BaseException as error:
            # Without a signal the bot itself has raised it, which is a fault like any other.
            if received and isinstance(error, KeyboardInterrupt | SystemExit):
                raise
            if isinstance(error, passing):
                raise
            _raise_fault(error, limit)
        finally:
            SIGNALS.leave(before)


def fault_of(error: BaseException) -> BotFaultError:
    """Return an exception of a bot as a BotFaultError, unchanged if it is one already."""
    if isinstance(error, BotFaultError):
        return error
    details = "".join(traceback.format_exception(error))
    return BotExceptionError(explain(error), details=details)


def explain(error: BaseException) -> str:
    """Return an error's message, preceded by the type of an exception that is not a fault."""
    return str(error) if isinstance(error, BotFaultError) else describe_exception(error)


def _choose(bot: Bot, observation: Observation[Any]) -> object:
    # The message of an exception is third-party code, too: it is read within the time limit.
    try:
        return bot.choose(observation)
    except BotFaultError:
        raise
    except Exception as error:  # third-party code may raise any exception
        raise fault_of(error) from error


def _rate(bot: Adviser, legal: Sequence[int], observation: Observation[Any]) -> list[Rated]:
    return [_checked(Rated(*each), legal, observation) for each in bot.advise(observation)]


def _compare(
    bot: Comparer, legal: Sequence[int], observation: Observation[Any], actions: Sequence[int]
) -> list[Rated]:
    found = bot.compare(observation, actions)
    rated = [_checked(Rated(*each), legal, observation) for each in found]
    if [each.action for each in rated] != list(actions):
        raise BotIllegalError("it did not rate the actions that it was asked for", found)
    return rated


def _checked(rated: Rated, legal: Sequence[int], observation: Observation[Any]) -> Rated:
    action, value = as_int(rated.action), float(rated.value)
    if action is None or action not in legal:
        _refuse(rated.action, observation)
    if not isfinite(value):
        raise BotIllegalError(f"it rates action {quoted(action)} with {value}", value)
    # Only what has the form of a line is passed on: a front end names each action of it.
    line = tuple(Step(int(seat), int(step)) for seat, step in rated.line)
    return Rated(action, int(rated.visits), value, line)


def _refuse(answer: object, observation: Observation[Any]) -> NoReturn:
    raise BotIllegalError(observation.refusal(answer), answer)


def _raise_fault(error: BaseException, limit: float | None) -> NoReturn:
    if isinstance(error, BotCrashError) and SIGNALS.thread == get_ident():
        # Perhaps a signal to the whole group has ended the bot's process and comes here next.
        sleep(GROUP_GRACE)
    if isinstance(error, Alarm | TooLateError):
        TIMER.deadline = inf  # should the alarm have come just before that was done
        raise BotTimeoutError(f"no answer within {limit:g} seconds") from None
    if isinstance(error, BotFaultError):
        raise error  # with the cause that it has
    raise fault_of(error) from error
