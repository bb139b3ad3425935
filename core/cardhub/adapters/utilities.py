"""Utilities of the final scores, for libraries that need one number per player."""

from collections.abc import Sequence

from cardhub.errors import OptionError
from cardhub.errors.suggestions import did_you_mean
from cardhub.table.scoring import returns

# Kinds of utilities.
#
# `margins`: the score minus the mean of all; `places`: 1 for the best to -1 for the last; `scores`.
# More is better, also where the lowest score wins; all but `scores` sum to 0.
MARGINS, PLACES, SCORES = UTILITIES = ("margins", "places", "scores")


def check_utility(kind: str) -> None:
    """Raise OptionError unless this is a kind of utility."""
    if kind not in UTILITIES:
        hint = did_you_mean(kind, UTILITIES)
        raise OptionError(f"returns cannot be {kind!r}: they are {', '.join(UTILITIES)}.{hint}")


def utilities(scores: Sequence[int], kind: str, *, lowest_wins: bool = False) -> list[float]:
    """Return the utilities of final scores by seat."""
    if kind == PLACES:
        return returns(scores, lowest_wins=lowest_wins)
    sign = -1.0 if lowest_wins else 1.0
    mean = sum(scores) / len(scores) if kind == MARGINS else 0.0
    return [sign * (score - mean) for score in scores]
