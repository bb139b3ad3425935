"""Dispatcher of games to worker processes: keeps them busy, replaces broken executors."""

from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, wait
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from typing import Self

from cardhub.base.errors import BotCrashError, BotTimeoutError, MatchError
from cardhub.lab.match.run.executors import MakeExecutor
from cardhub.lab.match.run.playing import play_all
from cardhub.lab.match.task import GameTask, Played

# Number of broken executors after which a game's bots run in separate processes.
ISOLATE_AFTER = 2
# Faults that may have killed a worker.
DEADLY = (BotCrashError.fault, BotTimeoutError.fault)
# Maximum number of consecutive broken executors without a finished game.
PATIENCE = 10
# Seconds between two calls of `tick` while the dispatcher waits for a game.
TICK = 0.1
# Target duration of a chunk in seconds.
SECONDS = 0.1
# Maximum size of a chunk; the whole chunk is lost if its worker dies.
MOST = 16
# Window of the moving average of game durations, in games.
INERTIA = 8

Chunk = tuple[Played, ...]
Kind = tuple[str, tuple[str, ...]]


@dataclass(slots=True)
class _Job:
    """Submitted game, and the number of executors that broke before it was finished.

    Short games are submitted in chunks: `index` is the position of this game in its chunk.
    """

    task: GameTask
    future: "Future[Chunk]"
    index: int = 0
    broken: int = 0

    @property
    def is_played(self) -> bool:
        """Whether the result is available."""
        future = self.future
        return future.done() and not future.cancelled() and future.exception() is None

    @property
    def played(self) -> Played:
        """Result of the game; blocks until it is available."""
        return self.future.result()[self.index]


class Dispatcher:
    """Dispatcher of games to an executor; use it as a context manager.

    A dead worker is not counted as a fault: its unfinished games are submitted to a new executor,
    and after ISOLATE_AFTER failures with each bot in a separate process, which isolates the faulty
    bot.

    `ahead` is the number of games, or chunks of short games, that may be in flight.
    """

    def __init__(
        self, make: MakeExecutor, tick: Callable[[], object] = lambda: None, ahead: int = 1
    ) -> None:
        self._make = make
        self._tick = tick
        self._ahead = ahead
        self._sizer = ChunkSizer()
        self._stack = ExitStack()
        self._jobs: dict[str, _Job] = {}
        self._executor: Executor | None = None
        self._failed_executors = 0
        self._crashing: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._close_executor()

    @property
    def reach(self) -> int:
        """Number of upcoming games to pass to `want`."""
        return self._ahead * (self._sizer.most if self._ahead > 1 else 1)

    def want(self, tasks: Sequence[GameTask]) -> list[Played]:
        """Replace the wanted games; return the results of dropped games that were played."""
        # A withdrawal or a verdict changes the upcoming games while some are in flight.
        wanted = {task.id for task in tasks}
        dropped = [self._jobs.pop(name) for name in list(self._jobs) if name not in wanted]
        self._submit_due(tasks)
        # Cancel only chunks without any wanted game.
        for future in {job.future for job in dropped} - {job.future for job in self._jobs.values()}:
            future.cancel()
        return [job.played for job in dropped if job.is_played]

    def is_played(self, task: GameTask) -> bool:
        """Return whether the result of a wanted game is available."""
        job = self._jobs.get(task.id)
        return job is not None and job.is_played

    def result(self, task: GameTask) -> Played:
        """Wait for the result of a wanted game; raises MatchError if no process survives it."""
        if task.id not in self._jobs:  # it was waiting for its chunk to fill
            self._submit_together([task])
        while True:
            job = self._jobs[task.id]
            while not job.future.done() and not wait([job.future], TICK).done:
                self._tick()
            try:
                played = job.played
            except BrokenExecutor:
                self._replace_executor()
            else:
                del self._jobs[task.id]
                self._record(job, played)
                return played

    def _submit_due(self, wanted: Sequence[GameTask]) -> None:
        tasks = [task for task in wanted if task.id not in self._jobs]
        most = min(-(-len(wanted) // self._ahead), self._sizer.most) if self._ahead > 1 else 1
        is_due = bool(tasks) and tasks[0] is wanted[0]
        # Games that do not fill a chunk wait for more games, unless they include the next game of
        # the schedule, for which the match waits.
        while tasks and (is_due or self._has_room()):
            size = self._sizer.chunk(tasks, most) or (len(tasks) if is_due else 0)
            if not size:
                break
            self._submit_together(tasks[:size])
            tasks, is_due = tasks[size:], False

    def _has_room(self) -> bool:
        return self._ahead == 1 or len({job.future for job in self._jobs.values()}) < self._ahead

    def _submit_together(self, tasks: Sequence[GameTask]) -> None:
        future = self._submit(*map(self._prepared, tasks))
        for index, task in enumerate(tasks):
            self._jobs[task.id] = _Job(task, future, index)

    def _submit(self, *tasks: GameTask) -> "Future[Chunk]":
        if self._executor is None:
            self._executor = self._stack.enter_context(self._make())
        try:
            return self._executor.submit(play_all, *tasks)
        except BrokenExecutor as error:
            # Raised when the match waits for its result, like the error of games submitted before:
            # the match must see a broken executor in the order of its schedule.
            future: Future[Chunk] = Future()
            future.set_exception(error)
            return future

    def _prepared(self, task: GameTask, broken: int = 0) -> GameTask:
        is_suspect = any(seat.bot in self._crashing for seat in task.seats)
        return task.isolated() if is_suspect or broken >= ISOLATE_AFTER else task

    def _record(self, job: _Job, played: Played) -> None:
        self._failed_executors = 0
        # Timings only decide how games are grouped, so they do not change results.
        self._sizer.record(job.task, played.timing.seconds)
        # Each bot had its own process, so the fault identifies the bot that killed the workers.
        if job.broken >= ISOLATE_AFTER:
            notes = played.result.faults
            self._crashing.update(note.bot for note in notes if note.fault in DEADLY)

    def _replace_executor(self) -> None:
        self._close_executor(keep_jobs=True)
        self._failed_executors += 1
        if self._failed_executors > PATIENCE:
            raise MatchError(f"no game can be played: workers died {PATIENCE} times in a row")
        for job in self._jobs.values():
            if not job.is_played:
                job.broken += 1
                job.index = 0  # alone, because a suspect game may kill its worker
                job.future = self._submit(self._prepared(job.task, job.broken))

    def _close_executor(self, keep_jobs: bool = False) -> None:
        for job in self._jobs.values():
            job.future.cancel()
        self._executor = None
        # Its shutdown may report the broken executor again.
        with suppress(BrokenExecutor):
            self._stack.close()
        if not keep_jobs:
            self._jobs.clear()


class ChunkSizer:
    """Estimator of chunk sizes from the durations of games of the same contest and bots.

    Sizes do not change results. A game of unknown duration is submitted alone.
    """

    def __init__(self) -> None:
        self._seconds: dict[Kind, float] = {}
        self._has_short = False

    @property
    def most(self) -> int:
        """Maximum size of a chunk, given the durations of finished games."""
        return MOST if self._has_short else 1

    def record(self, task: GameTask, seconds: float) -> None:
        """Update the estimate with the duration of a game."""
        before = self._seconds.get(_kind(task), seconds)
        mean = before + (seconds - before) / INERTIA
        self._seconds[_kind(task)] = mean
        self._has_short = self._has_short or mean < SECONDS / 2

    def chunk(self, tasks: Sequence[GameTask], most: int) -> int:
        """Return the size of the next chunk; 0 to wait for more games."""
        seconds = 0.0
        for number, task in enumerate(tasks[:most]):
            seconds += self._seconds.get(_kind(task), SECONDS)
            if seconds > SECONDS:
                return max(number, 1)
        return most if len(tasks) >= most else 0


def _kind(task: GameTask) -> Kind:
    return task.contest, task.bots
