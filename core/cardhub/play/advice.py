"""Asking a bot what to do, and telling players what it thinks."""

import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import isfinite
from typing import Any, NamedTuple

from cardhub.bots.bot import Adviser, Bot, Rated
from cardhub.errors import BotExceptionError, BotFaultError, BotIllegalError
from cardhub.hidden.observation import Observation
from cardhub.play.seating import Player
from cardhub.quoting import as_int, quoted
from cardhub.text.glyphs import cells, pad

SHOWN = 5
"""How many actions of an advice are told."""
SCALE = "0 %: lost, 100 %: won"


class Told(NamedTuple):
    """One action of an advice in words; `worth` and `tries` are empty if the bot rates nothing."""

    name: str
    worth: str
    tries: str


def choose(bot: Bot, observation: Observation[Any]) -> int:
    """Return the action that a bot chooses, legal or not; raises BotFaultError."""
    # Written out, since a match does this for every step of every game.
    try:
        answer = bot.choose(observation)
        return answer if type(answer) is int else _action(answer, observation)
    except BotFaultError:
        raise
    except Exception as error:  # third-party code may raise anything
        raise blamed(error) from error


def advise(bot: Bot, observation: Observation[Any]) -> list[Rated]:
    """Return what a bot thinks of the legal actions, the best first; raises BotFaultError.

    Of a bot that is no Adviser there is only the action it would choose, with 0 visits.
    """
    legal = observation.legal()
    with _blaming():
        if not isinstance(bot, Adviser):
            return [_checked(Rated(bot.choose(observation), 0, 0.0), legal, observation)]
        rated = [_checked(Rated(*each), legal, observation) for each in bot.advise(observation)]
    if not rated:
        raise BotIllegalError("it advises nothing", [])
    return rated


def tell(rated: Sequence[Rated], observation: Observation[Any]) -> list[Told]:
    """Return an advice in the words of the seat it is for."""
    naming = observation.naming()
    names = {action: name for name, action in naming.notations(observation.legal()).items()}
    return [
        Told(names[action], worth(value), f"{visits} tries")
        if visits
        else Told(names[action], "", "")
        for action, visits, value in rated
    ]


def worth(value: float) -> str:
    """Return a mean return for people: `62 %` of the way from losing to winning."""
    return f"{50 * (1 + min(max(value, -1.0), 1.0)):.0f} %"


def public_fault(player: Player, fault: BotFaultError) -> str:
    """Return what anybody may be told of a bot's fault: whose it is and of which kind, no card."""
    return f"the bot of {player} {fault.public}"


def explain(error: BaseException) -> str:
    """Return why a bot failed: the message, after the kind of an exception that is not ours."""
    if isinstance(error, BotFaultError):
        return str(error)
    try:
        told = str(error)
    except (Exception, SystemExit, KeyboardInterrupt):  # noqa: BLE001  # it may even fail at this
        told = "its message cannot be read"
    return f"{type(error).__name__}: {told}".rstrip(": ")


def advice_lines(bot: str, told: Sequence[Told], width: int) -> list[str]:
    """Return an advice in lines: one for each action if they fit, else its numbers beneath it."""
    shown = told[:SHOWN]
    names = max(cells(each.name) for each in shown)
    scale = [SCALE] if any(each.worth for each in shown) else []
    more = [f"and {len(told) - SHOWN} more"] if len(told) > SHOWN else []
    wide = [_beside(number, each, names) for number, each in enumerate(shown, 1)]
    title = f"Hint by {bot}" + (f" ({SCALE})" if scale else "")
    if max(map(cells, [title, *wide])) <= width:
        return [f"{title}:", *wide, *more]
    narrow = [line for number, each in enumerate(shown, 1) for line in _beneath(number, each)]
    return [f"Hint by {bot}:", *narrow, *more, *scale]


@contextmanager
def _blaming() -> Iterator[None]:
    """Make whatever a bot raises a BotFaultError."""
    try:
        yield
    except BotFaultError:
        raise
    except Exception as error:  # third-party code may raise anything
        raise blamed(error) from error


def blamed(error: BaseException) -> BotFaultError:
    """Return the fault of a bot that raised something, which may be a fault already."""
    if isinstance(error, BotFaultError):
        return error
    details = "".join(traceback.format_exception(error))
    return BotExceptionError(explain(error), details=details)


def _action(answer: object, observation: Observation[Any]) -> int:
    action = as_int(answer)
    if action is None:
        raise BotIllegalError(observation.refusal(answer), answer)
    return action


def _checked(rated: Rated, legal: Sequence[int], observation: Observation[Any]) -> Rated:
    """Return a rated action in plain numbers."""
    action, value = _action(rated.action, observation), float(rated.value)
    if action not in legal:
        raise BotIllegalError(observation.refusal(action), action)
    if not isfinite(value):
        raise BotIllegalError(f"it rates action {quoted(action)} with {value}", value)
    return Rated(action, int(rated.visits), value)


def _numbers(told: Told) -> str:
    return ", ".join(filter(None, (told.worth, told.tries)))


def _beside(number: int, told: Told, width: int) -> str:
    return f"{number}. {pad(told.name, width)}  {_numbers(told)}".rstrip()


def _beneath(number: int, told: Told) -> Iterator[str]:
    yield f"{number}. {told.name}"
    if numbers := _numbers(told):
        yield f"   {numbers}"
