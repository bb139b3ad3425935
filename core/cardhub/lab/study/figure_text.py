"""Measures of a study as text, with signs and units by kind of figure."""

from collections.abc import Mapping, Sequence
from typing import Literal

from cardhub.base.writing import MINUS, NONE, amount, listed, number, signed
from cardhub.lab.estimate import Measure
from cardhub.lab.study.study_schema import StudyResult

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


def span_text(measure: Measure | None, kind: FigureKind) -> str:
    """Return an interval with its unit, `51.0 to 57.4 %`, or a dash if it is unknown."""
    if measure is None or measure.low is None or measure.high is None:
        return NONE
    ends = measure.low, measure.high
    # The interval of a share may reach beyond 0 or 1, because it is symmetrical.
    low, high = [min(max(end, 0.0), 1.0) for end in ends] if kind == "share" else ends
    return f"{value_text(low, kind).removesuffix(' %')} to {value_text(high, kind)}"


def measure_text(measure: Measure | None, kind: FigureKind) -> str:
    """Return a value with its interval in brackets, `54.2 % (51.0 to 57.4 %)`."""
    if measure is None:
        return NONE
    span = span_text(measure, kind)
    return value_text(measure.value, kind) + ("" if span == NONE else f" ({span})")


def score_kind(result: StudyResult, *, is_difference: bool = False) -> FigureKind:
    """Return the kind of a score: a change in a game scored by points, else a share or a shift."""
    if result.scoring == "points":
        return "change"
    return "shift" if is_difference else "share"


def score_unit(result: StudyResult) -> str:
    """Return the unit suffix of scores: ` coins`, or an empty string for shares."""
    return f" {result.unit}" if result.scoring == "points" else ""


def seats_text(seats: Sequence[int]) -> str:
    """Return the name of a seat or of a team's seats: `seat 0`, `seats 0 and 2`."""
    return f"{'seat' if len(seats) == 1 else 'seats'} {listed([str(seat) for seat in seats])}"


def options_text(result: StudyResult) -> str:
    """Return the options in the syntax of the command line: `coins=24, first_attacker=navy`."""
    return ", ".join(
        f"{name}={str(value).lower() if isinstance(value, bool) else value}"
        for name, value in result.options.items()
    )


def bots_text(bots: Sequence[str]) -> str:
    """Return the specs of bots as a list."""
    return ", ".join(bots)


def games_text(result: StudyResult) -> str:
    """Return the numbers of games and deals, and the bots."""
    games, deals = amount(result.games, "game"), amount(result.skilled.deals, "deal")
    return f"{games}, {deals} with {bots_text(result.skilled.bots)}"


def minus_free(text: str) -> str:
    """Return text with ASCII minus signs, for terminals."""
    return text.replace(MINUS, "-")
