"""Scores of a match: from the final scores of a game to places and to scores from 0 to 1."""

from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import cache, lru_cache

from cardhub.match.match_spec import Score
from cardhub.table.scoring import places


def final_places(
    scores: Sequence[int], out: Collection[int], *, lowest_wins: bool, has_ended: bool
) -> tuple[int, ...]:
    """Return the places by seat, 1 for the best; ties share the better place.

    Seats in `out` share the last place. If a fault ended the game early, all others share the
    first place.
    """
    # Seats at fault are last whatever their score: a fault must never pay.
    inside = [seat for seat in range(len(scores)) if seat not in out]
    kept = [scores[seat] for seat in inside] if has_ended else [0] * len(inside)
    ranks = dict(zip(inside, places(kept, lowest_wins=lowest_wins), strict=True))
    return tuple(ranks.get(seat, len(inside) + 1) for seat in range(len(scores)))


def counted_places(found: Sequence[int], score: Score) -> tuple[int, ...]:
    """Return the places to compare; with score `win` all places after the first are second."""
    return tuple(found) if score == "rank" else tuple(min(place, 2) for place in found)


@cache
def seat_scores(found: tuple[int, ...], score: Score) -> tuple[Fraction, ...]:
    """Return the exact score of each seat, from 0 to 1.

    `rank`: (players - place) / (players - 1), where a shared place counts as the mean of the places
    it covers; `win`: 1, divided among the winners.
    """
    if score == "win":
        winners = sum(place == 1 for place in found)
        return tuple(Fraction(place == 1, winners) for place in found)
    last = len(found) - 1
    means = (place + Fraction(found.count(place) - 1, 2) for place in found)
    return tuple((len(found) - mean) / last for mean in means)


@lru_cache(maxsize=4096)
def float_scores(found: tuple[int, ...], score: Score) -> tuple[float, ...]:
    """Return the scores by seat as floats."""
    return tuple(map(float, seat_scores(found, score)))


class PairScore:
    """Score of one bot against another in a block: the mean over all pairs of their seats.

    1 for the better place, 1/2 for a tie. All statistics of pairs use this score.
    """

    def __init__(self, one: str, other: str, score: Score) -> None:
        self._pair = one, other
        self._score = score
        self._halves = self._met = 0

    def add(self, seats: Sequence[str], found: Sequence[int]) -> None:
        """Count one game, given the bots and the places by seat."""
        counted = counted_places(found, self._score)
        mine, theirs = (
            [place for bot, place in zip(seats, counted, strict=True) if bot == name]
            for name in self._pair
        )
        for place in mine:
            for rival in theirs:
                # Half points are whole numbers, so that sums are exact.
                self._halves += 2 if place < rival else place == rival
                self._met += 1

    @property
    def value(self) -> float | None:
        """Mean score, None if the two have not met."""
        return self._halves / (2 * self._met) if self._met else None
