"""Reasons of hints: equal ratings, and the steps that a bot expects."""

from collections.abc import Sequence
from math import sqrt
from typing import Any

from cardhub.bots.bot import Rated
from cardhub.model.hidden.observation import Observation, Step
from cardhub.model.table.goal import Goal

# Standard errors within which two values are equal.
NOISE = 2.0
# Share of the best action's visits from which another action can be equal to it.
NEAR_BEST = 0.5


def equal_to_best(rated: Sequence[Rated], goal: Goal) -> list[bool]:
    """Return for each rating whether its value equals that of the first one within noise.

    False for the first one itself, and for actions that were not tried.
    """
    best = rated[0]
    return [n > 0 and _is_equal(best, each, goal) for n, each in enumerate(rated)]


def expectation(
    rated: Sequence[Rated],
    observation: Observation[Any],
    players: Sequence[str],
    *,
    says_you: bool = True,
) -> str:
    """Return a sentence on the steps that a bot expects after its best action, empty without any.

    It names cards as the observation's seat knows them, and that seat "you" or by its name.
    """
    labels, viewer = observation.labels(players), observation.seat

    def told(step: Step) -> str:
        is_you = says_you and step.seat == viewer
        who = "you" if is_you else f"{players[step.seat]}:"
        return f"{who} {labels.label(step.action)}"

    line = [
        step
        for step in rated[0].line
        if 0 <= step.seat < len(players) and labels.is_action(step.action)
    ]
    return f"After that it expects: {', then '.join(map(told, line))}." if line else ""


def _is_equal(best: Rated, other: Rated, goal: Goal) -> bool:
    if not best.visits or not other.visits:
        return False
    # A search visits most the actions that it cannot tell from the best.
    if other.visits < NEAR_BEST * best.visits:
        return False
    if goal not in (Goal.WIN, Goal.RANK):
        return True
    # Values are from -1 to 1, so this is the greatest standard error of their difference.
    error = sqrt(_variance(best) / best.visits + _variance(other) / other.visits)
    return best.value - other.value <= NOISE * error


def _variance(rated: Rated) -> float:
    return 1 - min(abs(rated.value), 1.0) ** 2
