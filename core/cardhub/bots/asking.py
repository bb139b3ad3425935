"""Ask bots: tables, matches and checks call a bot's code only through this module."""

import traceback
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from math import fsum, inf, isfinite
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
from cardhub.bots.bot import (
    Adviser,
    Bot,
    Comparer,
    Interruptible,
    MixedBot,
    Rated,
    Searcher,
    policy_problem,
)
from cardhub.bots.deadline import (
    GROUP_GRACE,
    SIGNALS,
    TIMER,
    Alarm,
    Interrupted,
    TooLateError,
    is_worker,
    record_signals,
    within,
)
from cardhub.model.hidden.observation import Observation, Step

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

# Limit in seconds for creating or closing a bot, longer than the limit for a program's handshake.
START = 15.0

# In place of the answer of a bot that raised an exception or was interrupted.
NOT_RETURNED = object()


class Answer(NamedTuple):
    """The answer of a bot: an action, legal or not, or a fault.

    `seconds`: the time of the answer, without time in which this process was stopped. `returned`:
    the object that the bot returned, or NOT_RETURNED. An exception of the bot is the `__cause__` of
    the fault.
    """

    action: int
    fault: BotFaultError | None
    seconds: float
    returned: object

    def chosen(self) -> int:
        """Return the action; raises the fault if the bot gave none."""
        if self.fault is not None:
            raise self.fault
        return self.action


def ask(bot: Bot, observation: Observation[Any], limit: float | None = None) -> Answer:
    """Ask a bot for an action; `limit`: the time limit in seconds, or None.

    Raises only after a signal: Interrupted, or the exception of the signal's handler.
    """
    action, fault, returned = -1, None, NOT_RETURNED
    begun, lost = monotonic(), TIMER.lost
    try:
        value = call_bot(_choose, bot, observation, limit=limit)
        # Other integer types, for example numpy's, are converted by third-party code, so this call
        # also needs a limit.
        number = value if type(value) is int else call_bot(as_int, value, limit=START)
        returned = value  # set only now, because `__index__` is also code of the bot
        if number is None:
            # The bot may have changed its observation, so even the refusal may fail.
            call_bot(_refuse, value, observation, limit=START)
        else:
            action = number
    except (BotFaultError, Interrupted) as error:
        # Interrupt the bot, because its process or search would continue although its answer is no
        # longer needed.
        is_abandoned = isinstance(error, Interrupted | BotTimeoutError)
        if is_abandoned and isinstance(bot, Interruptible):
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

    For a bot that is not an Adviser, the list has only the action that it chooses, with 0 visits.
    """
    legal = observation.legal()  # before the call, because the bot may change the observation
    if not isinstance(bot, Adviser):
        return [call_bot(_checked, Rated(choose(bot, observation), 0, 0.0), legal, observation)]
    rated = call_bot(_rate, bot, legal, observation)
    if not rated:
        raise BotIllegalError("it returned no ratings", [])
    return rated


def compare(bot: Comparer, observation: Observation[Any], actions: Sequence[int]) -> list[Rated]:
    """Return a bot's ratings of these legal actions, in their order; raises BotFaultError."""
    return call_bot(_compare, bot, observation.legal(), observation, actions)


def visits_of(bot: Searcher, observation: Observation[Any]) -> dict[int, int]:
    """Return how often a bot visited each legal action; raises BotFaultError."""
    legal = observation.legal()  # before the call, because the bot may change the observation
    return call_bot(_visits, bot, legal, observation)


def policy_of(bot: MixedBot, observation: Observation[Any]) -> dict[int, float]:
    """Return a bot's probabilities of all legal actions, in ascending order; their sum is 1.

    Raises BotFaultError, also if the bot returns no probabilities or an illegal action has one.
    """
    legal = sorted(observation.legal())  # before the call, because the bot may change it
    return call_bot(_policy, bot, legal, observation)


def call_bot(
    call: Callable[[*Ts], T],
    *arguments: *Ts,
    limit: float | None = None,
    passing: tuple[type[CardhubError], ...] = (),
) -> T:
    """Return the result of a call into a bot's code; `limit`: the time limit in seconds, or None.

    Every exception becomes a BotFaultError, except exceptions of the types `passing`. After a
    signal, the exception of the signal's handler passes, or Interrupted is raised.
    """
    with _recorded_signals() as received:
        before, earlier = SIGNALS.is_interruptible, len(received)
        try:
            SIGNALS.enter()
            return within(limit, call, *arguments)
        except BaseException as error:
            # Without a signal the bot itself raised this exception, which is then a fault.
            if len(received) > earlier and isinstance(error, KeyboardInterrupt | SystemExit):
                raise
            if isinstance(error, passing):
                raise
            _raise_fault(error, limit)
        finally:
            SIGNALS.leave(before)


def _recorded_signals() -> AbstractContextManager[Sequence[int]]:
    """Return a context with the signals that this process receives, as far as it records them."""
    is_recorded = SIGNALS.thread is None and current_thread() is main_thread() and not is_worker()
    if not is_recorded:
        return nullcontext(())
    # To replace the handlers again takes longer than a short call.
    return record_signals() if SIGNALS.recorded is None else nullcontext(SIGNALS.recorded)


def fault_of(error: BaseException) -> BotFaultError:
    """Return an exception of a bot as a BotFaultError; a BotFaultError is returned unchanged."""
    if isinstance(error, BotFaultError):
        return error
    details = "".join(traceback.format_exception(error))
    return BotExceptionError(explain(error), details=details)


def explain(error: BaseException) -> str:
    """Return an error's message, preceded by the type of an exception that is not a fault."""
    return str(error) if isinstance(error, BotFaultError) else describe_exception(error)


def _choose(bot: Bot, observation: Observation[Any]) -> object:
    # The message of an exception is also third-party code, so it is read within the time limit.
    try:
        return bot.choose(observation)
    except BotFaultError:
        raise
    except Exception as error:  # third-party code may raise any exception
        raise fault_of(error) from error


def _rate(bot: Adviser, legal: Sequence[int], observation: Observation[Any]) -> list[Rated]:
    return [_checked(Rated(*rating), legal, observation) for rating in bot.advise(observation)]


def _compare(
    bot: Comparer, legal: Sequence[int], observation: Observation[Any], actions: Sequence[int]
) -> list[Rated]:
    answer = bot.compare(observation, actions)
    ratings = [_checked(Rated(*rating), legal, observation) for rating in answer]
    if [rating.action for rating in ratings] != list(actions):
        raise BotIllegalError("it did not rate the actions that it was asked for", answer)
    return ratings


def _visits(bot: Searcher, legal: Sequence[int], observation: Observation[Any]) -> dict[int, int]:
    answer = {key: int(count) for key, count in bot.visits(observation).items()}
    if min(answer.values(), default=0) < 0 or not any(answer.values()):
        raise BotIllegalError("it visited no action, or one less than 0 times", answer)
    visits = {}
    for key, count in answer.items():
        action = as_int(key)
        if action is None or action not in legal:
            _refuse(key, observation)
        visits[action] = count
    return visits


def _policy(bot: MixedBot, legal: Sequence[int], observation: Observation[Any]) -> dict[int, float]:
    answer = {key: float(chance) for key, chance in bot.policy(observation).items()}
    if problem := policy_problem(answer.values()):
        raise BotIllegalError(f"its policy is wrong: {problem}", answer)
    chances = dict.fromkeys(legal, 0.0)
    for key, chance in answer.items():
        action = as_int(key)
        if action in chances:
            chances[action] = chance
        elif chance:
            _refuse(key, observation)
    total = fsum(chances.values())
    return {action: chance / total for action, chance in chances.items()}


def _checked(rated: Rated, legal: Sequence[int], observation: Observation[Any]) -> Rated:
    action, value = as_int(rated.action), float(rated.value)
    if action is None or action not in legal:
        _refuse(rated.action, observation)
    if not isfinite(value):
        raise BotIllegalError(f"it rates action {quoted(action)} with {value}", value)
    # Convert the line to steps, because front ends name its actions.
    line = tuple(Step(int(seat), int(step)) for seat, step in rated.line)
    return Rated(action, int(rated.visits), value, line)


def _refuse(answer: object, observation: Observation[Any]) -> NoReturn:
    raise BotIllegalError(observation.refusal(answer), answer)


def _raise_fault(error: BaseException, limit: float | None) -> NoReturn:
    if isinstance(error, BotCrashError) and SIGNALS.thread == get_ident():
        # A signal to the process group may have ended the bot's process; wait until it arrives.
        sleep(GROUP_GRACE)
    if isinstance(error, Alarm | TooLateError):
        TIMER.deadline = inf  # the alarm may have come just before this reset in `within`
        raise BotTimeoutError(f"no answer within {limit:g} seconds") from None
    if isinstance(error, BotFaultError):
        raise error  # with its own cause
    raise fault_of(error) from error
