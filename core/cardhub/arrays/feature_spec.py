"""Feature specification: named parts of an array, and the sections that fill them."""

from abc import ABC, abstractmethod
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardhub.hidden.observation import Observation

# Values from -1 to 1.
Slots = NDArray[np.float32]


class Part(NamedTuple):
    """A named range of slots: its `shape`, its `meaning` in words, and its first slot."""

    name: str
    shape: tuple[int, ...]
    meaning: str
    start: int = 0

    @property
    def size(self) -> int:
        """The number of slots."""
        return prod(self.shape)

    @property
    def slots(self) -> slice:
        """The range of its slots in the array."""
        return slice(self.start, self.start + self.size)


class Section(ABC):
    """Parts that are filled together; their start slots count from the section's first slot."""

    parts: tuple[Part, ...]

    @abstractmethod
    def fill(self, slots: Slots, observation: Observation[Any]) -> None:
        """Encode the features of an observation in the section's slots, which are all 0."""


def consecutive(parts: list[Part], start: int = 0) -> tuple[Part, ...]:
    """Return the parts with consecutive start slots."""
    placed = []
    for part in parts:
        placed.append(part._replace(start=start))
        start += part.size
    return tuple(placed)


def relative(seat: int, viewer: int, seats: int) -> int:
    """Return the index of a seat clockwise from the viewer; for spectators, from seat 0."""
    # Seat-relative, so that a network learns one policy for all seats.
    return (seat - viewer) % seats if 0 <= viewer < seats else seat
