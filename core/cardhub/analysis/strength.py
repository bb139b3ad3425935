"""Which Elo is told after a sequential test, and why there may be none."""

from math import inf

from cardhub.stats import EloEstimate

COARSE = (
    "Blocks are too few, or too many of them ended alike, for an Elo that is as likely to be too "
    "high as too low: only its interval is given."
)
APART = (
    "The interval that allows for the stop has nothing in common with the always-valid one, by "
    "chance or because strengths changed in the course of the test: only the latter is given."
)


def strength_after(
    found: EloEstimate | None, always: EloEstimate | None
) -> tuple[EloEstimate | None, str | None]:
    """Return the estimate after a test unless it contradicts the always-valid one, and a note."""
    if found is None or always is None:
        return None, None
    if not _overlap(found, always):
        return None, APART
    return found, COARSE if found.value is None else None


def _overlap(one: EloEstimate, other: EloEstimate) -> bool:
    (low, high), (bottom, top) = (_ends(elo) for elo in (one, other))
    return low <= top and bottom <= high


def _ends(elo: EloEstimate) -> tuple[float, float]:
    return -inf if elo.low is None else elo.low, inf if elo.high is None else elo.high
