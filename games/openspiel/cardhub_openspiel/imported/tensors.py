"""OpenSpiel's tensors as a part of arrays; a separate module because it needs numpy."""

from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from typing import Any

import numpy as np
from typing_extensions import override

from cardhub import EVERYTHING, State
from cardhub.learning.arrays.feature_spec import OwnFeatures, Part, Row, Slots
from cardhub.learning.arrays.recall_features import PERFECT
from cardhub.model.hidden.masked_rules import under_mask
from cardhub_openspiel.imported.original import Original

INFORMATION_STATE, OBSERVATION = "information_state", "observation"


class TensorFeatures(OwnFeatures):
    """One part, OpenSpiel's tensor of the viewer, which replaces the history of the game.

    `at`: a function that returns OpenSpiel's state. In games with hidden information a spectator's
    tensor is all 0. EVERYTHING has the tensor of the seat to act. OpenSpiel declares no bounds.
    """

    fields = ("moves",)

    def __init__(self, original: Original, at: Callable[[Any], Any], name: str) -> None:
        self._at, self._name = at, name
        self._players, self._is_open = original.players, original.is_open
        shape = _shape(original, name)
        meaning = f"OpenSpiel's {name} tensor"
        columns = tuple(range(shape[-1]))
        self.parts = (Part(name, shape, meaning, low=-inf, high=inf, measured=columns),)

    @override
    def fill(self, slots: Slots, rows: Sequence[Row]) -> None:
        for number, row in enumerate(rows):
            player = self._player(row)
            if player >= 0:
                slots[number] = under_mask(row.state, row.viewer, partial(self._tensor, player))

    def _player(self, row: Row) -> int:
        """Return the player whose tensor a viewer gets; negative if the viewer gets none."""
        if row.viewer == EVERYTHING:
            return max(row.state.seat, 0)
        if row.viewer < self._players:
            return row.viewer
        return 0 if self._is_open else -1

    def _tensor(self, player: int, state: State) -> Slots:
        tensor = getattr(self._at(state), f"{self._name}_tensor")
        return np.array(tensor(player), np.float32)


def tensor_features(
    original: Original, at: Callable[[Any], Any], recall: str
) -> TensorFeatures | None:
    """Return the tensor for a layout's recall, or None if the game has no tensor."""
    names = (OBSERVATION, INFORMATION_STATE)
    for name in reversed(names) if recall == PERFECT else names:
        if getattr(original.kind, f"provides_{name}_tensor") and _shape(original, name):
            return TensorFeatures(original, at, name)
    return None


def _shape(original: Original, name: str) -> tuple[int, ...]:
    return tuple(getattr(original.game, f"{name}_tensor_shape")())
