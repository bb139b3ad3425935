"""Format estimates as strings, rounded, with signs and units; the templates use them as filters."""

from functools import partial

from cardhub.base.writing import MINUS, NONE, amount, interval, number, p_value, percent, signed
from cardhub.lab.analysis.schema import Deals, IntervalEstimate
from cardhub.play.advice import PERCENT

# Why tables of a match that may end by its results have no intervals.
NO_INTERVALS = (
    "Without intervals: the number of blocks may depend on the results, and intervals for a fixed "
    "number would be too narrow. Verdicts and ranks rest on anytime-valid values."
)
INFINITY = "∞"
# The scoring of games in which scores are differences in points.
POINTS = "points"


def loss(value: float, unit: str, error: float | None = None) -> str:
    """Return the value that decisions lost, with its unit: `1.20 ± 0.31 coins` or `12.1 ± 3.0 %`.

    A difference of a tenth of a percent is of no interest, one of a tenth of a coin may be.
    """
    digits = 1 if unit == PERCENT else 2
    reach = "" if error is None else f" ± {number(error, digits)}"
    return f"{number(value, digits)}{reach} {unit}"


def equals(probability: float | None) -> str:
    """Return a probability as the right side of an equation or inequality."""
    text = p_value(probability)
    return text if text.startswith("<") else f"= {text}"


def elo(found: IntervalEstimate | None) -> str:
    """Return an Elo as a string without its interval; a bound if it is not finite: `> +244`."""
    if found is None:
        return NONE
    if found.value is not None:
        return signed(found.value)
    # None between finite bounds, or without any, is an unknown value and not an infinite one.
    if (found.low is None) == (found.high is None):
        return NONE
    return f"> {signed(found.low)}" if found.low is not None else f"< {signed(found.high)}"


def elo_range(found: IntervalEstimate | None) -> str:
    """Return the interval of an Elo as a string; a dash if it has no end, or is a bound."""
    # The anchor has the interval from 0 to 0, which is no information.
    if found is None or found.low == found.high or found.value is None:
        return NONE
    low = MINUS + INFINITY if found.low is None else signed(found.low)
    high = "+" + INFINITY if found.high is None else signed(found.high)
    return f"{low} to {high}"


def elo_bounds(found: IntervalEstimate) -> str:
    """Return the interval of an Elo without a value as a string: a bound if it has one end."""
    low, high = found.low, found.high
    if low is None:
        return "unknown" if high is None else f"below {signed(high)}"
    return f"above {signed(low)}" if high is None else f"{signed(low)} to {signed(high)}"


def span(found: IntervalEstimate | None, digits: int = 3) -> str:
    """Return the interval of an estimate that is not an Elo as a string."""
    if found is None:
        return NONE
    return interval(found.low, found.high, partial(number, digits=digits))


def signed_span(found: IntervalEstimate | None, digits: int) -> str:
    """Return the interval of a difference as a string, each end with its sign."""
    if found is None:
        return NONE
    return interval(found.low, found.high, partial(signed, digits=digits))


def percents(found: IntervalEstimate) -> str:
    """Return the interval of a share as a string of percentages."""
    return interval(found.low, found.high, percent)


def share(found: IntervalEstimate) -> str:
    """Return a share with its interval as a string: `36 % (20 % to 41 %)`, or without one."""
    return percent(found.value) + bracketed(percents(found))


def bracketed(span: str) -> str:
    """Return an interval in brackets after a space, and an empty string for a dash."""
    return "" if span == NONE else f" ({span})"


def value(found: IntervalEstimate | None, digits: int = 3) -> str:
    """Return the value of an estimate that is no Elo as a string."""
    return NONE if found is None else number(found.value, digits)


def score(found: float | None, scoring: str) -> str:
    """Return a score as a string: from 0 to 1, or a difference in points with its sign."""
    return signed(found, 2) if scoring == POINTS else number(found)


def score_span(found: IntervalEstimate | None, scoring: str) -> str:
    """Return the interval of a score as a string."""
    return signed_span(found, 2) if scoring == POINTS else span(found)


def points(found: IntervalEstimate | None, unit: str) -> str:
    """Return a mean in points with its interval as a string: `+1.42 ± 0.31 chips a game`."""
    if found is None:
        return NONE
    return f"{signed(found.value, 2)}{error(found)} {unit} a game"


def of_target(found: IntervalEstimate | None, unit: str, target: int | None) -> str:
    """Return the mean score of a table as a string: `12.30 ± 0.40 of 25 points`."""
    if found is None:
        return NONE
    of = "" if target is None else f" of {target}"
    return f"{number(found.value, 2)}{error(found)}{of} {unit}"


def error(found: IntervalEstimate) -> str:
    """Return half the width of an interval as a string, empty if it has none."""
    if found.low is None or found.high is None:
        return ""
    return f" ± {number((found.high - found.low) / 2, 2)}"


def rank(best: int | None, worst: int | None) -> str:
    """Return a range of ranks as a string: `1` or `2–4`."""
    if best is None or worst is None:
        return NONE
    return str(best) if best == worst else f"{best}–{worst}"


def deals(found: Deals | None) -> str:
    """Return an inclusive range of deals as a string."""
    if not found:
        return NONE
    low, high = found
    return str(low) if low == high else f"{low} to {high}"


def cycles(apparent: int) -> str:
    """Return a sentence on the cycles by mean scores, which no test has certified."""
    if not apparent:
        return "By mean scores, too, there is none."
    verb, text = "is" if apparent == 1 else "are", amount(apparent, "cycle")
    return f"By mean scores alone there {verb} {text} of three bots, each beating the next."
