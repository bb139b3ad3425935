"""Scores of a match: from the final scores of a game to places, scores from 0 to 1, and points."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache

from cardhub.lab.match.match_spec import Contest, Score
from cardhub.lab.match.task import GameResult
from cardhub.model.table.scoring import Scoring, places


def final_places(
    scores: Sequence[int], out: Collection[int], scoring: Scoring, *, has_ended: bool
) -> tuple[int, ...]:
    """Return the places by seat, 1 for the best team; ties share the better place.

    The teams of the seats in `out` share the last place. If a fault ended the game early, all
    others share the first place.
    """
    # Teams at fault are last with any score: a fault must never pay.
    teams = scoring.teams
    lost = {teams[seat] for seat in out}
    inside = [seat for seat, team in enumerate(teams) if team not in lost]
    counted = [scores[seat] if has_ended else 0 for seat in inside]
    playing = [teams[seat] for seat in inside]
    ranks = places(counted, lowest_wins=scoring.lowest_wins, teams=playing)
    by_team = dict(zip(playing, ranks, strict=True))
    return tuple(by_team.get(team, len(by_team) + 1) for team in teams)


def counted_places(ranks: Sequence[int], score: Score) -> tuple[int, ...]:
    """Return the places to compare; with score `win` all places after the first are second."""
    return tuple(min(place, 2) for place in ranks) if score == "win" else tuple(ranks)


@cache
def seat_scores(
    ranks: tuple[int, ...], score: Score, teams: tuple[int, ...] = ()
) -> tuple[Fraction, ...]:
    """Return the exact score of each seat, from 0 to 1, by the places of the teams.

    `rank`: (teams - place) / (teams - 1), where a shared place counts as the mean of the places it
    covers; `win`: 1, divided among the winning teams. If all seats are one team, each gets 1/2.
    Without `teams` each seat is a team.
    """
    of_seat = teams or range(len(ranks))
    places_of = dict(zip(of_seat, ranks, strict=True))
    by_team = dict(zip(places_of, _team_scores(list(places_of.values()), score), strict=True))
    return tuple(by_team[team] for team in of_seat)


def _team_scores(ranks: list[int], score: Score) -> list[Fraction]:
    last = len(ranks) - 1
    if last == 0:
        return [Fraction(1, 2)]
    if score == "win":
        winners = sum(place == 1 for place in ranks)
        return [Fraction(place == 1, winners) for place in ranks]
    means = (place + Fraction(ranks.count(place) - 1, 2) for place in ranks)
    return [(len(ranks) - mean) / last for mean in means]


@lru_cache(maxsize=4096)
def _float_scores(
    ranks: tuple[int, ...], score: Score, teams: tuple[int, ...] = ()
) -> tuple[float, ...]:
    return tuple(map(float, seat_scores(ranks, score, teams)))


def points_of(result: GameResult, contest: Contest) -> tuple[int, ...]:
    """Return the points of each seat: its final score, negated if the lowest score wins.

    Teams with a seat at fault, or absent, get their final score, but at most one point less than
    the worst of the others: a fault must cost a leading bot, too. In a common cause the table keeps
    its score.
    """
    signed = tuple(-score for score in result.scores) if contest.lowest_wins else result.scores
    out = {*result.absent, *result.faulty}
    if not out:
        return signed
    teams = result.teams or range(len(signed))
    lost = {teams[seat] for seat in out}
    lost_points, others = (
        [p for t, p in zip(teams, signed, strict=True) if (t in lost) is is_lost]
        for is_lost in (True, False)
    )
    worst = min([*lost_points, *(p - 1 for p in others)])
    return tuple(worst if t in lost else p for t, p in zip(teams, signed, strict=True))


def exact_scores(result: GameResult, contest: Contest) -> tuple[int | Fraction, ...]:
    """Return the exact score of each seat in a contest: its points, or a score from 0 to 1."""
    if contest.in_points:
        return points_of(result, contest)
    return seat_scores(result.places, contest.score, result.teams)


def float_scores(result: GameResult, contest: Contest) -> tuple[float, ...]:
    """Return `exact_scores` as floats."""
    if contest.in_points:
        return tuple(map(float, points_of(result, contest)))
    return _float_scores(result.places, contest.score, result.teams)


def partners_score(result: GameResult, contest: Contest, partners: Collection[str]) -> float:
    """Return the score of the team of these bots; in points its lead over the other of two teams.

    In a common cause it is the score of the table.
    """
    scores = float_scores(result, contest)
    if contest.is_common:
        return scores[0]
    bots: dict[int, set[str]] = {}
    for team, bot in zip(result.teams, result.seats, strict=True):
        bots.setdefault(team, set()).add(bot)
    mine = next(team for team, members in bots.items() if members == {*partners})
    theirs = next(team for team in bots if team != mine)
    score = scores[result.teams.index(mine)]
    return score - scores[result.teams.index(theirs)] if contest.in_points else score


def seats_of_teams(result: GameResult) -> list[int]:
    """Return the first seat of each team, which represents the team where it counts once."""
    teams = result.teams or range(len(result.seats))
    return [seat for seat, team in enumerate(teams) if team not in teams[:seat]]


class PairScore:
    """Score of one bot against another in a block: the mean over all pairs of their seats.

    1 for the better place, 1/2 for a tie; or the difference in points. All statistics of pairs use
    this score.
    """

    def __init__(self, one: str, other: str, contest: Contest) -> None:
        self._pair = one, other
        self._contest = contest
        self._total = self._met = 0

    def add(self, result: GameResult) -> None:
        """Count one game."""
        total, met = pair_total(result, self._contest, self._pair)
        self._total += total
        self._met += met

    @property
    def value(self) -> float | None:
        """Mean score, None if the two have not met."""
        return pair_mean(self._total, self._met, self._contest) if self._met else None


class TablePairs:
    """Pairs the tables that two bots have on the same deal, in a common cause.

    Deals are added in ascending order, and only the tables of the last deal are kept.
    """

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self._deal = -1
        self._tables: dict[str, tuple[GameResult, ...]] = {}

    def add(self, results: Sequence[GameResult]) -> None:
        """Add the games of a complete block, which has one bot."""
        if results[0].deal != self._deal:
            self._tables.clear()
        self._deal = results[0].deal
        self._tables[results[0].seats[0]] = tuple(results)

    def of(self, pair: tuple[str, str]) -> "TwoTables | None":
        """Return the tables of two bots on the last deal, None if one of them has not played it."""
        if not self._tables.keys() >= {*pair}:
            return None
        return TwoTables(self._contest, *(self._tables[bot] for bot in pair))


@dataclass(frozen=True, slots=True)
class TwoTables:
    """Games of two bots on the same deal, each at its own table, in the same order."""

    contest: Contest
    mine: tuple[GameResult, ...]
    theirs: tuple[GameResult, ...]

    def differences(self) -> list[int]:
        """Return the points by which the first bot is ahead, game by game."""
        return [
            points_of(one, self.contest)[0] - points_of(other, self.contest)[0]
            for one, other in zip(self.mine, self.theirs, strict=True)
        ]

    def score(self) -> float:
        """Return the mean difference."""
        return sum(self.differences()) / len(self.mine)


def pair_total(result: GameResult, contest: Contest, pair: tuple[str, str]) -> tuple[int, int]:
    """Return the sum of one bot's scores against another over all pairs of their seats.

    The sum counts half points, or differences in points; both are whole numbers, which keeps sums
    exact. The second number is the number of pairs of seats.
    """
    mine, theirs = ([n for n, bot in enumerate(result.seats) if bot == name] for name in pair)
    if contest.in_points:
        points = points_of(result, contest)
        ahead = len(theirs) * sum(points[seat] for seat in mine)
        return ahead - len(mine) * sum(points[seat] for seat in theirs), len(mine) * len(theirs)
    ranks = counted_places(result.places, contest.score)
    pairs = [(ranks[seat], ranks[rival]) for seat in mine for rival in theirs]
    return sum(2 if one < other else one == other for one, other in pairs), len(pairs)


def pair_mean(total: int | float, met: int | float, contest: Contest) -> float:
    """Return the mean of a sum and number of pairs from `pair_total`."""
    return total / met if contest.in_points else total / (2 * met)
