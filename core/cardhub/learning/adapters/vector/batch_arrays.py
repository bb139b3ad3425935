"""The arrays of a vector environment, allocated once and filled at every step."""

from dataclasses import dataclass, fields
from math import prod
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from cardhub.learning.adapters.vector.table_spec import TableSpec
from cardhub.learning.arrays import Mask, Slots

# Arrays begin at multiples of this number of bytes, the size of a cache line.
ALIGNMENT = 64


class ArrayShape(NamedTuple):
    """The name, type and shape of one array."""

    name: str
    dtype: type[np.generic]
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of bytes, rounded up to the alignment."""
        size = prod(self.shape) * np.dtype(self.dtype).itemsize
        return -(-size // ALIGNMENT) * ALIGNMENT


@dataclass(frozen=True, slots=True)
class BatchArrays:
    """The arrays of a vector environment; the first axis is the table.

    Every step overwrites the same arrays: copy the values that you need later.
    """

    observations: Slots
    """The observation of the seat to act, encoded by the layout."""
    masks: Mask
    """The legal actions of the seat to act, as the layout numbers them."""
    seats: NDArray[np.int64]
    """The seat to act."""
    rewards: NDArray[np.float64]
    """The utilities by seat of games that ended with the last step, else 0."""
    learner_rewards: NDArray[np.float64]
    """With rivals, the learner's reward for its action in the last step."""
    terminated: NDArray[np.bool_]
    """Whether a game ended with the last step; then the observation belongs to the next game."""
    truncated: NDArray[np.bool_]
    """Whether a game was stopped after `max_actions`."""
    seeds: NDArray[np.int64]
    """The seed of the present game, for `cardhub play --seed`."""
    actions: NDArray[np.int64]
    """The actions of the last step, as the layout numbers them."""
    final_observations: Slots
    """For games that ended with the last step, the learner's last observation.

    Without rivals, it is the observation of the seat that acted last. The array has no rows unless
    the environment has `final_observations`.
    """

    def tables(self, first: int, end: int) -> Self:
        """Return views of the rows of the tables from `first` to `end` (exclusive)."""
        return type(self)(*(getattr(self, field.name)[first:end] for field in fields(self)))


def array_shapes(spec: TableSpec, tables: int) -> list[ArrayShape]:
    """Return the shapes of all arrays for this number of tables."""
    layout = spec.layout
    final_rows = tables if spec.final_observations else 0
    return [
        ArrayShape("observations", np.float32, (tables, layout.size)),
        ArrayShape("masks", np.int8, (tables, layout.action_count)),
        ArrayShape("seats", np.int64, (tables,)),
        ArrayShape("rewards", np.float64, (tables, layout.seats)),
        ArrayShape("learner_rewards", np.float64, (tables,)),
        ArrayShape("terminated", np.bool_, (tables,)),
        ArrayShape("truncated", np.bool_, (tables,)),
        ArrayShape("seeds", np.int64, (tables,)),
        ArrayShape("actions", np.int64, (tables,)),
        ArrayShape("final_observations", np.float32, (final_rows, layout.size)),
    ]


def buffer_size(spec: TableSpec, tables: int) -> int:
    """Return the number of bytes that all arrays need."""
    return sum(array.size for array in array_shapes(spec, tables))


def arrays_in(buffer: Any, spec: TableSpec, tables: int) -> BatchArrays:
    """Return arrays at consecutive places of a writable buffer."""
    arrays, start = {}, 0
    for array in array_shapes(spec, tables):
        count = prod(array.shape)
        flat = np.frombuffer(buffer, array.dtype, count, start)
        arrays[array.name] = flat.reshape(array.shape)
        start += array.size
    return BatchArrays(**arrays)
