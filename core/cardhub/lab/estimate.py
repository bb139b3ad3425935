"""A value with its interval: the one record of every estimate, from statistics to reports."""

from collections.abc import Iterator
from typing import Generic, TypeAlias

from msgspec import Struct
from typing_extensions import TypeVar

V_co = TypeVar("V_co", bound=float | None, covariant=True, default=float)
E_co = TypeVar("E_co", bound=float | None, covariant=True, default=float)


class Estimate(Struct, Generic[V_co, E_co], frozen=True):
    """A value and the ends of its interval; without parameters all three are finite."""

    value: V_co
    low: E_co
    high: E_co

    def __iter__(self) -> Iterator[V_co | E_co]:
        """Yield the value and the ends of the interval."""
        yield from (self.value, self.low, self.high)


# On a scale without bounds; None as the ends is an unknown interval.
PointEstimate: TypeAlias = Estimate[float, float | None]
# None is minus infinity as `low`, plus infinity as `high`, and unknown or not finite as the value.
OpenEstimate: TypeAlias = Estimate[float | None, float | None]
# Nothing is known, or the interval would not hold.
UNKNOWN = OpenEstimate(None, None, None)


class Measure(Estimate[float, float | None], frozen=True):
    """An estimate from independent clusters, such as the `deals` of a study.

    `error` is the standard error, or None if the clusters do not show how much the estimate varies;
    then the interval is unknown, too. `freedom` is the degrees of freedom of Student's t.
    """

    error: float | None
    freedom: float
    deals: int
