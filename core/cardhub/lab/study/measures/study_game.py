"""Games of a study, and measures from sums by deal."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from msgspec.structs import replace

from cardhub.lab.match.task import GameResult
from cardhub.lab.stats import ClusterEstimate, cluster_ratio
from cardhub.lab.study.game_trace import GameTrace
from cardhub.lab.study.study_schema import Measure


@dataclass(frozen=True, slots=True)
class StudyGame:
    """A game of copies of one bot, given by its spec; `group` are the ids of the copies.

    `scores` are those of a match, by seat.
    """

    bot: str
    group: tuple[str, ...]
    result: GameResult
    scores: tuple[float, ...]
    trace: GameTrace

    @property
    def deal(self) -> int:
        """The number of the deal: games with equal numbers have equal cards."""
        return self.result.deal


class Summand(NamedTuple):
    """A summand of a ratio: its deal, and what it adds to the total and to the size."""

    deal: int
    total: float
    size: float = 1.0


def estimate(parts: Iterable[Summand]) -> tuple[ClusterEstimate, int] | None:
    """Return the ratio of total to size, deals as clusters, and their number."""
    sums: defaultdict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for part in parts:
        own = sums[part.deal]
        own[0] += part.total
        own[1] += part.size
    # Sorted: a sum of floats depends on the order of its terms.
    ordered = [sums[deal] for deal in sorted(sums)]
    found = cluster_ratio([total for total, _ in ordered], [size for _, size in ordered])
    return None if found is None else (found, sum(size > 0 for _, size in ordered))


def measure(parts: Iterable[Summand], level: float) -> Measure | None:
    """Return the ratio of total to size with its interval; None without anything to count."""
    found = estimate(parts)
    return None if found is None else as_measure(*found, level)


def known(parts: Sequence[Summand], level: float) -> Measure:
    """Return `measure` of parts of which one counts at least; raises ValueError otherwise."""
    found = measure(parts, level)
    if found is None:
        raise ValueError("a measure of no games")
    return found


def as_measure(found: ClusterEstimate, deals: int, level: float) -> Measure:
    """Return an estimate as it is stored."""
    reach = found.reach(level)
    low, high = (None, None) if reach is None else (found.value - reach, found.value + reach)
    return Measure(found.value, low, high, found.error, found.freedom, deals)


def as_estimate(found: Measure) -> ClusterEstimate:
    """Return a stored measure as an estimate."""
    return ClusterEstimate(found.value, found.error, found.freedom)


def clipped(found: Measure, low: float = 0.0, high: float = 1.0) -> Measure:
    """Return a measure whose value and interval lie within the possible range."""

    def inside(value: float) -> float:
        return min(max(value, low), high)

    ends = (None if end is None else inside(end) for end in (found.low, found.high))
    bottom, top = ends
    return replace(found, value=inside(found.value), low=bottom, high=top)


def scaled(found: Measure, factor: float) -> Measure:
    """Return a measure times a positive number."""
    ends = (None if end is None else factor * end for end in (found.low, found.high, found.error))
    low, high, error = ends
    return replace(found, value=factor * found.value, low=low, high=high, error=error)
