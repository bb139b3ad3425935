"""Measures as text, by what they measure."""

from collections.abc import Mapping, Sequence
from typing import Literal

from cardhub.base.writing import MINUS, NONE, amount, number, signed
from cardhub.lab.study.study_schema import Measure, StudyResult

# A share from 0 to 1, a difference of shares, an amount, a difference of amounts, or Elo.
FigureKind = Literal["share", "shift", "amount", "change", "elo"]
SIGNED = ("shift", "change", "elo")
# The kind of a difference, by the kind of a figure.
DIFFERENCES: Mapping[FigureKind, FigureKind] = {"share": "shift", "amount": "change"}


def value_text(value: float | None, kind: FigureKind) -> str:
    """Return a value with its unit: `54.2 %`, `+4.2 %`, `12.3`, `+58`."""
    if value is None:
        return NONE
    scaled = 100 * value if kind in ("share", "shift") else value
    digits = 0 if kind == "elo" else 1 if abs(scaled) >= 10 or kind in ("share", "shift") else 2
    text = signed(scaled, digits) if kind in SIGNED else number(scaled, digits)
    return f"{text} %" if kind in ("share", "shift") else text


def span_text(found: Measure | None, kind: FigureKind) -> str:
    """Return the interval: `51.0 to 57.4 %`; a dash if it is unknown."""
    if found is None or found.low is None or found.high is None:
        return NONE
    ends = found.low, found.high
    # A share has a range that its interval does not know of.
    inside = [min(max(end, 0.0), 1.0) for end in ends] if kind == "share" else ends
    low, high = (value_text(end, kind) for end in inside)
    return f"{low.removesuffix(' %')} to {high}"


def measure_text(found: Measure | None, kind: FigureKind) -> str:
    """Return a value with its interval in brackets: `54.2 % (51.0 to 57.4 %)`."""
    if found is None:
        return NONE
    span = span_text(found, kind)
    return value_text(found.value, kind) + ("" if span == NONE else f" ({span})")


def p_text(value: float | None) -> str:
    """Return a p-value as text."""
    if value is None:
        return NONE
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def score_kind(result: StudyResult, *, is_difference: bool = False) -> FigureKind:
    """Return the kind of a score of a game: points are amounts, others shares."""
    if result.scoring == "points":
        return "change"
    return "shift" if is_difference else "share"


def score_unit(result: StudyResult) -> str:
    """Return what scores count, after a number: ` coins`, or nothing for shares."""
    return f" {result.unit}" if result.scoring == "points" else ""


def seats_text(seats: Sequence[int]) -> str:
    """Return the name of a seat or of a team's seats: `seat 0`, `seats 0 and 2`."""
    numbers = [str(seat) for seat in seats]
    if len(numbers) == 1:
        return f"seat {numbers[0]}"
    return f"seats {', '.join(numbers[:-1])} and {numbers[-1]}"


def options_text(result: StudyResult) -> str:
    """Return the options as they are typed: `coins=24, first_attacker=navy`."""
    return ", ".join(
        f"{name}={str(value).lower() if isinstance(value, bool) else value}"
        for name, value in result.options.items()
    )


def bots_text(bots: Sequence[str]) -> str:
    """Return the specs of bots as a list."""
    return ", ".join(bots)


def games_text(result: StudyResult) -> str:
    """Return how much was played."""
    found = result.skilled
    return f"{amount(result.games, 'game')}, {amount(found.deals, 'deal')} with {bots_text(found.bots)}"


def minus_free(text: str) -> str:
    """Return text with ASCII minus signs, for terminals."""
    return text.replace(MINUS, "-")
