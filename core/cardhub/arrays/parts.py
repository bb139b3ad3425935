"""Parts: what the slots of an array are called, and what fills them."""

from math import prod
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from cardhub.hidden.observation import Observation

Slots = NDArray[np.float32]
"""Values from -1 to 1."""


class Part(NamedTuple):
    """A named stretch of an array: `shape` is how it is meant, `start` where it begins."""

    name: str
    shape: tuple[int, ...]
    meaning: str
    start: int = 0

    @property
    def size(self) -> int:
        """How many slots it takes."""
        return prod(self.shape)

    @property
    def slots(self) -> slice:
        """Where its slots are in the array."""
        return slice(self.start, self.start + self.size)


class Section(Protocol):
    """Parts that are filled together."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts in their order, numbered from the section's first slot."""
        ...

    def fill(self, slots: Slots, observation: Observation[Any]) -> None:
        """Write what is observed into the section's slots, which are all 0 before."""
        ...


def in_order(parts: list[Part], start: int = 0) -> tuple[Part, ...]:
    """Return parts one after the other."""
    placed = []
    for part in parts:
        placed.append(part._replace(start=start))
        start += part.size
    return tuple(placed)


def relative(seat: int, viewer: int, seats: int) -> int:
    """Return how many seats clockwise of the viewer a seat is; a spectator counts from seat 0."""
    return (seat - viewer) % seats if 0 <= viewer < seats else seat
