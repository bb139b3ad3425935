"""Tracing of logged games on workers, in the order of the log."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from cardhub.base.errors import MatchError
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.run.executors import MakeExecutor
from cardhub.lab.match.task import GameResult
from cardhub.lab.study.game_trace import GameTrace, TraceTask, trace_all

# Games in one task: a replay takes milliseconds, as long as handing it to another process.
CHUNK = 16


class TracedGame(NamedTuple):
    """A game of the log with its trace."""

    result: GameResult
    trace: GameTrace


def trace_games(
    match: Match,
    results: Sequence[GameResult],
    directories: tuple[Path, ...],
    make: MakeExecutor,
    ahead: int,
    tell: Callable[[int], object] = lambda done: None,
) -> Iterator[TracedGame]:
    """Yield the games with their traces in order, the same for any number of workers.

    `tell` gets the number of games done. Raises MatchError or RecordError.
    """
    parts = [tuple(results[at : at + CHUNK]) for at in range(0, len(results), CHUNK)]
    tasks = [TraceTask(match, part, directories) for part in parts]
    done = 0
    try:
        with make() as executor:
            for part, traces in zip(parts, _in_order(executor, tasks, ahead), strict=True):
                yield from map(TracedGame, part, traces)
                done += len(part)
                tell(done)
    except BrokenExecutor as error:
        problem = "a worker died while it replayed a game"
        raise MatchError(f"{problem}\nfix: the same command continues") from error


def _in_order(
    executor: Executor, tasks: Iterable[TraceTask], ahead: int
) -> Iterator[tuple[GameTrace, ...]]:
    left = iter(tasks)
    waiting: deque[Future[tuple[GameTrace, ...]]] = deque(
        executor.submit(trace_all, task) for task in islice(left, ahead)
    )
    while waiting:
        yield waiting.popleft().result()
        waiting.extend(executor.submit(trace_all, task) for task in islice(left, 1))
