"""The slots of a layout that a network sees in training."""

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from cardhub.learning.arrays.alike_rows import ABSENT, ONE_HOT
from cardhub.learning.arrays.feature_spec import Indices, Slots, indices
from cardhub.learning.arrays.layout import Layout
from cardhub.model.table.ranges import Numbers
from cardhub.model.table.state import State


class LearnerInputs:
    """The slots of a layout that a network sees: `slots`, and by row the slots that are alike.

    `rows`: the slots by row and column, without any row in games that declare none. `actions`: the
    learner's actions by row and column. ABSENT stands for what a row lacks.
    """

    def __init__(
        self, slots: Indices, rows: Indices | None = None, actions: Indices | None = None
    ) -> None:
        none = np.zeros((0, 0), np.intp)
        self.slots = slots
        self.rows = none if rows is None else rows
        self.actions = none if actions is None else actions

    @property
    def has_rows(self) -> bool:
        """Whether some slots are alike."""
        return self.rows.size > 0

    @cached_property
    def gathered(self) -> Indices:
        """The slots in the order of a network's inputs: `slots`, then row by row."""
        # The value of a slot that a row lacks is not used.
        return np.concatenate([self.slots, np.maximum(self.rows, 0).ravel()])

    @cached_property
    def present(self) -> Slots:
        """By row and column, 1 for a slot and 0 for ABSENT."""
        present: Slots = (self.rows != ABSENT).astype(np.float32)
        return present


def learner_inputs(layout: Layout) -> LearnerInputs:
    """Return the inputs of a network that is trained for a layout."""
    slots, alike = learner_slots(layout), layout.alike_rows
    rows = np.where(np.isin(alike.slots, slots), alike.slots, ABSENT)
    rows = rows[:, (rows != ABSENT).any(axis=0)]
    others = np.setdiff1d(slots, [*rows.ravel(), *alike.replaced])
    return LearnerInputs(others, rows, alike.actions)


def learner_slots(layout: Layout) -> Indices:
    """Return the slots of the fields that the game declares in `learner_fields`, and of the cards.

    Layouts and their fingerprints keep every slot: the selection belongs to the trained network.
    """
    state_type, declared = layout.game.state_type, layout.game.learner_fields
    hidden = {*_fields_by_token(state_type)}
    if declared is not None:
        hidden = {*state_type._declaration.added} - {*declared}
    return indices(
        [
            slot
            for part in layout.parts
            if part.name.removesuffix(ONE_HOT) not in hidden
            for slot in range(part.slots.start, part.slots.stop)
        ]
    )


def _fields_by_token(state_type: type[State]) -> Iterator[str]:
    """Yield the names of the fields with a number for each token."""
    yield from state_type.token_fields
    for name, numbers in state_type._declaration.numbers.items():
        if isinstance(numbers, Numbers) and "tokens" in (numbers.count, numbers.most):
            yield name
