"""Seats: how many a game has, and their clockwise order."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Seats:
    """The allowed numbers of players: `low` to `high`, and the default."""

    low: int
    high: int = 0
    default: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "high", self.high or self.low)
        object.__setattr__(self, "default", self.default or self.low)

    def __contains__(self, seats: int) -> bool:
        return self.low <= seats <= self.high

    def __str__(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low} to {self.high}"


# Rules call this at every turn, with few different arguments.
@cache
def clockwise(start: int, seats: int) -> tuple[int, ...]:
    """Return every seat once, clockwise from `start`; `start` may be `seats`, meaning 0."""
    return tuple((start + step) % seats for step in range(seats))


def left_of(seat: int, seats: int) -> int:
    """Return the next seat clockwise."""
    return (seat + 1) % seats


def first_seat(start: int, seats: int, plays: Callable[[int], object]) -> int | None:
    """Return the first seat clockwise from `start` for which `plays` is true; None if none is."""
    for seat in clockwise(start, seats):
        if plays(seat):
            return seat
    return None
