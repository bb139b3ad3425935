"""Live table of a match on a terminal: its progress, scores and their intervals.

It has no verdicts and no ranks, because they are computed together at the end of a match. The
intervals are for single bots and anytime-valid, so they may be watched. Each update costs little.
"""

import os
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from math import fsum
from time import monotonic
from typing import NamedTuple

from rich.console import Console, ConsoleDimensions, Group, JustifyMethod, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text
from typing_extensions import override

from cardhub.base.errors.quoting import printable
from cardhub.base.writing import amount, dollars, percent
from cardhub.bots.language.spending import SpendingMeter
from cardhub.lab.estimate import PointEstimate
from cardhub.lab.match.blocks import Block, count_blocks, groups
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

    Deals are independent and identically distributed: in each, all groups of bots meet once. This
    does not hold if results decide who meets, and after a withdrawal, so intervals are not shown.
    """

    def __init__(self, match: Match, contest: Contest) -> None:
        self.contest = contest
        self.bots = match.players_of(contest.id)
        self.blocks = 0
        self._level = match.rating.level
        self._groups = len(groups(match, contest))
        self._is_even = not match.order.is_adaptive
        self._deal: dict[str, list[float]] = {bot: [] for bot in self.bots}
        # Means with mixed partners; deals and intervals use only bots as their own partners.
        self._same, self._mixed = (dict.fromkeys(self.bots, Mean()) for _ in range(2))
        self._met = 0
        self._waiting: deque[tuple[str, float]] = deque()
        self._sequences: dict[str, ConfidenceSequence | AsymptoticSequence] = {}
        # In the full schedule; a race has none by contest.
        self.all_blocks = count_blocks(match, contest)

    def block(self, results: Sequence[GameResult], *, has_withdrawn: bool) -> None:
        """Add the next block of this contest."""
        self.blocks += 1
        if self.contest.partners == "mixed":
            self._add_means(results)
        # Once uneven, always uneven: later deals would be compared with deals of other groups.
        self._is_even = self._is_even and not has_withdrawn
        if not self._is_even:
            return
        is_mixed = bool(results) and results[0].has_mixed_partners
        for result in () if is_mixed else results:
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

    `clock` is a callback that returns seconds. `meter` counts what its language models have used.
    """

    def __init__(
        self, match: Match, clock: Clock = monotonic, meter: SpendingMeter | None = None
    ) -> None:
        self.match = match
        self.meter = meter
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


# Width below which the table has no intervals.
NARROW = 60
LLR_WIDTH = 21
# Refreshes per second.
REFRESHES = 2


INTERVAL = "anytime-valid"
# The columns, each with its alignment.
COLUMNS: dict[str, JustifyMethod] = {
    "game": "left",
    "bot": "left",
    "blocks": "right",
    "score": "right",
    INTERVAL: "left",
    "faults": "left",
}


def can_draw() -> bool:
    """Return whether stderr is a terminal that can redraw a table."""
    return sys.stderr.isatty() and os.environ.get("TERM", "") not in ("", "dumb", "unknown")


@contextmanager
def drawn_live(live_state: LiveState) -> Iterator[None]:
    """Draw the table of a match on stderr, until the match ends."""
    console = Console(stderr=True, highlight=False)
    live = Live(
        console=console,
        refresh_per_second=REFRESHES,
        get_renderable=lambda: render(live_state, console.size),
        transient=True,
    )
    live.start()
    try:
        yield
    except BaseException:
        live.transient = False  # keep the last table on the screen
        raise
    finally:
        with suppress(OSError):  # the terminal may have been closed
            live.stop()


def render(live_state: LiveState, size: ConsoleDimensions) -> RenderableType:
    """Return the live table as a rich object, fitted to the size of the terminal."""
    progress = Table.grid(expand=True)
    progress.add_row(ProgressBar(total=max(live_state.all_blocks, 1), completed=live_state.blocks))
    heading = f"{live_state.match.name}: {progress_text(live_state)}"
    above: list[RenderableType] = [_text(heading, "bold"), progress]
    below = [_text(line) for line in test_lines(live_state)]
    height = size.height - len(above) - len(below) - 2  # the heads, and the line of the cursor
    return Group(*above, _table(live_state, size.width, height), *below)


def _text(text: str, style: str = "") -> Text:
    # Not a plain string, which rich would parse as markup.
    return Text(printable(text), style)


def progress_text(live_state: LiveState) -> str:
    """Return how far a match is, with its speed and the time left."""
    spent = spent_text(live_state)
    if live_state.state is None:
        return f"asking its language models, {spent}" if spent else "reading its log"
    parts = [f"{live_state.blocks} of {amount(live_state.all_blocks, 'block')}"]
    parts.append(amount(live_state.state.counts.games, "game"))
    speed, remaining = live_state.speed(), live_state.left()
    if live_state.blocks >= live_state.all_blocks or live_state.state.stop:
        parts.append("computing the statistics")
    elif speed is not None:
        parts.append(f"{speed:.3g} games/s")
        # A sequential test or a race may end before the schedule.
        may_stop = live_state.match.sprt or live_state.match.order.mode == "racing"
        limit = "at most " if may_stop else ""
        parts += [] if remaining is None else [f"{limit}{clock(remaining)} left"]
    return ", ".join([*parts, spent] if spent else parts)


def spent_text(live_state: LiveState) -> str:
    """Return what the language models of a match have used so far; empty before any answer."""
    by_bot = live_state.meter.usage() if live_state.meter else {}
    if live_state.meter is None or not by_bot:
        return ""
    answers = amount(round(fsum(usage.answers for usage in by_bot.values())), "answer")
    tokens = amount(round(fsum(usage.tokens for usage in by_bot.values())), "token")
    is_priced = by_bot.keys() <= live_state.meter.prices.keys()
    return f"{answers} for {dollars(live_state.meter.cost(by_bot)) if is_priced else tokens}"


def _table(live_state: LiveState, width: int, height: int) -> Table:
    """Return a rich table with the bots of each game, as many rows as fit."""
    shown_columns = [head for head in COLUMNS if head != INTERVAL or width >= NARROW]
    table = Table(box=None, pad_edge=False, header_style="dim")
    for head in shown_columns:
        title, justify = column_head(live_state, head), COLUMNS[head]
        table.add_column(title, justify=justify, no_wrap=True, overflow="ellipsis")
    rows = [row for scores in live_state.scores.values() for row in table_rows(live_state, scores)]
    # A line that scrolls off the terminal could not be erased at the next refresh.
    shown = rows if len(rows) < height else rows[: max(height - 2, 0)]
    for row in shown:
        cells = dict(zip(COLUMNS, row, strict=True))
        table.add_row(*(_text(cells[head]) for head in shown_columns))
    if len(shown) < len(rows):
        table.add_row("", f"and {len(rows) - len(shown)} more")
    return table


def column_head(live_state: LiveState, column: str) -> str:
    """Return the head of a column; intervals have their level."""
    level = f"{percent(live_state.match.rating.level)} " if column == INTERVAL else ""
    return f"{level}{column}"


def table_rows(live_state: LiveState, scores: ContestScores) -> Iterator[tuple[str, ...]]:
    """Yield the cells of a row for each bot of a game, the best first."""
    if live_state.state is None:
        return
    counts = live_state.state.counts
    game, blocks = scores.contest.id, str(scores.blocks)
    form = "+.2f" if scores.contest.in_points else ".3f"
    # Bots without a score yet come last.
    means = {bot: _mean(live_state, scores, bot) for bot in scores.bots}
    for bot in sorted(means, key=lambda bot: (means[bot] is None, -(means[bot] or 0))):
        interval = scores.interval(bot)
        ends = [end for end in interval or () if end is not None][1:]
        bounds = " to ".join(format(end, form) for end in ends)
        row = counts.bot(scores.contest.id, bot)
        faults = [f"{count} {fault}" for fault, count in sorted(row.faults.items())]
        faults += ["withdrawn"] if bot in counts.withdrawn else []
        mean = _number(_mean(live_state, scores, bot), form)
        yield game, bot, blocks, mean, bounds, ", ".join(faults)
        game = blocks = ""  # only in the first row of a game
        mixed = scores.mean_with_others(bot)
        if mixed is not None:
            yield "", f"{bot} with others", "", _number(mixed, form), "", ""


def _mean(live_state: LiveState, scores: ContestScores, bot: str) -> float | None:
    if scores.contest.partners == "mixed":
        return scores.mean(bot)
    counts = live_state.state.counts if live_state.state else None
    return counts.bot(scores.contest.id, bot).mean_score if counts else None


def _number(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def test_lines(live_state: LiveState) -> Iterator[str]:
    """Yield the state of the sequential test, if the match has one, and its scale."""
    test = live_state.state.test if live_state.state else None
    if test is None:
        return
    state = test.state()
    low, high = state.bounds
    yield f"{state.a} against {state.b} in {state.game}: {state.verdict}"
    yield f"LLR {state.llr:.2f}: {low:.2f} {scale(state.llr, low, high)} {high:.2f}"


def scale(value: float, low: float, high: float) -> str:
    """Return a scale as a string, with the position of a value between two bounds."""
    # The LLR may overshoot the bound that ends the test.
    share = min(max((value - low) / (high - low), 0), 1)
    index = round(share * (LLR_WIDTH - 1))
    return "".join("o" if n == index else "-" for n in range(LLR_WIDTH))


def clock(seconds: float) -> str:
    """Return seconds as a string of hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
