"""Points for places, worked out once for each order in which a game can end."""

from functools import lru_cache

from cardhub.match.placing import points
from cardhub.match.spec import Score


@lru_cache(maxsize=4096)
def seat_points(places: tuple[int, ...], score: Score) -> tuple[float, ...]:
    """Return the points by seat."""
    return tuple(map(float, points(places, score)))


@lru_cache(maxsize=4096)
def is_even(places: tuple[int, ...]) -> bool:
    """Return whether points by rank have the mean 1/2, as they must."""
    return 2 * sum(points(places, "rank")) == len(places)
