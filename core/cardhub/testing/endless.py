"""Games that do not end: the position that recurs, and the actions between."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from cardhub.model.game.game import Game
from cardhub.model.hidden.labels import Labels
from cardhub.model.hidden.observation import Step
from cardhub.model.table.state import CHANCE, State
from cardhub.testing.checking import freeze

# The number of last actions among which positions are compared.
RECENT = 500
# The number of actions of a cycle that are named.
MOST_NAMED = 8
# Attributes that grow with every action or shuffle, so that no position would ever recur.
GROWING = ("answers", "shuffle_log")


class Recurrences:
    """The last positions of a game by number, to find those that recur."""

    def __init__(self) -> None:
        self._numbers: dict[str, list[int]] = {}
        self._noted = 0

    def note(self, number: int, state: State) -> None:
        """Note the position after `number` actions."""
        values = freeze(state)
        # As a string: attributes of a state need not be hashable.
        key = repr([(name, values[name]) for name in values if name not in GROWING])
        self._numbers.setdefault(key, []).append(number)
        self._noted += 1

    def describe(self, game: Game[Any], state: State, steps: Sequence[Step]) -> str:
        """Return how often the most frequent position came, and the shortest way back to it."""
        numbers = max(self._numbers.values(), key=len)
        if len(numbers) < 2:
            return f"no position came twice in the last {self._noted:,} actions"
        gaps = pairwise(numbers)
        first, last = min(gaps, key=lambda gap: gap[1] - gap[0])
        labels = Labels(game, state.face, state.back)
        named = [_text(labels, step) for step in steps[first:last][:MOST_NAMED]]
        more = last - first - len(named)
        path = ", ".join([*named, f"{more} more"] if more > 0 else named)
        often = f"{len(numbers):,} times in the last {self._noted:,} actions"
        return f"the same position came {often}, such as after {path}"


def _text(labels: Labels, step: Step) -> str:
    who = "chance" if step.seat == CHANCE else f"seat {step.seat}"
    return f"{who}: {labels.label(step.action)}"
