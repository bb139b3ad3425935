"""The steps of a finished game as one seat saw them, and the frequencies that a game counts."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from cardhub.model.table.state import State

S_co = TypeVar("S_co", bound=State, covariant=True)


@dataclass(frozen=True, slots=True)
class PlayedStep(Generic[S_co]):
    """An action with one viewer's observations before and after it; `before.seat` took it."""

    before: S_co
    action: int
    after: S_co


@dataclass(frozen=True, slots=True)
class Frequency:
    """A number of times, and the number of occasions: 9 of 14.

    `of` is 0 if there are no occasions to compare with. Both are 0 or more, and `count` is at
    most `of`, unless that is 0.
    """

    count: int
    of: int = 0

    def __add__(self, other: "Frequency") -> "Frequency":
        """Return the frequency in two sets of games."""
        return Frequency(self.count + other.count, self.of + other.of)

    @property
    def is_valid(self) -> bool:
        """Whether the numbers fit together."""
        return self.count >= 0 and (self.of == 0 or self.count <= self.of)
