"""Programs' answers to the handshake and to requests for an action."""

from functools import cache
from importlib.metadata import version
from typing import Any

from cardhub.base.errors import (
    BotFaultError,
    BotGarbageError,
    BotHelloError,
    BotIllegalError,
    BotRefusalError,
)
from cardhub.base.errors.quoting import did_you_mean, printable
from cardhub.base.writing import clipped
from cardhub.bots.external.program import Hello
from cardhub.model.hidden.observation import Observation

# The version of the protocol; only incompatible changes increase it.
PROTOCOL = 1
EXAMPLE = '{"name": "my bot", "protocol": 1}'


def greeting() -> dict[str, Any]:
    """Return the first message to a program."""
    return {"type": "hello", "protocol": PROTOCOL, "cardhub": _version()}


def read_hello(answer: dict[str, Any]) -> Hello:
    """Return the answer to the greeting; raises BotFaultError."""
    if "error" in answer:
        raise _refusal(answer)
    name, protocol, games = answer.get("name"), answer.get("protocol"), answer.get("games")
    if not isinstance(name, str) or not name.strip():
        raise _bad(answer, "it lacks a name")
    # Compare types, because JSON's true becomes True, which equals 1.
    if type(protocol) is not int or protocol != PROTOCOL:
        raise _bad(answer, f"it speaks protocol {printable(repr(protocol))}, not {PROTOCOL}")
    if games is not None and not _are_names(games):
        raise _bad(answer, "'games' must be a list of names; leave it out to play any game")
    return Hello(clipped(printable(name)), None if games is None else tuple(games))


def read_answer(answer: dict[str, Any], observation: Observation[Any]) -> int:
    """Return the legal action in an answer, given by its number or its notation.

    Raises BotFaultError; invalid answers are not corrected.
    """
    if "action" not in answer:
        raise _without_action(answer)
    choice, names = answer["action"], observation.labels().notations(observation.legal())
    if isinstance(choice, str) and choice in names:
        return names[choice]
    # Compare types: JSON's true is not action 1.
    if type(choice) is int and choice in names.values():
        return choice
    text = clipped(printable(repr(choice)))
    hint = did_you_mean(clipped(choice), names) if isinstance(choice, str) else ""
    legal = ", ".join(f"{action} ({name})" for name, action in names.items())
    raise BotIllegalError(f"action {text} is not legal.{hint} Legal: {legal}", answer)


def _refusal(answer: dict[str, Any]) -> BotFaultError:
    return BotRefusalError(f"it says: {clipped(printable(str(answer['error'])))}", answer)


def _bad(answer: dict[str, Any], reason: str) -> BotFaultError:
    return BotHelloError(f"its answer to hello is wrong: {reason}. Example: {EXAMPLE}", answer)


def _are_names(games: object) -> bool:
    return isinstance(games, list) and all(isinstance(name, str) for name in games)


@cache
def _version() -> str:
    return version("cardhub")


def _without_action(answer: dict[str, Any]) -> BotFaultError:
    if "error" in answer:
        return _refusal(answer)
    keys = clipped(printable(", ".join(answer))) or "nothing"
    return BotGarbageError(f"its answer holds {keys}, but neither action nor error", answer)
