"""Answers of programs: to the greeting, and at a turn an action, or probabilities to draw from."""

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

from cardhub.base.errors import (
    BotFaultError,
    BotGarbageError,
    BotHelloError,
    BotIllegalError,
    BotRefusalError,
)
from cardhub.base.errors.quoting import did_you_mean, printable
from cardhub.base.writing import clipped
from cardhub.bots.bot import policy_problem
from cardhub.bots.external.messages import PROTOCOL
from cardhub.bots.external.program import Hello
from cardhub.model.hidden.observation import Observation

# Weights are whole billionths of a probability, because logs hold no fractions.
BILLION = 10**9
EXAMPLE = '{"name": "my bot", "protocol": 1}'


class Decision(NamedTuple):
    """The action of a program at a turn.

    `weights`: what cardhub drew it by, for each action that was possible; empty if the program
    chose it. Because the program cannot know the draw, it cannot state a wrong policy.
    """

    action: int
    weights: Mapping[int, int]


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


def read_answer(answer: dict[str, Any], observation: Observation[Any], rng: Random) -> Decision:
    """Return the legal action in an answer, or one that `rng` draws from its probabilities.

    Raises BotFaultError; invalid answers are not corrected.
    """
    names = observation.labels().notations(observation.legal())
    if "policy" in answer:
        weights = _read_policy(answer, names)
        return Decision(rng.choices([*weights], [*weights.values()])[0], weights)
    if "action" not in answer:
        raise _without_action(answer)
    choice = answer["action"]
    if isinstance(choice, str) and choice in names:
        return Decision(names[choice], {})
    # Compare types: JSON's true is not action 1.
    if type(choice) is int and choice in names.values():
        return Decision(choice, {})
    raise _illegal(answer, choice, names)


def _read_policy(answer: dict[str, Any], names: Mapping[str, int]) -> dict[int, int]:
    """Return the weights of the actions that may be drawn."""
    stated = answer["policy"]
    if "action" in answer:
        raise BotGarbageError("its answer holds an action and a policy; cardhub draws one", answer)
    if not isinstance(stated, dict) or not all(map(_is_probability, stated.values())):
        raise BotGarbageError(
            'its policy is not an object of actions and probabilities, as in {"call": 0.7}', answer
        )
    for name in stated:
        if name not in names:
            raise _illegal(answer, name, names)
    if problem := policy_problem(stated.values()):
        raise BotIllegalError(f"its policy is wrong: {problem}", answer)
    weights = {names[name]: round(chance * BILLION) for name, chance in stated.items()}
    return {action: weight for action, weight in weights.items() if weight}


def _is_probability(value: object) -> bool:
    # True is not a number here, and whole numbers of any length can be compared.
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _illegal(answer: dict[str, Any], choice: object, names: Mapping[str, int]) -> BotIllegalError:
    text = clipped(printable(repr(choice)))
    hint = did_you_mean(clipped(choice), names) if isinstance(choice, str) else ""
    legal = ", ".join(f"{action} ({name})" for name, action in names.items())
    return BotIllegalError(f"action {text} is not legal.{hint} Legal: {legal}", answer)


def _refusal(answer: dict[str, Any]) -> BotFaultError:
    return BotRefusalError(f"it says: {clipped(printable(str(answer['error'])))}", answer)


def _bad(answer: dict[str, Any], reason: str) -> BotFaultError:
    return BotHelloError(f"its answer to hello is wrong: {reason}. Example: {EXAMPLE}", answer)


def _are_names(games: object) -> bool:
    return isinstance(games, list) and all(isinstance(name, str) for name in games)


def _without_action(answer: dict[str, Any]) -> BotFaultError:
    if "error" in answer:
        return _refusal(answer)
    keys = clipped(printable(", ".join(answer))) or "nothing"
    return BotGarbageError(
        f"its answer holds {keys}, but neither action nor policy nor error", answer
    )
