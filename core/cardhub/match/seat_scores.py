"""Scores of a match: from the final scores of a game to places and to scores from 0 to 1."""

from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import cache, lru_cache

from cardhub.match.match_spec import Score
from cardhub.table.scoring import Scoring, places


def final_places(
    scores: Sequence[int], out: Collection[int], scoring: Scoring, *, has_ended: bool
) -> tuple[int, ...]:
    """Return the places by seat, 1 for the best team; ties share the better place.

    The teams of the seats in `out` share the last place. If a fault ended the game early, all
    others share the first place.
    """
    # Teams at fault are last whatever their score: a fault must never pay.
    teams = scoring.teams
    lost = {teams[seat] for seat in out}
    inside = [seat for seat, team in enumerate(teams) if team not in lost]
    kept = [scores[seat] if has_ended else 0 for seat in inside]
    playing = [teams[seat] for seat in inside]
    ranks = places(kept, lowest_wins=scoring.lowest_wins, teams=playing)
    by_team = dict(zip(playing, ranks, strict=True))
    return tuple(by_team.get(team, len(by_team) + 1) for team in teams)


def counted_places(found: Sequence[int], score: Score) -> tuple[int, ...]:
    """Return the places to compare; with score `win` all places after the first are second."""
    return tuple(found) if score == "rank" else tuple(min(place, 2) for place in found)


@cache
def seat_scores(
    found: tuple[int, ...], score: Score, teams: tuple[int, ...] = ()
) -> tuple[Fraction, ...]:
    """Return the exact score of each seat, from 0 to 1, by the places of the teams.

    `rank`: (teams - place) / (teams - 1), where a shared place counts as the mean of the places it
    covers; `win`: 1, divided among the winning teams. If all seats are one team, each gets 1/2.
    Without `teams` each seat is a team.
    """
    of_seat = teams or range(len(found))
    places_of = dict(zip(of_seat, found, strict=True))
    by_team = dict(zip(places_of, _team_scores(list(places_of.values()), score), strict=True))
    return tuple(by_team[team] for team in of_seat)


def _team_scores(found: list[int], score: Score) -> list[Fraction]:
    last = len(found) - 1
    if last == 0:
        return [Fraction(1, 2)]
    if score == "win":
        winners = sum(place == 1 for place in found)
        return [Fraction(place == 1, winners) for place in found]
    means = (place + Fraction(found.count(place) - 1, 2) for place in found)
    return [(len(found) - mean) / last for mean in means]


@lru_cache(maxsize=4096)
def float_scores(
    found: tuple[int, ...], score: Score, teams: tuple[int, ...] = ()
) -> tuple[float, ...]:
    """Return the scores by seat as floats; see `seat_scores`."""
    return tuple(map(float, seat_scores(found, score, teams)))


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
