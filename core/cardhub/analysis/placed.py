"""What an end means for seats: points, worked out once for each order of places, and margins."""

from functools import lru_cache

from cardhub.match.scoring import points
from cardhub.match.spec import Score
from cardhub.match.task import GameResult


@lru_cache(maxsize=4096)
def seat_points(places: tuple[int, ...], score: Score) -> tuple[float, ...]:
    """Return the points by seat."""
    return tuple(map(float, points(places, score)))


@lru_cache(maxsize=4096)
def is_even(places: tuple[int, ...]) -> bool:
    """Return whether points by rank have the mean 1/2, as they must."""
    return 2 * sum(points(places, "rank")) == len(places)


def margin_of(result: GameResult, seat: int, rival: int) -> int | None:
    """Return how many points a seat is ahead of another, whether high or low scores win.

    None where their scores say nothing: after a fault of theirs, or if the game was broken off.
    """
    if result.end != "over" or {seat, rival} & {*result.absent, *result.faulty}:
        return None
    distance = abs(result.scores[seat] - result.scores[rival])
    return distance if result.places[seat] < result.places[rival] else -distance
