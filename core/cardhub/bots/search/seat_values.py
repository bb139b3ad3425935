"""Values of the seats at the end of a simulation, by the goal of the game."""

from collections.abc import Sequence
from math import fsum, sqrt
from typing import Protocol

from typing_extensions import override

from cardhub.model.table.goal import Goal
from cardhub.model.table.scoring import Scoring, returns

# The number of simulations in the running averages.
MEMORY = 1000.0
# The number of standard deviations that are scaled to the range from 0 to 1.
SPREAD = 4.0
# If the variance is smaller, values from 0 to 1 count as equal.
LEAST_VARIANCE = 1e-4
# The multiple of the mean margin that gets the full value.
FULL_MARGIN = 3.0


class SeatValues(Protocol):
    """Converts evaluations at the end of a simulation to values of the seats; higher is better."""

    __slots__ = ()

    def of(self, evaluations: Sequence[float], scores: list[int] | None) -> list[float]:
        """Return the value of every seat; `scores`: the final scores, or None during the game."""
        ...

    def rating(self, mean: float) -> float:
        """Return the rating of an action with this mean value, on the scale of `Rated.value`."""
        ...


def seat_values(scoring: Scoring) -> SeatValues:
    """Return the conversion for a game's goal; members of a team have the same value."""
    if has_linear_values(scoring.goal):
        values: SeatValues = ScoreValues(lowest_wins=scoring.lowest_wins)
    elif scoring.goal is Goal.WIN:
        values = WinValues(lowest_wins=scoring.lowest_wins)
    else:
        values = RankValues(lowest_wins=scoring.lowest_wins)
    return TeamValues(values, scoring.teams) if scoring.shared_teams else values


def has_linear_values(goal: Goal) -> bool:
    """Return whether values are scores in the game's unit, instead of numbers from 0 to 1."""
    return goal in (Goal.SCORE, Goal.COMMON)


class ScoreValues(SeatValues):
    """Values for SCORE and COMMON: the final score, or the evaluation at the playout depth.

    Each seat's score counts without clipping or comparison; it is negated if the lowest wins.
    """

    __slots__ = ("_sign",)

    def __init__(self, *, lowest_wins: bool = False) -> None:
        self._sign = -1.0 if lowest_wins else 1.0

    @override
    def of(self, evaluations: Sequence[float], scores: list[int] | None) -> list[float]:
        sign = self._sign
        if scores is not None:
            return [sign * score for score in scores]
        return [sign * value for value in evaluations]

    @override
    def rating(self, mean: float) -> float:
        return mean


class WinValues(SeatValues):
    """Values for WIN, from 0 to 1.

    A value grows with the margin to the best other seat, scaled by a running average of margins.
    At the end of the game the margin makes one half of the value, and winning the other half.
    """

    __slots__ = ("_count", "_sign", "_sum")

    def __init__(self, *, lowest_wins: bool = False) -> None:
        self._sign = -1 if lowest_wins else 1
        self._sum = 1.0
        self._count = 1

    @override
    def of(self, evaluations: Sequence[float], scores: list[int] | None) -> list[float]:
        sign = self._sign
        signed = [sign * evaluation for evaluation in evaluations]
        best, second = _two_best(signed)
        # With one seat the margin is the distance to 0, with either sign.
        self._sum += abs(best - second)
        self._count += 1
        full = FULL_MARGIN * self._sum / self._count
        values = []
        for evaluation in signed:
            margin = (evaluation - (second if evaluation == best else best)) / full
            values.append(0.5 + 0.5 * (1.0 if margin > 1.0 else -1.0 if margin < -1.0 else margin))
        return values if scores is None else self._with_result(values, scores)

    @override
    def rating(self, mean: float) -> float:
        return 2 * mean - 1

    def _with_result(self, values: list[float], scores: list[int]) -> list[float]:
        top = max(scores) if self._sign > 0 else min(scores)
        bonus = 0.5 / scores.count(top)  # winners share the half for winning
        return [
            0.5 * value + (bonus if score == top else 0.0)
            for value, score in zip(values, scores, strict=True)
        ]


class RankValues(WinValues):
    """Values for RANK: like WIN, but the second half depends on the place."""

    __slots__ = ()

    @override
    def _with_result(self, values: list[float], scores: list[int]) -> list[float]:
        by_place = returns(scores, lowest_wins=self._sign < 0)
        return [
            0.5 * value + 0.25 * (1 + place) for value, place in zip(values, by_place, strict=True)
        ]


class TeamValues(SeatValues):
    """Values of teams: each seat gets its team's value, from the mean of the team's evaluations."""

    __slots__ = ("_members", "_team_of", "_values")

    def __init__(self, values: SeatValues, teams: Sequence[int]) -> None:
        numbers = sorted(set(teams))
        self._values = values
        self._team_of = [numbers.index(team) for team in teams]
        self._members = [[s for s, team in enumerate(teams) if team == n] for n in numbers]

    @override
    def of(self, evaluations: Sequence[float], scores: list[int] | None) -> list[float]:
        members = self._members
        by_team = [fsum(evaluations[seat] for seat in team) / len(team) for team in members]
        final = None if scores is None else [scores[team[0]] for team in members]
        values = self._values.of(by_team, final)
        return [values[team] for team in self._team_of]

    @override
    def rating(self, mean: float) -> float:
        return self._values.rating(mean)


def _two_best(evaluations: Sequence[float]) -> tuple[float, float]:
    if len(evaluations) == 2:  # the most frequent case
        first, last = evaluations
        return (first, last) if first > last else (last, first)
    *_, second, best = sorted(evaluations) if len(evaluations) > 1 else (0.0, *evaluations)
    return best, second


class RunningSpread:
    """The running mean and variance of one seat's values."""

    __slots__ = ("mean", "variance")

    def __init__(self, variance: float) -> None:
        self.mean = 0.5
        self.variance = variance


class Standardizer:
    """Rescales values to the range from 0 to 1 by their running means and variances, per seat.

    Values within a game differ far less than between games. UCB needs differences of the order of
    its exploration term, so it uses a simulation's deviation from the other simulations.
    `is_linear`: the values have an arbitrary unit and zero, on which the result must not depend.
    """

    __slots__ = ("_count", "_is_linear", "_least", "_spreads")

    def __init__(self, seats: int, *, is_linear: bool = False) -> None:
        self._count = 0.0
        self._is_linear = is_linear
        self._least = 0.0 if is_linear else LEAST_VARIANCE
        self._spreads = [RunningSpread(self._least) for _ in range(seats)]

    def of(self, values: list[float]) -> list[float]:
        """Return standardized values, 0.5 for the mean, and update the averages."""
        if not self._count and self._is_linear:
            # Use the first value as the zero of the unknown unit.
            for spread, value in zip(self._spreads, values, strict=False):
                spread.mean = value
        # After MEMORY simulations, the averages decay exponentially, because the tree's play
        # changes.
        if self._count < MEMORY:
            self._count += 1.0
        step, least = 1.0 / self._count, self._least
        standardized = []
        for spread, value in zip(self._spreads, values, strict=False):
            off = value - spread.mean
            if off:
                spread.mean += step * off
                variance = spread.variance
                variance += step * (off * off - variance)
                spread.variance = variance
                scaled = 0.5 + off / (SPREAD * sqrt(variance + least))
                standardized.append(1.0 if scaled > 1.0 else 0.0 if scaled < 0.0 else scaled)
            else:
                spread.variance -= step * spread.variance
                standardized.append(0.5)
        return standardized
