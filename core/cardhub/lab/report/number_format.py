"""Format estimates as strings, rounded, with signs and units; the templates use them as filters."""

from functools import partial

from cardhub.base.writing import MINUS, NONE, amount, interval, number, p_value, percent, signed
from cardhub.lab.analysis.block_schema import Deals
from cardhub.lab.estimate import OpenEstimate
from cardhub.play.advice import PERCENT

# Shown if the end of a match may depend on its results.
NO_INTERVALS = (
    "There are no intervals here: the number of blocks may depend on the results, and intervals "
    "for a fixed number would be too narrow. Verdicts and ranks rest on anytime-valid values."
)
INFINITY = "∞"
# The scoring of games in which scores are differences in points.
POINTS = "points"


def loss(value: float, unit: str, error: float | None = None) -> str:
    """Return the value that decisions lost, with its unit: `1.20 ± 0.31 coins` or `12.1 ± 3.0 %`.

    Percentages have one decimal, because smaller differences do not matter; other units have two.
    """
    digits = 1 if unit == PERCENT else 2
    reach = "" if error is None else f" ± {number(error, digits)}"
    return f"{number(value, digits)}{reach} {unit}"


def equals(probability: float | None) -> str:
    """Return a probability as the right side of an equation or inequality."""
    text = p_value(probability)
    return text if text.startswith("<") else f"= {text}"


def elo(estimate: OpenEstimate | None) -> str:
    """Return an Elo as a string without its interval, or a bound if it is not finite: `> +244`."""
    if estimate is None:
        return NONE
    if estimate.value is not None:
        return signed(estimate.value)
    # None with two finite bounds, or with two unknown bounds, is an unknown value, not infinity.
    if (estimate.low is None) == (estimate.high is None):
        return NONE
    return f"> {signed(estimate.low)}" if estimate.low is not None else f"< {signed(estimate.high)}"


def elo_range(estimate: OpenEstimate | None) -> str:
    """Return the interval of an Elo as a string; a dash without a value or between equal ends."""
    # The interval of the anchor, from 0 to 0, has no information.
    if estimate is None or estimate.low == estimate.high or estimate.value is None:
        return NONE
    low = MINUS + INFINITY if estimate.low is None else signed(estimate.low)
    high = "+" + INFINITY if estimate.high is None else signed(estimate.high)
    return f"{low} to {high}"


def elo_bounds(estimate: OpenEstimate) -> str:
    """Return the interval of an Elo without a value as a string; with one end, a bound."""
    low, high = estimate.low, estimate.high
    if low is None:
        return "unknown" if high is None else f"below {signed(high)}"
    return f"above {signed(low)}" if high is None else f"{signed(low)} to {signed(high)}"


def span(estimate: OpenEstimate | None, digits: int = 3) -> str:
    """Return the interval of an estimate that is not an Elo as a string."""
    if estimate is None:
        return NONE
    return interval(estimate.low, estimate.high, partial(number, digits=digits))


def signed_span(estimate: OpenEstimate | None, digits: int) -> str:
    """Return the interval of a difference as a string, each end with its sign."""
    if estimate is None:
        return NONE
    return interval(estimate.low, estimate.high, partial(signed, digits=digits))


def percents(estimate: OpenEstimate) -> str:
    """Return the interval of a share as a string of percentages."""
    return interval(estimate.low, estimate.high, percent)


def share(estimate: OpenEstimate) -> str:
    """Return a share as a string, with its interval if it has one: `36 % (20 % to 41 %)`."""
    return percent(estimate.value) + bracketed(percents(estimate))


def bracketed(span: str) -> str:
    """Return an interval in brackets after a space, or an empty string for a dash."""
    return "" if span == NONE else f" ({span})"


def value(estimate: OpenEstimate | None, digits: int = 3) -> str:
    """Return the value of an estimate that is not an Elo as a string."""
    return NONE if estimate is None else number(estimate.value, digits)


def score(mean: float | None, scoring: str) -> str:
    """Return a score as a string: from 0 to 1, or a difference in points with its sign."""
    return signed(mean, 2) if scoring == POINTS else number(mean)


def score_span(estimate: OpenEstimate | None, scoring: str) -> str:
    """Return the interval of a score as a string."""
    return signed_span(estimate, 2) if scoring == POINTS else span(estimate)


def times(factor: float) -> str:
    """Return a factor as a string: `1.4 times`, `14 times`."""
    return f"{number(factor, 1 if factor < 10 else 0)} times"


def points(estimate: OpenEstimate | None, unit: str) -> str:
    """Return a mean in points with its interval as a string: `+1.42 ± 0.31 chips a game`."""
    if estimate is None:
        return NONE
    return f"{signed(estimate.value, 2)}{error(estimate)} {unit} a game"


def of_target(estimate: OpenEstimate | None, unit: str, target: int | None) -> str:
    """Return the mean score of a table as a string: `12.30 ± 0.40 of 25 points`."""
    if estimate is None:
        return NONE
    of = "" if target is None else f" of {target}"
    return f"{number(estimate.value, 2)}{error(estimate)}{of} {unit}"


def error(estimate: OpenEstimate) -> str:
    """Return half the width of an interval as a string, empty without an interval."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f" ± {number((estimate.high - estimate.low) / 2, 2)}"


def rank(best: int | None, worst: int | None) -> str:
    """Return a range of ranks as a string: `1` or `2–4`."""
    if best is None or worst is None:
        return NONE
    return str(best) if best == worst else f"{best}–{worst}"


def deals(bounds: Deals | None) -> str:
    """Return an inclusive range of deals as a string."""
    if not bounds:
        return NONE
    low, high = bounds
    return str(low) if low == high else f"{low} to {high}"


def cycles(apparent: int) -> str:
    """Return a sentence on the cycles by mean scores, which no test certifies."""
    if not apparent:
        return "Mean scores show no cycle either."
    return (
        f"Mean scores alone show {amount(apparent, 'cycle')} of three bots in which each bot beats "
        "the next."
    )
