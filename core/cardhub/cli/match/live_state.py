"""Progress of a running match, its scores and their intervals, updated at low cost."""

from collections import deque
from collections.abc import Callable, Sequence
from math import fsum
from time import monotonic
from typing import NamedTuple

from typing_extensions import override

from cardhub.lab.estimate import PointEstimate
from cardhub.lab.match.blocks import Block, groups
from cardhub.lab.match.match_spec import Contest, Match
from cardhub.lab.match.run.match_state import MatchState
from cardhub.lab.match.run.runner import Watcher
from cardhub.lab.match.seat_scores import float_scores, partners_score
from cardhub.lab.match.task import GameResult, Timing
from cardhub.lab.stats import AsymptoticSequence, ConfidenceSequence

# Maximum share of the time for updating intervals; further scores wait.
SHARE = 0.015
# Number of grid points of an interval.
GRID = 201
# Maximum number of waiting scores; scores of later deals are dropped, regardless of value.
MOST_WAITING = 100
# Window in seconds for the speed.
WINDOW = 30.0

Clock = Callable[[], float]


class Mean(NamedTuple):
    """A running mean."""

    total: float = 0.0
    games: int = 0

    @property
    def value(self) -> float | None:
        """The mean, None without summands."""
        return self.total / self.games if self.games else None

    def plus(self, score: float) -> "Mean":
        """Return the mean with one more summand."""
        return Mean(self.total + score, self.games + 1)


class ContestScores:
    """Mean scores of a contest's bots by deal, and their anytime-valid intervals.

    Deals are independent and identically distributed: in each, all groups of bots meet once. In
    races and after a withdrawal this does not hold, so intervals are not shown.
    """

    def __init__(self, match: Match, contest: Contest) -> None:
        self.contest = contest
        self.bots = match.players_of(contest.id)
        self.blocks = 0
        self._level = match.rating.level
        self._groups = len(groups(match, contest))
        self._is_even = match.order.mode != "racing"
        self._deal: dict[str, list[float]] = {bot: [] for bot in self.bots}
        # Means with mixed partners; deals and intervals use only bots as their own partners.
        self._same, self._mixed = (dict.fromkeys(self.bots, Mean()) for _ in range(2))
        self._met = 0
        self._waiting: deque[tuple[str, float]] = deque()
        self._sequences: dict[str, ConfidenceSequence | AsymptoticSequence] = {}
        # In the full schedule; a race has none by contest.
        self.all_blocks = match.order.blocks * self._groups if self._is_even else 0

    def block(self, results: Sequence[GameResult], *, has_withdrawn: bool) -> None:
        """Add the next block of this contest."""
        self.blocks += 1
        if self.contest.partners == "mixed":
            self._add_means(results)
        # Once uneven, always uneven: later deals would be compared with deals of other groups.
        self._is_even = self._is_even and not has_withdrawn
        if not self._is_even:
            return
        for result in results if not self._is_mixed(results) else ():
            scores = float_scores(result, self.contest)
            for bot, score in zip(result.seats, scores, strict=True):
                self._deal[bot].append(score)
        self._met += 1
        if self._met == self._groups:
            self._end_deal()

    def catch_up(self) -> bool:
        """Add one score of the queue to its interval; return False if the queue is empty."""
        if not self._waiting:
            return False
        bot, score = self._waiting.popleft()
        if bot not in self._sequences:
            in_points = self.contest.in_points
            self._sequences[bot] = (
                AsymptoticSequence(self._level)
                if in_points
                else ConfidenceSequence(self._level, points=GRID)
            )
        self._sequences[bot].add(score)
        return True

    def interval(self, bot: str) -> PointEstimate | None:
        """Return the interval of a bot's mean score, if it has scores and the schedule is even."""
        sequence = self._sequences.get(bot)
        return sequence.interval() if sequence is not None and self._is_even else None

    def mean(self, bot: str) -> float | None:
        """Return the mean score of a bot as its own partner; only with `partners: mixed`."""
        return self._same[bot].value

    def mean_with_others(self, bot: str) -> float | None:
        """Return the mean score of a bot with others as partners."""
        return self._mixed[bot].value

    def _is_mixed(self, results: Sequence[GameResult]) -> bool:
        return bool(results) and results[0].has_mixed_partners

    def _add_means(self, results: Sequence[GameResult]) -> None:
        for result in results:
            if not result.has_mixed_partners:
                scores = zip(result.seats, float_scores(result, self.contest), strict=True)
                for bot, score in scores:
                    self._same[bot] = self._same[bot].plus(score)
                continue
            partners = result.bots[:2]
            score = partners_score(result, self.contest, partners)
            for bot in partners:
                self._mixed[bot] = self._mixed[bot].plus(score)

    def _end_deal(self) -> None:
        for bot, scores in self._deal.items():
            if scores and len(self._waiting) < MOST_WAITING:
                mean = fsum(scores) / len(scores)
                if not self.contest.in_points:
                    mean = min(mean, 1.0)  # rounding may exceed a perfect score
                self._waiting.append((bot, mean))
            scores.clear()
        self._met = 0


class Sample(NamedTuple):
    """Counts of games and blocks at a time in seconds."""

    time: float
    games: int
    blocks: int


class LiveState(Watcher):
    """Watcher with the data of the live table, which another thread renders.

    `clock` is a callback that returns seconds.
    """

    def __init__(self, match: Match, clock: Clock = monotonic) -> None:
        self.match = match
        self.scores = {contest.id: ContestScores(match, contest) for contest in match.contests}
        self.state: MatchState | None = None
        self._clock = clock
        self._begun = clock()
        self._spent = 0.0
        self._played = 0
        self._samples = deque([Sample(self._begun, 0, 0)])

    @property
    def all_blocks(self) -> int:
        """Maximum number of blocks of the match."""
        if self.match.order.mode == "racing":
            return self.match.order.blocks
        return sum(scores.all_blocks for scores in self.scores.values())

    @property
    def blocks(self) -> int:
        """Number of finished blocks."""
        return self.state.blocks if self.state else 0

    @override
    def begin(self, state: MatchState) -> None:
        self.state = state

    @override
    def block(self, block: Block, results: Sequence[GameResult]) -> None:
        has_withdrawn = bool(self.state and self.state.counts.withdrawn)
        self.scores[block.contest].block(results, has_withdrawn=has_withdrawn)

    @override
    def game(self, result: GameResult, timing: Timing | None) -> None:
        self.count_game(is_new=timing is not None)

    @override
    def wait(self) -> None:
        pass  # the table has its own thread

    def count_game(self, *, is_new: bool) -> None:
        """Count a game; `is_new` is False if it was read from the log."""
        self._played += is_new
        now = self._clock()
        # Games read from the log take no time: the speed is measured from the last of them on.
        if not is_new:
            self._samples = deque([Sample(now, 0, self.blocks)])
        elif now - self._samples[-1].time > WINDOW / 30:
            self._samples.append(Sample(now, self._played, self.blocks))
            # Two samples stay even if a game takes longer than the window: the newest alone has no
            # speed.
            while self._samples[0].time < now - WINDOW and len(self._samples) > 2:
                self._samples.popleft()
        self._catch_up(now)

    def speed(self) -> float | None:
        """Return the games per second, None if not known yet."""
        return self._rate(self._played - self._samples[0].games)

    def left(self) -> float | None:
        """Return the maximum remaining seconds at the current speed, None if not known yet."""
        rate = self._rate(self.blocks - self._samples[0].blocks)
        return (self.all_blocks - self.blocks) / rate if rate else None

    def _rate(self, done: int) -> float | None:
        seconds = self._clock() - self._samples[0].time
        # In the first second the speed would jump with every game.
        return done / seconds if done and seconds > 1 else None

    def _catch_up(self, now: float) -> None:
        # An update takes longer than a fast game: unlimited, updates would slow the match down.
        while self._spent < SHARE * (now - self._begun):
            if not any(scores.catch_up() for scores in self.scores.values()):
                return
            later = self._clock()
            self._spent, now = self._spent + later - now, later
