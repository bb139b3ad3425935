"""Scores by seat and point margins of a finished game."""

from functools import lru_cache

from cardhub.match.scoring import points
from cardhub.match.spec import Score
from cardhub.match.task import GameResult


@lru_cache(maxsize=4096)
def seat_scores(places: tuple[int, ...], score: Score) -> tuple[float, ...]:
    """Return the scores by seat, between 0 and 1."""
    return tuple(map(float, points(places, score)))


@lru_cache(maxsize=4096)
def has_even_scores(places: tuple[int, ...]) -> bool:
    """Return whether scores by rank have the mean 1/2, as they must."""
    return 2 * sum(points(places, "rank")) == len(places)


def margin_of(result: GameResult, seat: int, rival: int) -> int | None:
    """Return how many points a seat is ahead of another, whether high or low points win.

    None if points mean nothing: after a fault of either, or if the game was broken off.
    """
    if result.end != "over" or {seat, rival} & {*result.absent, *result.faulty}:
        return None
    distance = abs(result.scores[seat] - result.scores[rival])
    return distance if result.places[seat] < result.places[rival] else -distance
