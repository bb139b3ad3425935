"""Places and returns, computed from the scores of a game by its goal and teams."""

from collections.abc import Sequence
from dataclasses import dataclass

from cardhub.base.writing import MINUS, number
from cardhub.model.table.goal import Goal

Teams = Sequence[int]


@dataclass(frozen=True, slots=True)
class Scoring:
    """The meaning of a game's scores at one table; `teams` has the team of each seat.

    `unit` is the plural noun of points, and `unit_size` the score that makes one of them; `target`
    is the common score at which all have won.
    """

    teams: tuple[int, ...]
    goal: Goal = Goal.RANK
    lowest_wins: bool = False
    unit: str = "points"
    target: int | None = None
    unit_size: int = 1

    @property
    def shared_teams(self) -> tuple[int, ...]:
        """The team of each seat, or empty if every seat is a team."""
        return () if len(set(self.teams)) == len(self.teams) else self.teams

    @property
    def unit_of_scores(self) -> str:
        """The plural noun of what scores themselves count: `½ points` if two make one of a unit."""
        if self.unit_size == 1:
            return self.unit
        return f"{'½' if self.unit_size == 2 else f'1/{self.unit_size}'} {self.unit}"

    def is_won(self, score: int) -> bool:
        """Return whether a common score reaches the target, if there is one."""
        if self.target is None:
            return False
        return score <= self.target if self.lowest_wins else score >= self.target

    def text(self, score: int) -> str:
        """Return a score in units; see `score_text`."""
        return score_text(score, self.unit_size)

    def amount(self, score: int) -> str:
        """Return a score with its unit: `2 coins`, `1 coin`."""
        return amount_text(self.text(score), self.unit)

    def places(self, scores: Sequence[int]) -> list[int]:
        """Return the place of each seat's team; see `places`."""
        return places(scores, lowest_wins=self.lowest_wins, teams=self.teams)

    def returns(self, scores: Sequence[int]) -> list[float]:
        """Return the utility of each seat; see `returns`."""
        return returns(scores, goal=self.goal, lowest_wins=self.lowest_wins, teams=self.teams)


def score_text(score: int, unit_size: int) -> str:
    """Return a score in units, halves as `½`: `2½`, `−3`."""
    whole, rest = divmod(abs(score), unit_size)
    sign = MINUS if score < 0 else ""
    if not rest:
        return f"{sign}{whole}"
    if 2 * rest == unit_size:
        return f"{sign}{whole or ''}½"
    return number(score / unit_size, 2)


def amount_text(score: str, unit: str) -> str:
    """Return a score as text with its unit, a plural noun, which is singular for one or a half."""
    return f"{score} {_singular(unit) if score.lstrip(MINUS) in ('1', '½') else unit}"


def _singular(noun: str) -> str:
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    if noun.endswith(("ches", "shes", "sses", "xes")):
        return noun[:-2]
    return noun if noun.endswith("ss") else noun.removesuffix("s")


def places(
    scores: Sequence[int], *, lowest_wins: bool = False, teams: Teams | None = None
) -> list[int]:
    """Return the place of each seat's team, 1 for the best; equal scores share the better place.

    Places count teams; without `teams` each seat is a team. A team has the score of its first seat.
    """
    of_seat = range(len(scores)) if teams is None else teams
    signed = scores if lowest_wins else [-score for score in scores]
    keys: dict[int, int] = {}
    for team, key in zip(of_seat, signed, strict=True):
        keys.setdefault(team, key)
    return [1 + sum(other < keys[team] for other in keys.values()) for team in of_seat]


def returns(
    scores: Sequence[int],
    *,
    goal: Goal = Goal.RANK,
    lowest_wins: bool = False,
    teams: Teams | None = None,
) -> list[float]:
    """Return the utility of each seat; all members of a team have the same.

    SCORE and COMMON: the score, negated if the lowest wins. WIN: 1 for the only winner, and less if
    several teams share the win; the sum over teams is 0. RANK: from 1 for the best team to -1 for
    the last, with sum 0; teams that share a place get the mean of the places that they share.
    """
    if goal in (Goal.SCORE, Goal.COMMON):
        return [float(-score if lowest_wins else score) for score in scores]
    of_seat = range(len(scores)) if teams is None else teams
    ranks = places(scores, lowest_wins=lowest_wins, teams=of_seat)
    by_team = dict(zip(of_seat, ranks, strict=True))
    utilities = _by_winning if goal is Goal.WIN else _by_rank
    by_team_utility = dict(zip(by_team, utilities(list(by_team.values())), strict=True))
    return [by_team_utility[team] for team in of_seat]


def _by_winning(ranks: list[int]) -> list[float]:
    # n teams that stake equal sums, shared by the winners: scaled to 1 for the only winner.
    last = len(ranks) - 1
    if last == 0:
        return [0.0]
    won = (len(ranks) / ranks.count(1) - 1) / last
    return [won if rank == 1 else -1 / last for rank in ranks]


def _by_rank(ranks: list[int]) -> list[float]:
    # Places are equally spaced from 1 to -1. A tie occupies several places, whose mean equals the
    # mean of the first and the last of them.
    last = len(ranks) - 1
    if last == 0:
        return [0.0]
    return [(last - 2 * (rank - 1) - (ranks.count(rank) - 1)) / last for rank in ranks]
