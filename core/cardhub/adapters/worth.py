"""What the end of a game is worth to its players, for libraries that want one number for each."""

from collections.abc import Sequence

from cardhub.errors import OptionError
from cardhub.errors.suggestions import did_you_mean
from cardhub.table.scoring import returns

MARGINS, PLACES, SCORES = WORTH = ("margins", "places", "scores")
"""What players can be out for.

`margins`: their score, less the mean of all; `places`: 1 for the best to -1 for the last; `scores`.
More is always better, also where the lowest score wins; only `scores` do not add up to 0.
"""


def check_worth(kind: str) -> None:
    """Raise OptionError unless this is something players can be out for."""
    if kind not in WORTH:
        hint = did_you_mean(kind, WORTH)
        raise OptionError(f"returns cannot be {kind!r}: they are {', '.join(WORTH)}.{hint}")


def worth(scores: Sequence[int], kind: str, *, lowest_wins: bool = False) -> list[float]:
    """Return what final scores are worth to every seat."""
    if kind == PLACES:
        return returns(scores, lowest_wins=lowest_wins)
    sign = -1.0 if lowest_wins else 1.0
    mean = sum(scores) / len(scores) if kind == MARGINS else 0.0
    return [sign * (score - mean) for score in scores]
