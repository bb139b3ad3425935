"""Legal actions at many tables, with the numbers of learners: masks, and the action of a number."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from typing_extensions import override

from cardhub.learning.arrays.feature_spec import Indices, Mask

# The action of a row before the lowest matching action is known.
UNKNOWN = np.iinfo(np.intp).max


class LegalBatch(ABC):
    """The legal actions at some tables, in rows."""

    @abstractmethod
    def mark(self, masks: Mask) -> None:
        """Set the slots of legal numbers to 1, in masks that are all 0 before."""

    @abstractmethod
    def meant(self, chosen: Indices) -> list[int]:
        """Return the action of each table's chosen number, the lowest if there are several.

        Numbers below 0 are returned unchanged.
        """


class FewLegal(LegalBatch):
    """The legal actions at few tables, for which loops are faster than numpy."""

    def __init__(self, numbers: Sequence[Sequence[int]], actions: Sequence[Sequence[int]]) -> None:
        self._numbers, self._actions = numbers, actions

    @override
    def mark(self, masks: Mask) -> None:
        for mask, numbers in zip(masks, self._numbers, strict=True):
            mask[numbers] = 1

    @override
    def meant(self, chosen: Indices) -> list[int]:
        legal = zip(chosen.tolist(), self._numbers, self._actions, strict=True)
        return [
            meant_action(numbers, actions, number) if number >= 0 else number
            for number, numbers, actions in legal
        ]


class ManyLegal(LegalBatch):
    """The legal actions at many tables, in flat arrays; `rows` has the row of each action."""

    def __init__(self, rows: Indices, numbers: Indices, actions: Indices) -> None:
        self._rows, self._numbers, self._actions = rows, numbers, actions

    @override
    def mark(self, masks: Mask) -> None:
        masks.reshape(-1)[self._rows * masks.shape[1] + self._numbers] = 1

    @override
    def meant(self, chosen: Indices) -> list[int]:
        if self._numbers is self._actions:
            same: list[int] = chosen.tolist()
            return same
        matches = (chosen.take(self._rows) == self._numbers).nonzero()[0]
        meant = np.where(chosen < 0, chosen, UNKNOWN)
        np.minimum.at(meant, self._rows.take(matches), self._actions.take(matches))
        actions: list[int] = meant.tolist()
        return actions


def meant_action(numbers: Sequence[int], actions: Sequence[int], number: int) -> int:
    """Return the action with a number, the lowest of several; raises ValueError."""
    # Fast path for environments, which call this at every decision: most numbers are unique.
    if numbers.count(number) < 2:
        return actions[numbers.index(number)]
    pairs = zip(numbers, actions, strict=True)
    return min(action for candidate, action in pairs if candidate == number)
