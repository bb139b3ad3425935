"""Ask a bot for an action, and find the faults of its answer."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from cardhub.base.errors import (
    BotExceptionError,
    BotFaultError,
    BotIllegalError,
    BotTimeoutError,
    HiddenFaceError,
)
from cardhub.base.errors.quoting import quoted
from cardhub.bots.asking import NOT_RETURNED, ask
from cardhub.bots.bot import Bot
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.state import State
from cardhub.play.referee import Referee
from cardhub.testing.checking import differing, error_line

# The check that fails if a bot raises this fault itself; for all others it is `answers`.
CHECKS_BY_FAULT = {BotIllegalError.fault: "legality", BotTimeoutError.fault: "time"}


class Flaw(NamedTuple):
    """A fault of an answer or an exception, with the name of the check that fails."""

    check: str
    problem: str
    expected: str


class CheckedAnswer(NamedTuple):
    """A bot's answer as text, the action if it is legal, and the time it took."""

    text: str
    action: int | None
    seconds: float
    flaws: tuple[Flaw, ...] = ()


def check_answer(bot: Bot, referee: Referee[Any]) -> CheckedAnswer:
    """Return the answer of the bot in the seat to act, without applying it."""
    seen = referee.observe(referee.seat)
    action, fault, seconds, returned = ask(bot, seen)
    # An exception or a limit: the bot gave no answer to compare with the legal actions.
    if fault is not None and returned is NOT_RETURNED:
        flaw = _failure(fault)
        return CheckedAnswer(flaw.problem, None, seconds, (flaw,))
    # The bot may have changed its observation, so legality is judged by another one.
    fresh = referee.observe(referee.seat)
    legal = fresh.legal()
    text = _text(fresh, action, legal) if fault is None else quoted(returned)
    is_legal = fault is None and action in legal
    flaws = [] if is_legal else [_illegal(fresh, text, legal)]
    return CheckedAnswer(
        text, action if is_legal else None, seconds, (*flaws, *_changes(seen, fresh))
    )


def _failure(fault: BotFaultError) -> Flaw:
    # An exception of the bot itself has a line in its source; a fault of a program has none.
    error = fault.__cause__ if isinstance(fault, BotExceptionError) else None
    problem = f"it fails: {error_line(error or fault)}"
    if isinstance(error, HiddenFaceError):
        expected = "it reads only faces that its seat has seen, or those of a determinization"
        return Flaw("answers", problem, expected)
    return Flaw(CHECKS_BY_FAULT.get(fault.fault, "answers"), problem, "one of observation.legal()")


def _illegal(fresh: Observation[Any], text: str, legal: list[int]) -> Flaw:
    notations = ", ".join(fresh.labels().notations(legal))
    return Flaw("legality", f"it answers {text}, which is not legal", f"one of {notations}")


def _changes(seen: Observation[Any], fresh: Observation[Any]) -> Iterator[Flaw]:
    """Yield a flaw if the observation that the bot got differs from a fresh one."""
    names = ("game", "seat", "history")
    changed = [name for name in names if getattr(seen, name, None) != getattr(fresh, name)]
    # The bot may have deleted the attribute.
    state: object = getattr(seen, "state", None)
    if state != fresh.state:
        attribute = f".{differing(fresh.state, state)}" if isinstance(state, State) else ""
        changed.append(f"state{attribute}")
    if changed:
        problem = f"it changes the observation: {', '.join(changed)}"
        yield Flaw("observation", problem, "it works on copies: observation.state.clone()")


def _text(fresh: Observation[Any], action: int, legal: list[int]) -> str:
    """Return an action in the notation of records, or quoted if it is not an action."""
    labels = fresh.labels()
    return repr(labels.notation(action, legal)) if labels.is_action(action) else quoted(action)
