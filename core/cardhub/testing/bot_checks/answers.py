"""Ask a bot for an action, and find the faults of its answer."""

from collections.abc import Iterator
from time import perf_counter
from typing import Any, NamedTuple

from cardhub.bots.bot import Bot
from cardhub.bots.signals import record_signals
from cardhub.errors import BotFaultError, BotIllegalError, BotTimeoutError, HiddenFaceError
from cardhub.errors.quoting import as_int, quoted
from cardhub.hidden.observation import Observation
from cardhub.play.referee import Referee
from cardhub.table.state import State
from cardhub.testing.checking import differing, error_line

CHECKS_BY_FAULT = {BotIllegalError.fault: "legality", BotTimeoutError.fault: "time"}
"""The check that fails if a bot raises this fault itself; for all others it is `answers`."""


class Flaw(NamedTuple):
    """A fault of an answer, with the check that fails."""

    check: str
    what: str
    expected: str


class CheckedAnswer(NamedTuple):
    """A bot's answer as text, the action if it is legal, and the time it took."""

    text: str
    action: int | None
    seconds: float
    flaws: tuple[Flaw, ...] = ()


def ask(bot: Bot, referee: Referee[Any]) -> CheckedAnswer:
    """Return the answer of the bot in the seat to act, without applying it."""
    seen = referee.observe(referee.seat)
    began = perf_counter()
    with record_signals() as received:
        try:
            answer: object = bot.choose(seen)
            number = as_int(answer)
        except (Exception, SystemExit, KeyboardInterrupt) as error:
            if received:  # a signal to this program, not a fault of the bot
                raise
            flaw = _failure(error)
            return CheckedAnswer(flaw.what, None, perf_counter() - began, (flaw,))
    seconds = perf_counter() - began
    # The bot may have changed its observation, so legality is judged by another one.
    fresh = referee.observe(referee.seat)
    legal = fresh.legal()
    text = _text(fresh, answer, number, legal)
    action = number if number in legal else None
    flaws = [] if action is not None else [_illegal(fresh, text, legal)]
    return CheckedAnswer(text, action, seconds, (*flaws, *_changes(seen, fresh)))


def _failure(error: BaseException) -> Flaw:
    what = f"it fails: {error_line(error)}"
    if isinstance(error, HiddenFaceError):
        expected = "it reads only faces that its seat has seen, or those of a determinization"
        return Flaw("answers", what, expected)
    fault = error.fault if isinstance(error, BotFaultError) else ""
    return Flaw(CHECKS_BY_FAULT.get(fault, "answers"), what, "one of observation.legal()")


def _illegal(fresh: Observation[Any], text: str, legal: list[int]) -> Flaw:
    notations = ", ".join(fresh.labels().notations(legal))
    return Flaw("legality", f"it answers {text}, which is not legal", f"one of {notations}")


def _changes(seen: Observation[Any], fresh: Observation[Any]) -> Iterator[Flaw]:
    """Yield a flaw if the observation that the bot got differs from a fresh one."""
    names = ("game", "seat", "history")
    changed = [name for name in names if getattr(seen, name, None) != getattr(fresh, name)]
    state: object = getattr(seen, "state", None)
    if state != fresh.state:
        attribute = f".{differing(fresh.state, state)}" if isinstance(state, State) else ""
        changed.append(f"state{attribute}")
    if changed:
        what = f"it changes the observation: {', '.join(changed)}"
        yield Flaw("observation", what, "it works on copies: observation.state.clone()")


def _text(fresh: Observation[Any], answer: object, number: int | None, legal: list[int]) -> str:
    labels = fresh.labels()
    if number is not None and labels.is_action(number):
        return repr(labels.notation(number, legal))
    return quoted(answer if number is None else number)
