"""Plan and run a review: a stronger search rates the decisions of a match."""

from bisect import insort
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, zip_longest
from pathlib import Path
from random import Random
from time import monotonic
from typing import NamedTuple

from cardhub.base.errors import BotFaultError, MatchError, OptionError, SolvingError
from cardhub.base.writing import listed
from cardhub.bots.bot import Comparer
from cardhub.bots.deadline import record_signals
from cardhub.bots.spec import parse_spec
from cardhub.lab.analysis.bot_policies import can_ask
from cardhub.lab.analysis.review.decision_rating import RatingTask, confirm, replay_of, screen
from cardhub.lab.analysis.review.exact_rating import solved_table
from cardhub.lab.analysis.review.review_file import (
    ReviewWriter,
    candidates,
    key_of,
    open_review,
)
from cardhub.lab.analysis.review.review_schema import (
    FORMAT,
    Choice,
    ReviewedSeat,
    ReviewHeader,
    ReviewLine,
)
from cardhub.lab.analysis.review.weighted_rating import has_beliefs
from cardhub.lab.analysis.totals import margin_of
from cardhub.lab.match.log.log_reader import GAMES, explained, read_games, read_header
from cardhub.lab.match.log.lookup import match_in
from cardhub.lab.match.match_spec import Contest, Match
from cardhub.lab.match.provenance import game_versions
from cardhub.lab.match.run.executors import MakeExecutor
from cardhub.lab.match.task import GameResult
from cardhub.model.game.initial_state import game_scoring
from cardhub.play.advice import loss_unit
from cardhub.play.host.replays.replay import Replay
from cardhub.plugins.registry import PluginRegistry


class SampledSeat(NamedTuple):
    """A seat to review; `order` sorts the seats of a bot."""

    order: tuple[int, str]
    seat: int
    result: GameResult
    chosen_by: Choice


class SeatSample:
    """Selects seats of bots in contests: `most` random seats of each bot, and `worst` losses.

    Ids of games are hashes, so the games with the lowest ids are a random sample. The seats at a
    table get equal numbers of games.
    """

    def __init__(
        self, match: Match, contests: Sequence[str], bots: Sequence[str], most: int, worst: int
    ) -> None:
        self._match = match
        self._keys = [(contest, bot) for contest in contests for bot in bots]
        self._most, self._worst = most, worst
        self._by_seat: dict[tuple[str, str, int], list[SampledSeat]] = {}
        self._lost: dict[tuple[str, str], list[SampledSeat]] = {}

    def add(self, result: GameResult) -> None:
        """Consider a game of the log; it is kept in memory only while it is selected."""
        for seat, bot in enumerate(result.seats):
            key = result.contest, bot
            # A seat of a withdrawn bot has only decisions of its substitute.
            if key in self._keys and seat not in result.absent:
                sampled = SampledSeat((0, result.id), seat, result, "sample")
                _insert(self._by_seat.setdefault((*key, seat), []), sampled, self._most)
                self._add_loss(key, seat, result)

    def plan(self) -> list[SampledSeat]:
        """Return the seats in the order of the review: all bots advance together."""
        sampled = {key: list(self._sampled(key)) for key in self._keys}
        chosen = {(item.result.id, item.seat) for row in sampled.values() for item in row}
        lost = [
            [item for item in self._lost.get(key, ()) if (item.result.id, item.seat) not in chosen]
            for key in self._keys
        ]
        return [*_interleaved(sampled.values()), *_interleaved(lost)]

    def _sampled(self, key: tuple[str, str]) -> Sequence[SampledSeat]:
        by_seat = [row for (*bot_key, _), row in self._by_seat.items() if tuple(bot_key) == key]
        # Sorted by the lowest id, so no seat is always the first.
        return list(_interleaved(sorted(by_seat)))[: self._most]

    def _add_loss(self, key: tuple[str, str], seat: int, result: GameResult) -> None:
        margin = _margin(self._match.contest(result.contest), result, seat)
        if margin is not None and self._worst:
            sampled = SampledSeat((margin, result.id), seat, result, "result")
            _insert(self._lost.setdefault(key, []), sampled, self._worst)


def _margin(contest: Contest, result: GameResult, seat: int) -> int | None:
    """Return the lead of a seat over its best rival in points, or None unless it is negative.

    In a common cause, return the score of the table, negated if low scores win.
    """
    if contest.is_common:
        score = result.scores[seat]
        return -score if contest.lowest_wins else score
    teams = result.teams or result.sides or tuple(range(len(result.seats)))
    rivals = [other for other, team in enumerate(teams) if team != teams[seat]]
    margins = [margin_of(result, seat, rival) for rival in rivals]
    comparable = [margin for margin in margins if margin is not None]
    return min(comparable) if comparable and min(comparable) < 0 else None


def _insert(row: list[SampledSeat], sampled: SampledSeat, most: int) -> None:
    insort(row, sampled, key=lambda item: (item.order, item.seat))
    del row[most:]


def _interleaved(rows: Iterable[Sequence[SampledSeat]]) -> Iterator[SampledSeat]:
    for several in zip_longest(*rows):
        yield from (sampled for sampled in several if sampled is not None)


# The default reviewer has at least LEAST iterations, and STRONGER times the iterations of the bots.
LEAST, STRONGER = 1000, 4
# The bots whose first option is a number of iterations.
SEARCHES = ("ismcts", "pimc")


class ReviewRequest(NamedTuple):
    """The arguments of a review; the match fills empty ones, and ReviewHeader has the result."""

    bots: tuple[str, ...] = ()
    contests: tuple[str, ...] = ()
    reviewer: str = ""
    seats: int = 4
    worst: int = 0
    mistakes: int = 5


class ReviewPlan(NamedTuple):
    """The seats to review in a match, in order; `header` identifies the review."""

    match: Match
    header: ReviewHeader
    seats: tuple[SampledSeat, ...]


def plan_review(folder: Path, registry: PluginRegistry, request: ReviewRequest) -> ReviewPlan:
    """Return the plan of a review of the match in a folder; the same log gives the same plan.

    Raises MatchError, or PluginError or OptionError for a game or reviewer that is not installed.
    """
    match = match_in(folder)
    bots = request.bots or tuple(entrant.id for entrant in match.entrants)
    reviewer = request.reviewer or default_reviewer(match, registry)
    contests = reviewed_contests(match, registry, request)
    _refuse_suites(match, contests)
    _check_reviewer(match, registry, contests, reviewer)
    sample, games = SeatSample(match, contests, bots, request.seats, request.worst), 0
    for _, result in read_games(folder):
        sample.add(result)
        games += 1
    seats = tuple(sample.plan())
    # A search that was named rates all contests.
    exact = () if request.reviewer else tuple(_exact_contests(match, registry, contests))
    weighted = () if request.reviewer else _weighted_contests(match, registry, contests, exact)
    if not seats:
        raise MatchError(
            f"{folder / GAMES}: there is no game to review: these bots have not played yet"
        )
    header = ReviewHeader(
        cardhub_review=FORMAT,
        match=read_header(folder)["sha256"],
        games=games,
        reviewer=reviewer,
        bots=bots,
        contests=contests,
        seats=request.seats,
        worst=request.worst,
        mistakes=request.mistakes,
        planned=len(seats),
        versions=game_versions([match.contest(contest) for contest in contests], registry),
        exact=exact,
        asked=_asked_bots(match, registry, (*exact, *weighted)),
        weighted=weighted,
    )
    return ReviewPlan(match, header, seats)


def _exact_contests(
    match: Match, registry: PluginRegistry, contests: Sequence[str]
) -> Iterator[str]:
    """Yield the contests that are small enough to be rated exactly."""
    for contest in contests:
        with suppress(SolvingError):
            solved_table(match.contest(contest), registry)
            yield contest


def _weighted_contests(
    match: Match, registry: PluginRegistry, contests: Sequence[str], exact: Sequence[str]
) -> tuple[str, ...]:
    """Return the other contests in which what a seat did can weigh its cards."""
    return tuple(
        contest
        for contest in contests
        if contest not in exact and has_beliefs(registry.game(match.contest(contest).game))
    )


def _asked_bots(match: Match, registry: PluginRegistry, contests: Sequence[str]) -> tuple[str, ...]:
    """Return the bots that are asked how they would act in other positions."""
    games = {
        entrant.id: [match.contest(name).game for name in contests if name in entrant.plays]
        for entrant in match.entrants
    }
    return tuple(
        bot
        for bot, played in games.items()
        if played and all(can_ask(registry, match, bot, game) for game in played)
    )


def reviewed_contests(
    match: Match, registry: PluginRegistry, request: ReviewRequest
) -> tuple[str, ...]:
    """Return the contests of a request; by default all that its reviewer can rate.

    If it can rate none, return all contests: the error for the first contest gives the reason.
    """
    if request.contests:
        return request.contests
    name = parse_spec(request.reviewer or default_reviewer(match, registry)).name
    ratable = [
        contest.id
        for contest in match.contests
        if not contest.openings and _can_rate(name, contest.game, registry)
    ]
    return tuple(ratable or (contest.id for contest in match.contests))


def _refuse_suites(match: Match, contests: Sequence[str]) -> None:
    """Raise MatchError for games that begin at positions of a suite."""
    # Ratings weigh hidden cards by what bots did before, and here it was done by others.
    if names := [contest for contest in contests if match.contest(contest).openings]:
        raise MatchError(
            f"decisions in {listed(names)} cannot be reviewed, because its games begin at "
            "positions of a suite, and other players acted before"
        )


def _can_rate(bot: str, game: str, registry: PluginRegistry) -> bool:
    # Any other reason why a bot cannot play a game is an error.
    has_determinizations = not registry.game(game).no_determinizations
    return has_determinizations or registry.has_bot(bot, game)


def default_reviewer(match: Match, registry: PluginRegistry) -> str:
    """Return the spec of a search with several times the iterations of every search in a match."""
    most = LEAST
    for entrant in match.entrants:
        name = parse_spec(entrant.use).name
        if name in SEARCHES:
            game = match.contest(entrant.plays[0]).game
            iterations = registry.settings_of(entrant.use, game).number("iterations")
            most = max(most, STRONGER * iterations)
    return f"{SEARCHES[0]}:iterations={most}"


def _check_reviewer(
    match: Match, registry: PluginRegistry, contests: Sequence[str], reviewer: str
) -> None:
    for contest in contests:
        game = match.contest(contest).game
        registry.game(game)
        if any(part.looks_at_clock for part in registry.parts(reviewer, game)):
            raise OptionError(
                f"{reviewer} looks at the clock: its ratings differ from run to run\n"
                "fix: give it a number of iterations instead"
            )
        if not isinstance(registry.make_bot(reviewer, game, Random(0)), Comparer):
            raise OptionError(
                f"{reviewer} cannot rate an action that it would not choose\n"
                "fix: --with ismcts:2000, or implement cardhub.Comparer"
            )


# Share of the time limit after which no further decision is screened.
SCREENING = 0.6


@dataclass(frozen=True, slots=True)
class ReviewOptions:
    """How a review runs; the options do not change its lines.

    `ahead` is the number of decisions in flight. After `seconds` no further decision is rated.
    `on_progress` is called with the stage, the number of finished seats or decisions, and the
    total.
    """

    make: MakeExecutor
    ahead: int = 1
    seconds: float | None = None
    is_fresh: bool = False
    on_progress: Callable[[str, int, int], object] = lambda stage, done, total: None


def run_review(
    folder: Path, plan: ReviewPlan, directories: tuple[Path, ...], options: ReviewOptions
) -> None:
    """Review the match in a folder by a plan, or continue its review.

    Plugins are also loaded from `directories`. Raises MatchError.
    """
    with open_review(folder, plan.header, is_fresh=options.is_fresh) as writer:
        _Review(plan, directories, writer, options).run(folder)


class _Review:
    def __init__(
        self,
        plan: ReviewPlan,
        directories: tuple[Path, ...],
        writer: ReviewWriter,
        options: ReviewOptions,
    ) -> None:
        self._match = plan.match
        self._header = plan.header
        self._seats = plan.seats
        self._directories = directories
        self._writer = writer
        self._options = options
        self._begun = monotonic()
        self._results = {sampled.result.id: sampled.result for sampled in plan.seats}

    def run(self, folder: Path) -> None:
        """Screen all seats, then rate the worst decisions again; stop when the time is over."""
        # Recorded once, because each of many thousand short answers would take twice as long.
        with explained(folder), self._options.make() as executor, record_signals():
            try:
                self._rate(executor, screen, self._to_screen(), SCREENING)
                self._rate(executor, confirm, self._to_confirm(), 1.0)
            except BrokenExecutor as error:
                problem = "a worker died while it rated a decision"
                raise MatchError(f"{problem}\nfix: the same command continues") from error
            except BotFaultError as fault:
                raise MatchError(f"{self._header.reviewer} failed: {fault}") from fault

    def _to_screen(self) -> Iterator[RatingTask | ReviewedSeat]:
        content = self._writer.content
        for done, sampled in enumerate(self._seats):
            self._options.on_progress("decisions screened: seats", done, len(self._seats))
            result, seat = sampled.result, sampled.seat
            replay = replay_of(self._match, self._header.match, result, self._directories)
            steps = own_decisions(replay, result, seat)
            if (result.id, seat) not in content.seats:
                yield _seat_line(sampled, replay, len(steps))
            for step in steps:
                if (result.id, seat, step) not in content.screened:
                    yield self._task(result, seat, step)

    def _to_confirm(self) -> Iterator[RatingTask]:
        content = self._writer.content
        groups = [(contest, bot) for contest in self._header.contests for bot in self._header.bots]
        wanted = [decision for group in groups for decision in candidates(content, *group)]
        for done, lost in enumerate(wanted):
            self._options.on_progress("worst decisions rated again", done, len(wanted))
            if key_of(lost) not in content.confirmed:
                yield self._task(self._results[lost.game_id], lost.seat, lost.step, lost.best)

    def _task(self, result: GameResult, seat: int, step: int, best: str = "") -> RatingTask:
        match, reviewer = self._header.match, self._header.reviewer
        return RatingTask(
            match=self._match,
            match_digest=match,
            result=result,
            directories=self._directories,
            reviewer=reviewer,
            seed=f"review {match} {reviewer} {result.id} {step}",
            seat=seat,
            step=step,
            best=best,
            is_exact=result.contest in self._header.exact,
            asked=self._header.asked,
            is_weighted=result.contest in self._header.weighted,
        )

    def _rate(
        self,
        executor: Executor,
        rate: Callable[[RatingTask], ReviewLine],
        tasks: Iterable[RatingTask | ReviewedSeat],
        share: float,
    ) -> None:
        in_time = self._until(tasks, share)
        for line in _in_order(executor, rate, in_time, self._options.ahead):
            self._writer.append(line)

    def _until(
        self, tasks: Iterable[RatingTask | ReviewedSeat], share: float
    ) -> Iterator[RatingTask | ReviewedSeat]:
        seconds = self._options.seconds
        for task in tasks:
            if seconds is not None and monotonic() - self._begun >= share * seconds:
                return
            yield task


def own_decisions(replay: Replay, result: GameResult, seat: int) -> list[int]:
    """Return the steps of a bot's decisions at a seat; decisions of its substitute are excluded."""
    faults = [note.step for note in result.faults if note.seat == seat]
    steps = replay.decisions(seat)
    if not faults:
        return steps
    return [step for step in steps if len(replay.steps[step].full.history) < faults[0]]


def _seat_line(sampled: SampledSeat, replay: Replay, decisions: int) -> ReviewedSeat:
    result, state = sampled.result, replay.steps[0].full.state
    return ReviewedSeat(
        game_id=result.id,
        seat=sampled.seat,
        bot=result.seats[sampled.seat],
        contest=result.contest,
        deal=result.deal,
        bots=result.bots,
        chosen_by=sampled.chosen_by,
        unit=loss_unit(game_scoring(replay.game, state.settings, state.seats)),
        decisions=decisions,
    )


def _in_order(
    executor: Executor,
    rate: Callable[[RatingTask], ReviewLine],
    tasks: Iterator[RatingTask | ReviewedSeat],
    ahead: int,
) -> Iterator[ReviewLine]:
    """Yield the lines in the order of the tasks, with `ahead` tasks in flight.

    A task that is already a line keeps its place, so the file is the same for any `ahead`.
    """
    waiting = deque(_submitted(executor, rate, task) for task in islice(tasks, ahead))
    while waiting:
        yield waiting.popleft().result()
        waiting.extend(_submitted(executor, rate, task) for task in islice(tasks, 1))


def _submitted(
    executor: Executor, rate: Callable[[RatingTask], ReviewLine], task: RatingTask | ReviewedSeat
) -> "Future[ReviewLine]":
    if isinstance(task, RatingTask):
        return executor.submit(rate, task)
    done: Future[ReviewLine] = Future()
    done.set_result(task)
    return done
