"""Amounts in words: numbers with nouns, times, repeated names."""

from collections.abc import Iterable
from itertools import groupby

HOUR = 60  # minutes


def amount(number: int, noun: str) -> str:
    """Return a number with its noun: `1 game`, `2 games`."""
    return f"{number} {noun}" + ("s" if number != 1 else "")


def duration(seconds: int | None) -> str:
    """Return a time in minutes and hours: `24 min`, `1 h 10 min`; empty if unknown."""
    if seconds is None:
        return ""
    minutes = max(round(seconds / 60), 1)
    return f"{minutes} min" if minutes < HOUR else f"{minutes // HOUR} h {minutes % HOUR} min"


def counted_names(names: Iterable[str]) -> list[str]:
    """Return each name once where it is repeated, with the count before it: `3×R?`."""
    counts = ((name, len(list(group))) for name, group in groupby(names))
    return [name if count == 1 else f"{count}×{name}" for name, count in counts]
