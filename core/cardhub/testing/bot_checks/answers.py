"""Asking a bot, and noticing what is wrong with its answer."""

from collections.abc import Iterator
from time import perf_counter
from typing import Any, NamedTuple

from cardhub.bots.bot import Bot
from cardhub.bots.signals import record_signals
from cardhub.errors import (
    BotFaultError,
    BotIllegalError,
    BotTimeoutError,
    HiddenFaceError,
)
from cardhub.errors.quoting import as_int, quoted
from cardhub.hidden.observation import Observation
from cardhub.play.referee import Referee
from cardhub.table.state import State
from cardhub.testing.checking import differing, explained

FAULTS = {BotIllegalError.fault: "legality", BotTimeoutError.fault: "time"}
"""Which check a fault that a bot itself reports is a matter of; of any other, `answers`."""


class Flaw(NamedTuple):
    """What is wrong with an answer, by the name of the check that it fails."""

    check: str
    what: str
    expected: str


class Answer(NamedTuple):
    """What a bot answered: in words, the action if it is a legal one, and after how long."""

    told: str
    action: int | None
    seconds: float
    flaws: tuple[Flaw, ...] = ()


def ask(bot: Bot, referee: Referee[Any]) -> Answer:
    """Return the answer of a bot whose seat is to act; nothing is done with it."""
    seen = referee.observe(referee.seat)
    began = perf_counter()
    with record_signals() as received:
        try:
            answer: object = bot.choose(seen)
            number = as_int(answer)
        except (Exception, SystemExit, KeyboardInterrupt) as error:
            if received:
                raise
            failure = _failure(error)
            return Answer(failure.what, None, perf_counter() - began, (failure,))
    seconds = perf_counter() - began
    shown = referee.observe(referee.seat)
    legal = shown.legal()
    told = _words(shown, answer, number, legal)
    action = number if number in legal else None
    flaws = [] if action is not None else [_illegal(shown, told, legal)]
    return Answer(told, action, seconds, (*flaws, *_changed(seen, shown)))


def _failure(error: BaseException) -> Flaw:
    why = explained(error)
    if isinstance(error, HiddenFaceError):
        expected = "it reads only faces that its seat has seen, or those of a determinization"
        return Flaw("answers", f"it fails: {why}", expected)
    check = FAULTS.get(error.fault, "answers") if isinstance(error, BotFaultError) else "answers"
    return Flaw(check, f"it fails: {why}", "one of observation.legal()")


def _illegal(shown: Observation[Any], told: str, legal: list[int]) -> Flaw:
    names = ", ".join(shown.labels().notations(legal))
    return Flaw("legality", f"it answers {told}, which is not legal", f"one of {names}")


def _changed(seen: Observation[Any], shown: Observation[Any]) -> Iterator[Flaw]:
    """Yield what differs between what the bot was shown and what it has left of it."""
    fields = ("game", "seat", "history")
    changed = [name for name in fields if getattr(seen, name, None) != getattr(shown, name)]
    state: object = getattr(seen, "state", None)
    if state != shown.state:
        what = f".{differing(shown.state, state)}" if isinstance(state, State) else ""
        changed.append(f"state{what}")
    if changed:
        told = f"it changes the observation: {', '.join(changed)}"
        yield Flaw("observation", told, "it works on copies: observation.state.clone()")


def _words(shown: Observation[Any], answer: object, number: int | None, legal: list[int]) -> str:
    """Return an answer as records write it, or quoted if it is no action."""
    labels = shown.labels()
    if number is not None and labels.is_action(number):
        return repr(labels.notation(number, legal))
    return quoted(answer if number is None else number)
