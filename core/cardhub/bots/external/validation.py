"""Reading a program's answer to a turn."""

from typing import Any

from cardhub.bots.external.handshake import refused
from cardhub.errors import BotFaultError, BotGarbageError, BotIllegalError
from cardhub.errors.printable import printable
from cardhub.errors.quoting import clip
from cardhub.errors.suggestions import did_you_mean
from cardhub.hidden.observation import Observation


def read_answer(answer: dict[str, Any], seen: Observation[Any]) -> int:
    """Return the legal action of an answer, given by number or notation.

    Raises BotFaultError; invalid answers are not corrected.
    """
    if "action" not in answer:
        raise _without_action(answer)
    chosen, names = answer["action"], seen.labels().notations(seen.legal())
    if isinstance(chosen, str) and chosen in names:
        return names[chosen]
    if type(chosen) is int and chosen in names.values():
        return chosen
    told = clip(printable(repr(chosen)))
    hint = did_you_mean(clip(chosen), names) if isinstance(chosen, str) else ""
    legal = ", ".join(f"{action} ({name})" for name, action in names.items())
    raise BotIllegalError(f"action {told} is not legal.{hint} Legal: {legal}", answer)


def _without_action(answer: dict[str, Any]) -> BotFaultError:
    if "error" in answer:
        return refused(answer)
    keys = clip(printable(", ".join(answer))) or "nothing"
    return BotGarbageError(f"its answer holds {keys}, but neither action nor error", answer)
