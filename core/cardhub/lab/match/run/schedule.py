"""Schedules: the order of blocks, fixed or adaptive, and the statistics that end a match."""

from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct
from typing_extensions import override

from cardhub.lab.match.blocks import Block, groups, rivals
from cardhub.lab.match.match_spec import Contest, Match, Order, SprtRule
from cardhub.lab.match.run.rounds import Encounter, RoundsRow, places, rounds_of

if TYPE_CHECKING:
    from cardhub.lab.stats import Hypotheses, Verdict


class Later(Enum):
    """Type of the sentinel object: the next block depends on unfinished blocks."""

    LATER = "later"


LATER = Later.LATER


class Schedule(Protocol):
    """Sequence of blocks, requested one by one before they are played.

    It depends on the match and the finished blocks only, never on how far ahead blocks are
    requested.
    """

    is_adaptive: bool
    """Whether it depends on the scores of blocks."""

    def next(self) -> Block | Later | None:
        """Return the next block, LATER if it is not determined yet, None after the last one."""
        ...

    def finish(self, block: Block, score: float | None, withdrawn: Collection[str]) -> None:
        """Record the next finished block, in the order of the schedule.

        `score` is the score of its first bot against its second, None if it does not count or the
        schedule is not adaptive; `withdrawn` are the withdrawn bots.
        """
        ...


class Chooser(Protocol):
    """Interface of adaptive schedules: selects the next pair from the recorded scores."""

    def record(self, pair: tuple[str, str], score: float) -> None:
        """Record the score of a block of this pair, from its first bot's view."""
        ...

    def next_pair(self, without: Collection[str]) -> tuple[str, str] | None:
        """Return the next pair, without these bots; None if all orders are determined."""
        ...


class FixedOrder(Schedule):
    """Fixed schedule: deal by deal, contest by contest, one block for each group of bots."""

    is_adaptive = False

    def __init__(self, match: Match) -> None:
        self._blocks = _in_turn(match)

    @override
    def next(self) -> Block | None:
        return next(self._blocks, None)

    @override
    def finish(self, block: Block, score: float | None, withdrawn: Collection[str]) -> None:
        pass  # the order is fixed


class RaceOrder(Schedule):
    """Adaptive schedule: `batch` blocks at a time for the pair of a chooser, contest by contest."""

    is_adaptive = True

    def __init__(self, choosers: Mapping[str, Chooser], blocks: int, batch: int) -> None:
        self._choosers = dict(choosers)
        self._blocks, self._batch = blocks, batch
        self._scheduled = self._recorded = 0
        self._finished: deque[tuple[Block, float | None, frozenset[str]]] = deque()
        self._withdrawn: frozenset[str] = frozenset()
        self._turns = deque(choosers)
        self._deals: Counter[tuple[str, tuple[str, ...]]] = Counter()
        self._current: tuple[str, tuple[str, ...]] | None = None

    @override
    def next(self) -> Block | Later | None:
        if self._scheduled >= self._blocks:
            return None
        # A batch is chosen from the scores before the previous batch, even if later scores are
        # available: this keeps many workers busy, and the schedule independent of their number.
        if self._scheduled % self._batch == 0:
            if self._recorded + len(self._finished) < self._scheduled - self._batch:
                return LATER
            self._current = self._choose()
        if self._current is None:
            return None
        self._scheduled += 1
        self._deals[self._current] += 1
        contest, bots = self._current
        return Block(contest, self._deals[self._current] - 1, bots)

    @override
    def finish(self, block: Block, score: float | None, withdrawn: Collection[str]) -> None:
        self._finished.append((block, score, frozenset(withdrawn)))

    def _choose(self) -> tuple[str, tuple[str, ...]] | None:
        while self._recorded < self._scheduled - self._batch:
            self._record(*self._finished.popleft())
        while self._turns:
            contest = self._turns.popleft()
            pair = self._choosers[contest].next_pair(self._withdrawn)
            # Contests take turns; a contest whose orders are all determined drops out.
            if pair is not None:
                self._turns.append(contest)
                return contest, pair
        return None

    def _record(self, block: Block, score: float | None, withdrawn: frozenset[str]) -> None:
        self._recorded += 1
        # As of this block, because later withdrawals depend on the number of workers.
        self._withdrawn = withdrawn
        if score is not None:
            self._choosers[block.contest].record((block.bots[0], block.bots[1]), score)


class RoundsOrder(Schedule):
    """Adaptive schedule in rounds: all blocks of a round are played before the next is planned.

    All pairs of a round play the same deals, which no other round has.
    """

    is_adaptive = True

    def __init__(self, match: Match) -> None:
        self._mode = match.order.mode
        self._even = {contest.id: contest.even for contest in match.contests}
        self._rounds = {contest.id: rounds_of(match, contest) for contest in match.contests}
        self._queue: deque[tuple[Block, Encounter]] = deque()
        self._open: deque[Encounter] = deque()
        self._deals = Counter[str]()
        self._withdrawn: frozenset[str] = frozenset()

    @override
    def next(self) -> Block | Later | None:
        if not self._queue and not self._open:
            self._plan()
        if not self._queue:
            return LATER if self._open else None
        block, encounter = self._queue.popleft()
        self._open.append(encounter)
        return block

    @override
    def finish(self, block: Block, score: float | None, withdrawn: Collection[str]) -> None:
        encounter = self._open.popleft()
        self._withdrawn = frozenset(withdrawn)
        if score is not None:
            encounter.leads.append(score - self._even[block.contest])

    def rows(self) -> tuple[RoundsRow, ...]:
        """Return who met and the places, by game."""
        return tuple(
            RoundsRow(
                game=game,
                mode=self._mode,
                encounters=tuple(row.row(self._even[game]) for row in rounds.encounters),
                places=places(rounds.points()),
            )
            for game, rounds in self._rounds.items()
        )

    def _plan(self) -> None:
        waves = {game: rounds.next_wave(self._withdrawn) for game, rounds in self._rounds.items()}
        # Deal by deal, because a deal is secret until all pairs have played it.
        for number in range(max((wave.deals for wave in waves.values() if wave), default=0)):
            for game, wave in waves.items():
                if wave is None or number >= wave.deals:
                    continue
                for encounter in wave.encounters:
                    block = Block(game, self._deals[game], encounter.bots)
                    self._queue.append((block, encounter))
                self._deals[game] += 1


def _in_turn(match: Match) -> Iterator[Block]:
    meetings: Sequence[tuple[str, tuple[str, ...]]] = [
        (contest.id, bots) for contest in match.contests for bots in groups(match, contest)
    ]
    for deal in range(match.order.blocks):
        for contest, bots in meetings:
            yield Block(contest, deal, bots)


class SprtState(Struct, frozen=True):
    """State of the sequential test; a part of the schema of `result.json`."""

    a: str
    b: str
    game: str
    model: str
    elo: tuple[float, float]
    verdict: str
    blocks: int
    llr: float
    bounds: tuple[float, float]


class SequentialTest:
    """Sequential test that ends a match, updated with blocks in the order of the schedule.

    `has_terms`: scores have terms against luck, so they are not limited to 0 to 1.
    """

    def __init__(
        self, rule: SprtRule, games: int, contest: Contest, *, has_terms: bool = False
    ) -> None:
        from cardhub.lab.stats import Sprt

        self.rule = rule
        self.even = contest.even
        # Unlimited scores are tested as differences in points are, around 0.
        self._middle = contest.even if has_terms else 0.0
        # For two players a block has finitely many scores: wins, draws and losses of its games.
        is_finite = contest.parties == 2 and not contest.in_points and not has_terms
        support = tuple(n / (2 * games) for n in range(2 * games + 1)) if is_finite else ()
        in_points = contest.in_points or has_terms
        self.sprt = Sprt(_hypotheses(rule, games, in_points=in_points), support)

    def record(self, contest: str, score: float | None) -> None:
        """Record the score of `a` against `b` in a block, None if it does not count."""
        if contest == self.rule.contest and score is not None:
            self.sprt.add(score - self._middle)

    def count(self, score: float) -> None:
        """Record a score without a verdict; `sprt.judge` gives it after the last one."""
        self.sprt.tally.add(score - self._middle)

    @property
    def verdict(self) -> "Verdict":
        """Current verdict of the test."""
        return self.sprt.verdict

    @property
    def is_decided(self) -> bool:
        """Whether the test has reached a bound."""
        from cardhub.lab.stats import Verdict

        return self.verdict is not Verdict.UNDECIDED

    def state(self) -> SprtState:
        """Return the state of the test for the result."""
        return SprtState(
            a=self.rule.a,
            b=self.rule.b,
            game=self.rule.contest,
            model=self.rule.model,
            elo=self.rule.elo,
            verdict=self.verdict.value,
            blocks=self.sprt.tally.blocks,
            llr=self.sprt.llr,
            bounds=self.sprt.hypotheses.bounds,
        )


class RaceChooser(Chooser):
    """Chooser of the pair whose order is least certain."""

    def __init__(self, bots: Sequence[str], order: Order, level: float, *, in_points: bool) -> None:
        from cardhub.lab.stats import Race

        self._bots = list(bots)
        numbers = range(len(self._bots))
        self._race = Race(numbers, level, order.margin, in_points=in_points)

    @override
    def record(self, pair: tuple[str, str], score: float) -> None:
        one, other = pair
        self._race.add((self._bots.index(one), self._bots.index(other)), score)

    @override
    def next_pair(self, without: Collection[str]) -> tuple[str, str] | None:
        withdrawn = [number for number, bot in enumerate(self._bots) if bot in without]
        pair = self._race.next_pair(withdrawn)
        return None if pair is None else (self._bots[pair[0]], self._bots[pair[1]])


def sequential_test(match: Match, games: int) -> SequentialTest | None:
    """Return the test of a match with `games` per block, or None if it has no test."""
    if match.sprt is None:
        return None
    contest = match.contest(match.sprt.contest)
    return SequentialTest(match.sprt, games, contest, has_terms=match.corrects(contest))


def schedule_of(match: Match) -> Schedule:
    """Return the schedule of a match."""
    if match.order.has_rounds:
        return RoundsOrder(match)
    if match.order.mode != "racing":
        return FixedOrder(match)
    level = race_level(match)
    choosers: dict[str, Chooser] = {
        c.id: RaceChooser(rivals(match, c), match.order, level, in_points=c.in_points)
        for c in match.contests
    }
    return RaceOrder(choosers, match.order.blocks, match.order.batch)


def race_level(match: Match) -> float:
    """Return the confidence level in each game of a race that makes all verdicts hold jointly.

    Games share the error rate evenly: the schedule of each depends on its own results only.
    """
    return 1 - (1 - match.order.level) / len(match.contests)


def _hypotheses(rule: SprtRule, games: int, *, in_points: bool) -> "Hypotheses":
    from cardhub.lab.stats import Hypotheses, score_of_elo

    model, (low, high) = rule.model, rule.elo
    if in_points and model == "logistic":
        model, low, high = "points", score_of_elo(low) - 0.5, score_of_elo(high) - 0.5
    return Hypotheses(low, high, rule.alpha, rule.beta, model, games, in_points)
