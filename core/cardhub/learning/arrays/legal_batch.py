"""Legal actions at many tables, with the numbers of learners: masks, and the action of a number."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from typing_extensions import override

from cardhub.learning.arrays.feature_spec import Indices, Mask

# The action of rows in which it does not matter.
UNKNOWN = np.iinfo(np.intp).max


class LegalBatch(ABC):
    """The legal actions at some tables, in rows."""

    @abstractmethod
    def mark(self, masks: Mask) -> None:
        """Set the learner's numbers in masks that are all 0."""

    @abstractmethod
    def meant(self, chosen: Indices) -> list[int]:
        """Return the actions of one number for each table, the lowest of several actions.

        A number below 0 stands for itself.
        """


class FewLegal(LegalBatch):
    """At few tables, for which numpy takes longer than loops."""

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
    """At many tables: the numbers and actions of all of them, one after the other, with `rows`."""

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
        found = (chosen.take(self._rows) == self._numbers).nonzero()[0]
        meant = np.where(chosen < 0, chosen, UNKNOWN)
        np.minimum.at(meant, self._rows.take(found), self._actions.take(found))
        actions: list[int] = meant.tolist()
        return actions


def meant_action(numbers: Sequence[int], actions: Sequence[int], number: int) -> int:
    """Return the action with a number, the lowest one of several; raises ValueError."""
    # Environments come here at every decision, and few numbers mean several actions.
    if numbers.count(number) < 2:
        return actions[numbers.index(number)]
    pairs = zip(numbers, actions, strict=True)
    return min(action for each, action in pairs if each == number)
