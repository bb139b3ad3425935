"""An iteration of a search: the drawn determinization, the playout, and the seats' values."""

from collections.abc import Sequence
from math import fsum, sqrt
from random import Random
from typing import Generic, Protocol

from typing_extensions import override

from cardhub.bots.bot import Bot
from cardhub.bots.search.amount_search import amount_blocks, sample_grouped
from cardhub.bots.search.struct_playouts import Outcome, playouts_in_c
from cardhub.model.game.game import Game, Heuristics, S
from cardhub.model.hidden.chance import resolve_shuffles, sample_action
from cardhub.model.hidden.determinize import FacePlan
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.goal import Goal
from cardhub.model.table.scoring import Scoring, returns
from cardhub.model.table.state import CHANCE, OVER

# The number of determinizations that estimate the largest likelihood before the first is used.
BURN_IN = 50
# The maximum number of rejections; then the last determinization is used.
TRIES = 1000


class DeterminizationSampler(Generic[S]):
    """Draws determinizations of one seat's observation, in proportion to the game's likelihood."""

    def __init__(self, observation: Observation[S], rng: Random) -> None:
        self._observation = observation
        self._rng = rng
        self._heuristics = observation.game.heuristics
        self._is_weighted = type(self._heuristics).likelihood is not Heuristics.likelihood
        self._top = 0.0

    def plan(self) -> FacePlan | None:
        """Return the plan of the draws, before their likelihood; None if there is no plan."""
        return self._observation.face_plan()

    @property
    def top(self) -> float | None:
        """The greatest likelihood so far; None if all determinizations count alike."""
        return self._top if self._is_weighted else None

    def note_tries(self, drawn: int, accepted: int, top: float) -> None:
        """Note how many faces were drawn by the plan, how many are plausible, and `top`."""
        self._observation.note_tries(drawn, accepted)
        self._top = top

    def draw(self) -> S:
        """Return a determinization of the observation."""
        if not self._is_weighted:
            return self._observation.determinize(self._rng)
        if not self._top:
            # Without this the first determinization would be its own bound and never be rejected.
            for _ in range(BURN_IN):
                self._weighed()
        # Rejection sampling with the largest likelihood so far, because the bound is unknown.
        for _ in range(TRIES):
            state, likelihood = self._weighed()
            if self._rng.random() * self._top <= likelihood:
                break
        return state

    def _weighed(self) -> tuple[S, float]:
        state = self._observation.determinize(self._rng)
        likelihood = self._heuristics.likelihood(state)
        self._top = max(self._top, likelihood)
        return state, likelihood


class Playout(Generic[S]):
    """Plays determinizations to the end or to the game's playout depth.

    Actions are those of the game's `playout_action`, or with a `bot` its choices for all seats; the
    bot gets only observations.
    """

    def __init__(self, game: Game[S], rng: Random, bot: Bot | None = None) -> None:
        self._game = game
        self._rng = rng
        self._random = rng.random
        self._bot = bot
        self._heuristics = game.heuristics
        self._depth = self._heuristics.playout_depth
        # Avoid the calls for games that do not define these methods.
        kind = type(self._heuristics)
        self._may_end = kind.ends_playout is not Heuristics.ends_playout
        self._blocks = amount_blocks(game.actions)
        self._is_uniform = (
            kind.playout_action is Heuristics.playout_action
            and type(game).random_action is Game.random_action
        )
        self._in_c = playouts_in_c(game) if bot is None else None

    @property
    def is_in_c(self) -> bool:
        """Whether rules in C play, unless they give a state back."""
        return self._in_c is not None

    def mean_values(self, state: S, count: int) -> list[float]:
        """Return the mean values of all seats after `count` playouts of copies of a state.

        The value of a seat is its score at the end of the game, or the game's evaluation at the
        playout depth.
        """
        outcome = self.outcome(state, count)
        if outcome is not None:
            totals = zip(outcome.scores, outcome.evaluations, strict=True)
            return [(score + evaluation) / count for score, evaluation in totals]
        scores, evaluations = [0] * state.seats, [0.0] * state.seats
        for _ in range(count):
            copy = state.clone()
            self.play(copy)
            if copy.seat == OVER:
                for seat, score in enumerate(self._game.scores(copy)):
                    scores[seat] += score
            else:
                for seat, value in enumerate(self._heuristics.evaluate(copy)):
                    evaluations[seat] += value
        totals = zip(scores, evaluations, strict=True)
        return [(score + evaluation) / count for score, evaluation in totals]

    def outcome(self, state: S, count: int = 1, *, evaluates_end: bool = False) -> Outcome | None:
        """Return the values of playouts in C; the state stays.

        `evaluates_end`: the game's evaluation is asked at the end of a game, too. None if there are
        no rules in C, or if they give it back.
        """
        if self._in_c is None:
            return None
        outcome = self._in_c(state, self._rng, count, self._depth, evaluates_end)
        return None if outcome is None else Outcome(*outcome)

    def play(self, state: S) -> None:
        """Play a state to the end or to the playout depth, in place."""
        game, rng, bot, random = self._game, self._rng, self._bot, self._random
        heuristics = self._heuristics
        blocks = self._blocks
        # Asked first, because most playouts are of this kind.
        is_plain = bot is None and self._is_uniform and not blocks
        turns, seat, is_alone = 0, state.seat, state.seats == 1
        while seat != OVER:
            if seat == CHANCE:
                action = sample_action(game, state, rng)
            elif is_plain:
                legal = game.legal(state)  # inlined `random_action`
                action = legal[int(random() * len(legal))]
            elif bot is not None:
                action = bot.choose(Observation(game, state, seat))
            elif self._is_uniform:
                action = sample_grouped(game.legal(state), blocks, random)
            else:
                action = heuristics.playout_action(state, rng)
            game.apply(state, action)
            if state.pending_shuffles:
                resolve_shuffles(game, state, rng)
            # The depth counts changes of the seat to act, because a turn may consist of several
            # actions; with one seat it counts actions.
            if state.seat != seat or is_alone:
                seat = state.seat
                turns += 1
                if turns == self._depth or (self._may_end and heuristics.ends_playout(state)):
                    return


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

    def margins(self) -> tuple[float, int]:
        """Return the sum and the number of the margins that scale the values."""
        return 0.0, 0

    def use_margins(self, total: float, count: int) -> None:
        """Continue with a sum and a number of margins, unless values do not depend on them."""
        return

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
    def margins(self) -> tuple[float, int]:
        return self._sum, self._count

    @override
    def use_margins(self, total: float, count: int) -> None:
        self._sum, self._count = total, count

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
    def margins(self) -> tuple[float, int]:
        return self._values.margins()

    @override
    def use_margins(self, total: float, count: int) -> None:
        self._values.use_margins(total, count)

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

    def averages(self) -> tuple[float, list[float], list[float]]:
        """Return the number of values in the averages, and by seat the means and variances."""
        spreads = self._spreads
        return self._count, [s.mean for s in spreads], [s.variance for s in spreads]

    def use_averages(self, count: float, means: list[float], variances: list[float]) -> None:
        """Continue with averages."""
        self._count = count
        for spread, mean, variance in zip(self._spreads, means, variances, strict=True):
            spread.mean, spread.variance = mean, variance

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
