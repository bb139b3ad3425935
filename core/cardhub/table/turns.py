"""Whose turn it is: seats in clockwise order."""

from collections.abc import Callable
from functools import cache


@cache
def clockwise(start: int, seats: int) -> tuple[int, ...]:
    """Return every seat once, from `start` on (which may be one too many)."""
    return tuple((start + step) % seats for step in range(seats))


def left_of(seat: int, seats: int) -> int:
    """Return the next seat clockwise."""
    return (seat + 1) % seats


def first_seat(start: int, seats: int, plays: Callable[[int], object]) -> int | None:
    """Return the first seat from `start` on that `plays`; None if none does."""
    for seat in clockwise(start, seats):
        if plays(seat):
            return seat
    return None
