"""State of the live table of a match, updated at low cost."""

from collections import Counter, deque
from collections.abc import Callable, Sequence
from time import monotonic

from cardhub.match.blocks import Block, groups
from cardhub.match.match_spec import Contest, Match
from cardhub.match.run.match_state import MatchState
from cardhub.match.seat_scores import seat_scores
from cardhub.match.task import GameResult
from cardhub.stats import ConfidenceSequence, Estimate

SHARE = 0.015
"""Maximum share of the time for updating intervals; further scores wait."""
GRID = 201
"""Number of grid points of an interval."""
MOST_WAITING = 100
"""Maximum number of waiting scores; those of later deals are dropped regardless of value."""
WINDOW = 30.0
"""Window in seconds for the speed."""

Clock = Callable[[], float]


class Points:
    """Points of a contest's bots by deal, and their anytime-valid intervals.

    Deals are independent and identically distributed: in each, all groups of bots meet once. In
    races and after a withdrawal this does not hold, so there are no intervals.
    """

    def __init__(self, match: Match, contest: Contest) -> None:
        self.contest = contest
        self.bots = match.players_of(contest.id)
        self.total = 0 if match.order.mode == "racing" else match.order.blocks
        self.blocks = 0
        self._groups = len(groups(match, contest))
        self._is_even = match.order.mode != "racing"
        self._deal: dict[str, list[float]] = {bot: [] for bot in self.bots}
        self._met = 0
        self._waiting: deque[tuple[str, float]] = deque()
        self._watched: dict[str, ConfidenceSequence] = {}

    @property
    def all_blocks(self) -> int:
        """Number of blocks of the contest in its full schedule; 0 in a race."""
        return self.total * self._groups

    def block(self, results: Sequence[GameResult], *, is_anybody_gone: bool) -> None:
        """Add the next block of this contest."""
        self.blocks += 1
        self._is_even = self._is_even and not is_anybody_gone
        if not self._is_even:
            return
        for result in results:
            for bot, gained in zip(
                result.seats, seat_scores(result.places, self.contest.score), strict=True
            ):
                self._deal[bot].append(float(gained))
        self._met += 1
        if self._met == self._groups:
            self._end_deal()

    def catch_up(self) -> bool:
        """Add one waiting score to its interval; return whether there was one."""
        if not self._waiting:
            return False
        bot, score = self._waiting.popleft()
        if bot not in self._watched:
            self._watched[bot] = ConfidenceSequence(points=GRID)
        self._watched[bot].add(score)
        return True

    def interval(self, bot: str) -> Estimate | None:
        """Return the anytime-valid interval of a bot's mean points."""
        watched = self._watched.get(bot)
        return watched.interval() if watched is not None and self._is_even else None

    def _end_deal(self) -> None:
        for bot, gained in self._deal.items():
            if gained and len(self._waiting) < MOST_WAITING:
                most = 1.0  # rounding must not exceed a perfect score
                self._waiting.append((bot, min(sum(gained) / len(gained), most)))
            gained.clear()
        self._met = 0


class LiveState:
    """State of the live table; `clock` returns seconds."""

    def __init__(self, match: Match, clock: Clock = monotonic) -> None:
        self.match = match
        self.points = {contest.id: Points(match, contest) for contest in match.contests}
        self.state: MatchState | None = None
        self.faults: Counter[str] = Counter()
        self._clock = clock
        self._begun = clock()
        self._spent = 0.0
        self._played = 0
        self._samples: deque[tuple[float, int, int]] = deque([(self._begun, 0, 0)])

    @property
    def all_blocks(self) -> int:
        """Maximum number of blocks of the match."""
        if self.match.order.mode == "racing":
            return self.match.order.blocks
        return sum(points.all_blocks for points in self.points.values())

    @property
    def blocks(self) -> int:
        """Number of finished blocks."""
        return self.state.blocks if self.state else 0

    def block(self, block: Block, results: Sequence[GameResult]) -> None:
        """Add a finished block."""
        is_anybody_gone = bool(self.state and self.state.counts.withdrawn)
        self.points[block.contest].block(results, is_anybody_gone=is_anybody_gone)

    def game(self, *, is_new: bool) -> None:
        """Count a game, and update intervals within the share of time."""
        self._played += is_new
        now = self._clock()
        if not is_new:
            self._samples = deque([(now, 0, self.blocks)])
        elif now - self._samples[-1][0] > WINDOW / 30:
            self._samples.append((now, self._played, self.blocks))
            while self._samples[0][0] < now - WINDOW and len(self._samples) > 2:
                self._samples.popleft()
        self._catch_up(now)

    def speed(self) -> float | None:
        """Return the games per second, None if not known yet."""
        return self._rate(1)

    def left(self) -> float | None:
        """Return the maximum remaining seconds at the current speed."""
        rate = self._rate(2)
        return (self.all_blocks - self.blocks) / rate if rate else None

    def _rate(self, which: int) -> float | None:
        first, now = self._samples[0], self._clock()
        done = (0.0, self._played, self.blocks)[which] - first[which]
        return done / (now - first[0]) if done and now > first[0] + 1 else None

    def _catch_up(self, now: float) -> None:
        while self._spent < SHARE * (now - self._begun):
            if not any(points.catch_up() for points in self.points.values()):
                return
            later = self._clock()
            self._spent, now = self._spent + later - now, later
