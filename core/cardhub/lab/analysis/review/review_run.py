"""Run a review: a stronger search rates the decisions of a match, and writes the file."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import monotonic

from cardhub.base.errors import BotFaultError, MatchError
from cardhub.lab.analysis.review.decision_rating import RatingTask, confirm, replay_of, screen
from cardhub.lab.analysis.review.review_file import DecisionKey, ReviewWriter, SeatKey, open_review
from cardhub.lab.analysis.review.review_plan import ReviewPlan
from cardhub.lab.analysis.review.review_results import candidates
from cardhub.lab.analysis.review.review_schema import ReviewedSeat, ReviewLine
from cardhub.lab.analysis.review.seat_sample import SampledSeat
from cardhub.lab.match.log.log_reader import explained
from cardhub.lab.match.run.executors import MakeExecutor
from cardhub.lab.match.task import GameResult
from cardhub.model.game.initial_state import game_scoring
from cardhub.play.advice import loss_scale
from cardhub.play.host.replays.replay import Replay

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
        with explained(folder), self._options.make() as executor:
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
            if SeatKey(result.id, seat) not in content.seats:
                yield _seat_line(sampled, replay, len(steps))
            for step in steps:
                if DecisionKey(result.id, seat, step) not in content.screened:
                    yield self._task(result, seat, step)

    def _to_confirm(self) -> Iterator[RatingTask]:
        content = self._writer.content
        groups = [(contest, bot) for contest in self._header.contests for bot in self._header.bots]
        wanted = [decision for group in groups for decision in candidates(content, *group)]
        for done, lost in enumerate(wanted):
            self._options.on_progress("worst decisions rated again", done, len(wanted))
            key = DecisionKey(lost.game_id, lost.seat, lost.step)
            if key not in content.confirmed:
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
        unit=loss_scale(game_scoring(replay.game, state.settings, state.seats)).unit,
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
