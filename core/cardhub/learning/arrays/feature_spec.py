"""Feature specification: named parts of an array, and the sections that fill them."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from math import prod
from struct import error as struct_error
from struct import pack
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import EVERYTHING, Step, known_history
from cardhub.model.table.rounds import hide_choices, is_in_round
from cardhub.model.table.state import State

# Values from -1 to 1.
Slots = NDArray[np.float32]
# 1 for a legal action, 0 for any other.
Mask = NDArray[np.int8]
Indices = NDArray[np.intp]


class Row(NamedTuple):
    """The state, viewer and history that one row of arrays encodes.

    The state may be the true one: only faces that the viewer has seen are encoded, and no choices
    of others in an incomplete round. `scores`: the scores that the viewer can compute, empty if
    they depend on unseen faces.
    """

    state: State
    viewer: int
    history: Sequence[Step]
    scores: Sequence[int]

    def without_secret_choices(self, game: Game[Any]) -> "Row":
        """Return the row without others' choices of an incomplete round."""
        state, viewer = self.state, self.viewer
        if viewer == EVERYTHING or not is_in_round(state):
            return self
        known = state.clone()
        hide_choices(known, viewer)
        return self._replace(state=known, history=known_history(game, self.history, state, viewer))


class Part(NamedTuple):
    """A named range of slots: its `shape`, its `meaning` in words, and its first slot.

    All values are from `low` to `high`. Outside the columns `measured` of the last axis they are 0
    or 1.
    """

    name: str
    shape: tuple[int, ...]
    meaning: str
    start: int = 0
    low: float = 0.0
    high: float = 1.0
    measured: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """The number of slots."""
        return prod(self.shape)

    @property
    def slots(self) -> slice:
        """The range of the part's slots in the array."""
        return slice(self.start, self.start + self.size)

    @property
    def measured_slots(self) -> list[int]:
        """The slots with other values than 0 and 1."""
        width = self.shape[-1]
        rows = range(self.start, self.start + self.size, width) if self.measured else ()
        return [row + column for row in rows for column in self.measured]


class Section(ABC):
    """Parts that are filled together; their start slots count from the section's first slot.

    `scales`: further numbers on which the values depend; they are part of the fingerprint.
    """

    parts: tuple[Part, ...]
    scales: Sequence[float] = ()

    @property
    def size(self) -> int:
        """The number of slots."""
        return sum(part.size for part in self.parts)

    @abstractmethod
    def fill(self, slots: Slots, rows: Sequence[Row]) -> None:
        """Encode the rows into the section's slots of a batch, which are all 0 before."""


class OwnFeatures(Section):
    """A section that a game provides to replace these `fields` of its states."""

    fields: tuple[str, ...]


@runtime_checkable
class ProvidesFeatures(Protocol):
    """A game that provides its own array section."""

    def own_features(self, recall: str) -> OwnFeatures | None:
        """Return the section, or None for the default; `recall`: the layout's recall."""
        ...


def bounds(parts: Sequence[Part]) -> tuple[Slots, Slots]:
    """Return the least and the greatest possible value of each slot of all parts."""
    size = sum(part.size for part in parts)
    low, high = np.zeros(size, np.float32), np.ones(size, np.float32)
    for part in parts:
        low[part.measured_slots], high[part.measured_slots] = part.low, part.high
    return low, high


def consecutive(parts: list[Part], start: int = 0) -> tuple[Part, ...]:
    """Return the parts with consecutive start slots."""
    placed = []
    for part in parts:
        placed.append(part._replace(start=start))
        start += part.size
    return tuple(placed)


def relative(seat: int, viewer: int, seats: int) -> int:
    """Return the index of a seat clockwise from the viewer; for spectators, from seat 0."""
    # Numbers relative to the viewer let a network learn one policy for all seats.
    return (seat - viewer) % seats if 0 <= viewer < seats else seat


def indices(values: list[int]) -> Indices:
    """Return a list of ints as an array."""
    return narrow_ints(values).astype(np.intp, copy=False)


def joined(lists: Iterable[Sequence[int]]) -> Indices:
    """Return the ints of all lists as one array."""
    values: list[int] = []  # one list grows faster than many are converted
    for ints in lists:
        values += ints
    return indices(values)


def narrow_ints(values: list[int]) -> NDArray[Any]:
    """Return ints as an array of bytes if all are from 0 to 255, else like `wide_ints`."""
    try:
        # This takes a fraction of the time of numpy's conversion.
        return np.frombuffer(bytearray(values), np.uint8)
    except ValueError:
        return wide_ints(values)


def wide_ints(values: list[int]) -> NDArray[Any]:
    """Return ints as an array of ints, or of floats if a value does not fit into 64 bits."""
    try:
        return np.frombuffer(pack(f"{len(values)}n", *values), np.intp)
    except struct_error:
        return np.array(values, float)
