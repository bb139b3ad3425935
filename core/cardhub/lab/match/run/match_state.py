"""State of a match: the upcoming games, given the results of all games before, and their counts.

The state is a function of the match and the results, so a match that is continued from its log, or
played by any number of workers, has the same games. The counts of games, scores and faults take
memory that does not grow with the match.
"""

from collections import Counter, deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from msgspec import Struct

from cardhub.base.errors import MatchError
from cardhub.lab.match.blocks import Block, Games, groups
from cardhub.lab.match.match_spec import FaultRules, Match
from cardhub.lab.match.run.rounds import RoundsRow
from cardhub.lab.match.run.schedule import (
    LATER,
    RoundsOrder,
    Schedule,
    SequentialTest,
    schedule_of,
    sequential_test,
)
from cardhub.lab.match.seat_scores import PairScore, TablePairs, exact_scores
from cardhub.lab.match.task import GameResult, GameTask
from cardhub.lab.match.variance.adjusted_scores import AdjustedScores, block_terms


class SeatCounts(Struct, frozen=True):
    """Counts of a bot at one seat, as `result.json` has them; `score` is a sum."""

    games: int
    score: float


class BotCounts(Struct, frozen=True):
    """Counts of a bot in one contest, as `result.json` has them; `score` is a sum."""

    games: int
    score: float
    mean_score: float | None
    absent: int
    faults: dict[str, int]
    seats: tuple[SeatCounts, ...]


class _Tally:
    """Exact counts of a bot in one contest; a bot in several seats of a game counts once for each.

    `absent` counts seats played by a substitute because the bot was withdrawn.
    """

    def __init__(self, players: int) -> None:
        self._games = [0] * players
        # By seat and denominator: shares of a place, such as 1/3, are summed without rounding, and
        # without the greatest common divisor that each addition of fractions computes.
        self._numerators: list[dict[int, int]] = [{} for _ in range(players)]
        self.faults: Counter[str] = Counter()
        self.absent = 0

    def add(self, seat: int, score: int | Fraction) -> None:
        """Count a game with this score."""
        self._games[seat] += 1
        parts, number = self._numerators[seat], score.denominator
        parts[number] = parts.get(number, 0) + score.numerator

    def row(self) -> BotCounts:
        """Return the counts as a row of the result."""
        games = sum(self._games)
        scores = [
            sum((Fraction(n, d) for d, n in parts.items()), Fraction(0))
            for parts in self._numerators
        ]
        total = sum(scores, Fraction(0))
        return BotCounts(
            games=games,
            score=float(total),
            mean_score=float(total / games) if games else None,
            absent=self.absent,
            faults=dict(self.faults),
            seats=tuple(map(SeatCounts, self._games, map(float, scores))),
        )


class MatchCounts:
    """Counts of games, scores and faults by contest, bot and seat; withdraws faulty bots."""

    def __init__(self, match: Match) -> None:
        self._rules: FaultRules = match.faults
        self._contests = {contest.id: contest for contest in match.contests}
        self._tallies = {
            contest.id: {bot: _Tally(contest.players) for bot in match.players_of(contest.id)}
            for contest in match.contests
        }
        self._games: Counter[str] = Counter()
        self._faulty: Counter[str] = Counter()
        self.games = self.steps = 0
        self.withdrawn: dict[str, int] = {}
        """Withdrawn bots, each with the number of games before it was withdrawn."""

    def record(self, result: GameResult) -> None:
        """Count the next game of the schedule."""
        self.games += 1
        self.steps += result.steps
        scores = exact_scores(result, self._contests[result.contest])
        tallies = self._tallies[result.contest]
        for seat, bot in enumerate(result.seats):
            if seat in result.absent:
                tallies[bot].absent += 1
            else:
                tallies[bot].add(seat, scores[seat])
        for note in result.faults:
            tallies[note.bot].faults[note.fault] += 1
        self._judge(result)

    def rows(self) -> dict[str, dict[str, BotCounts]]:
        """Return all counts by contest and bot."""
        return {
            contest: {bot: tally.row() for bot, tally in tallies.items()}
            for contest, tallies in self._tallies.items()
        }

    def bot(self, contest: str, bot: str) -> BotCounts:
        """Return the counts of one bot."""
        return self._tallies[contest][bot].row()

    def _judge(self, result: GameResult) -> None:
        self._games.update({bot for n, bot in enumerate(result.seats) if n not in result.absent})
        if not result.faults:
            return
        # A game counts once, even if the bot has several seats or faults in it.
        faulty = {note.bot for note in result.faults}
        self._faulty.update(faulty)
        # Sorted because the order of a set differs between processes, and withdrawals are logged.
        for bot in sorted(faulty):
            games, faults, rules = self._games[bot], self._faulty[bot], self._rules
            is_frequent = games >= rules.after and faults > rules.share * games
            if (faults > rules.most or is_frequent) and bot not in self.withdrawn:
                self.withdrawn[bot] = self.games


# Callback for each finished block with its results, without games dropped after withdrawals.
OnFinishedBlock = Callable[[Block, Sequence[GameResult]], object]


# Number of blocks without games that are planned ahead at a time.
SPARE = 64


@dataclass(slots=True)
class _Planned:
    """Planned block with its number in the schedule, its games and the results recorded."""

    number: int
    block: Block
    games: tuple[GameTask, ...]
    done: list[GameResult] = field(default_factory=list)


class MatchState:
    """State of a match: upcoming games and counts. Records results in the order of the schedule.

    `on_finished` is called with every finished block.
    """

    def __init__(
        self, match: Match, games: Games, on_finished: OnFinishedBlock = lambda block, results: None
    ) -> None:
        self._match = match
        self._games = games
        self._on_finished = on_finished
        self._schedule: Schedule = schedule_of(match)
        self._planned: deque[_Planned] = deque()
        self._is_scheduled = False
        self._numbered = 0
        self._stop = ""
        self._tables: dict[str, TablePairs] = {}
        self._less_luck: dict[str, AdjustedScores] = {}
        self.counts = MatchCounts(match)
        self.blocks = 0
        self.test = self._new_test()

    @property
    def stop(self) -> str:
        """Reason why the match ended before its schedule, or the empty string."""
        return self._stop

    @property
    def is_over(self) -> bool:
        """Whether all games are played."""
        return not self.upcoming(1)

    @property
    def is_between_blocks(self) -> bool:
        """Whether all blocks are either complete or not begun."""
        return not self.unfinished

    @property
    def next_block(self) -> int:
        """Number of the block in the schedule that comes next, or that has begun."""
        return self._planned[0].number if self._planned else self._numbered

    @property
    def unfinished(self) -> int:
        """Number of games recorded of a block that has begun."""
        return len(self._planned[0].done) if self._planned else 0

    def rounds(self) -> tuple[RoundsRow, ...]:
        """Return who met in rounds, by game; empty if the schedule has no rounds."""
        return self._schedule.rows() if isinstance(self._schedule, RoundsOrder) else ()

    def upcoming(self, most: int) -> list[GameTask]:
        """Return up to `most` of the next games, as far as they are determined."""
        while True:
            self._drop_empty()
            tasks = self._ahead(most)
            if tasks or not self._planned:
                return tasks

    def record(self, result: GameResult) -> None:
        """Record the result of the next game; raises MatchError for another game's result."""
        (task,) = self.upcoming(1) or (None,)
        if task is None or result.id != task.id:
            due = self._over() if task is None else f"game {task.id} comes next"
            raise MatchError(f"game {result.id} is out of place: {due}")
        if difference := next(task.differences(result), None):
            raise MatchError(f"game {result.id}: {difference}")
        self._drop_empty()  # planning ahead may have reached blocks without games
        self._planned[0].done.append(result)
        # Counted before the block is finished, because a withdrawal changes the remaining games.
        before = len(self.counts.withdrawn)
        self.counts.record(result)
        if len(self.counts.withdrawn) > before:
            self._replan()
        self._drop_empty()

    def _over(self) -> str:
        if self.stop:
            return f"the match is over ({self.stop})"
        fewer = "the match is over: the match file asks for fewer `blocks` than the log has"
        return f"{fewer}; fix: raise them again, or choose another folder with --out"

    def _new_test(self) -> SequentialTest | None:
        sprt = self._match.sprt
        if sprt is None:
            return None
        group = groups(self._match, self._match.contest(sprt.contest))[0]
        return sequential_test(self._match, self._games.size(sprt.contest, group))

    def _ahead(self, most: int) -> list[GameTask]:
        tasks: list[GameTask] = []
        number = 0
        while len(tasks) < most and number < most + SPARE:
            if number == len(self._planned) and not self._plan():
                break
            planned = self._planned[number]
            tasks += planned.games[len(planned.done) :][: most - len(tasks)]
            number += 1
        return tasks

    def _plan(self) -> bool:
        """Plan one more block; return False if there is none, or it is not determined yet."""
        block = None if self._is_scheduled or self._stop else self._schedule.next()
        if block is LATER or block is None:
            self._is_scheduled = self._is_scheduled or block is None
            return False
        games = self._games.of(block, self.counts.withdrawn, self._numbered)
        self._planned.append(_Planned(self._numbered, block, games))
        self._numbered += 1
        return True

    def _replan(self) -> None:
        for planned in self._planned:
            games = self._games.of(planned.block, self.counts.withdrawn, planned.number)
            done = len(planned.done)
            # Played games stay unchanged; a withdrawn bot has a substitute in the others.
            planned.games = planned.games[:done] + games[done:]

    def _drop_empty(self) -> None:
        while self._planned and len(self._planned[0].done) == len(self._planned[0].games):
            self._finish(self._planned.popleft())

    def _finish(self, planned: _Planned) -> None:
        block, results = planned.block, planned.done
        if results:
            self.blocks += 1
            self._on_finished(block, results)
        first, *others = block.bots
        is_needed = others and self._schedule.is_adaptive
        score = self._score(planned, (first, others[0])) if is_needed else None
        self._schedule.finish(block, score, self.counts.withdrawn)
        if self.test is not None:
            self._judge(self.test, planned)

    def _judge(self, test: SequentialTest, planned: _Planned) -> None:
        """End the match if its test is decided or can never be decided."""
        pair = test.rule.a, test.rule.b
        test.record(planned.block.contest, self._tested(planned, pair))
        withdrawn = [bot for bot in pair if bot in self.counts.withdrawn]
        if test.is_decided:
            self._stop = f"{pair[0]} against {pair[1]}: {test.verdict.value}"
        elif withdrawn:
            self._stop = f"{' and '.join(withdrawn)} withdrawn"
        if self._stop:
            # Blocks planned ahead are dropped, even if they are played: their number depends on the
            # number of workers.
            self._planned.clear()

    def _tested(self, planned: _Planned, pair: tuple[str, str]) -> float | None:
        contest = self._match.contest(planned.block.contest)
        bots = planned.block.bots
        if not contest.is_common or contest.is_mixed(bots) or bots[0] not in pair:
            score = self._score(planned, pair)
            return (
                self._with_terms(planned, pair, score) if self._match.corrects(contest) else score
            )
        if not self._is_evidence(planned, bots):
            return None
        tables = self._tables.setdefault(contest.id, TablePairs(contest))
        tables.add(planned.done)
        two_tables = tables.of(pair)
        return None if two_tables is None else two_tables.score()

    def _with_terms(
        self, planned: _Planned, pair: tuple[str, str], score: float | None
    ) -> float | None:
        if score is None:
            return None
        contest = self._match.contest(planned.block.contest)
        less_luck = self._less_luck.setdefault(contest.id, AdjustedScores())
        return less_luck.add(planned.block.deal, score, block_terms(planned.done, contest, pair))

    def _is_evidence(self, planned: _Planned, bots: Collection[str]) -> bool:
        """Return whether these bots played the whole block themselves."""
        block, results = planned.block, planned.done
        # A substitute's games do not count, nor do incomplete blocks: the deal would favour a bot.
        is_whole = len(results) == self._games.size(block.contest, block.bots)
        return is_whole and not any(
            result.seats[n] in bots for result in results for n in result.absent
        )

    def _score(self, planned: _Planned, pair: tuple[str, str]) -> float | None:
        """Return the score of a pair in a block, None if the two did not play all of it.

        Blocks with mixed partners do not compare a pair.
        """
        contest = self._match.contest(planned.block.contest)
        if contest.is_mixed(planned.block.bots) or not self._is_evidence(planned, pair):
            return None
        score = PairScore(*pair, contest)
        for result in planned.done:
            score.add(result)
        return score.value
