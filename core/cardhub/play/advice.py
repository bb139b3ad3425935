"""Ask a bot for an action or for ratings of all actions, and format ratings for players."""

import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import isfinite
from typing import Any, NamedTuple

from cardhub.bots.bot import Adviser, Bot, Rated
from cardhub.errors import BotExceptionError, BotFaultError, BotIllegalError
from cardhub.errors.quoting import as_int, quoted
from cardhub.hidden.observation import Observation
from cardhub.play.seating import Player
from cardhub.text.glyphs import cells, pad

SHOWN = 5
"""Number of rated actions that are shown."""
SCALE = "0 %: lost, 100 %: won"


class Told(NamedTuple):
    """A rated action as text; `worth` and `tries` are empty if the bot has no ratings."""

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
    """Return a bot's ratings of the legal actions, the best first; raises BotFaultError.

    For a bot that is no Adviser, the list has only the action it would choose, with 0 visits.
    """
    legal = observation.legal()
    with _blaming():
        if not isinstance(bot, Adviser):
            return [_checked(Rated(bot.choose(observation), 0, 0.0), legal, observation)]
        rated = [_checked(Rated(*each), legal, observation) for each in bot.advise(observation)]
    if not rated:
        raise BotIllegalError("it returned no ratings", [])
    return rated


def tell(rated: Sequence[Rated], observation: Observation[Any]) -> list[Told]:
    """Return rated actions as text, in the notation of the seat they are for."""
    labels = observation.labels()
    names = {action: name for name, action in labels.notations(observation.legal()).items()}
    return [
        Told(names[action], worth(value), f"{visits} tries")
        if visits
        else Told(names[action], "", "")
        for action, visits, value in rated
    ]


def worth(value: float) -> str:
    """Return a mean return as a percentage: 0 % is a loss, 100 % a win."""
    return f"{50 * (1 + min(max(value, -1.0), 1.0)):.0f} %"


def public_fault(player: Player, fault: BotFaultError) -> str:
    """Return the public text of a bot's fault: the player and the kind of fault, no cards."""
    return f"the bot of {player} {fault.public}"


def explain(error: BaseException) -> str:
    """Return an error's message, preceded by the type of an exception that is not cardhub's."""
    if isinstance(error, BotFaultError):
        return str(error)
    try:
        told = str(error)
    except (Exception, SystemExit, KeyboardInterrupt):  # noqa: BLE001  # it may even fail at this
        told = "its message cannot be read"
    return f"{type(error).__name__}: {told}".rstrip(": ")


def advice_lines(bot: str, told: Sequence[Told], width: int) -> list[str]:
    """Return ratings as lines: one per action if they fit, else two."""
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
    """Convert any exception of a bot to a BotFaultError."""
    try:
        yield
    except BotFaultError:
        raise
    except Exception as error:  # third-party code may raise anything
        raise blamed(error) from error


def blamed(error: BaseException) -> BotFaultError:
    """Return an exception of a bot as a BotFaultError, unchanged if it is one already."""
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
    """Return a rated action with plain numbers, validated."""
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
