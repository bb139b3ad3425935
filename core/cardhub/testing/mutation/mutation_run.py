"""Try the mutants of a game in parallel processes, and report the unnoticed ones."""

import inspect
import multiprocessing
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from math import inf
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, NamedTuple

from cardhub.base.errors import AuthoringError
from cardhub.model.game.game import Game
from cardhub.testing.mutation.mutants import Mutant, find_mutants
from cardhub.testing.mutation.trial import BY_END, BY_TIME, Outcome, Task, run_trial

# A trial may use this multiple of the processor time without a mutant, and these seconds more.
FACTOR, MORE = 3, 1
# A process that waits is ended after this multiple of its processor time.
WAIT_FACTOR = 20
# Modules that every trial needs; a server of processes loads them once.
PRELOADED = ("cardhub.testing.mutation.trial", "pytest")


class MutationReport(NamedTuple):
    """What noticed each tried mutant, an empty text for an unnoticed one, of `total` mutants."""

    game: str
    seed: int
    total: int
    verdicts: tuple[tuple[Mutant, str], ...]

    @property
    def survivors(self) -> list[Mutant]:
        """The unnoticed mutants, by file and line."""
        return sorted(mutant for mutant, noticed_by in self.verdicts if not noticed_by)


def mutate_game(
    game: Game[Any],
    *,
    seconds: float = inf,
    most: int | None = None,
    seed: int = 0,
    workers: int = 1,
    records: Path | None = None,
    tests: Path | None = None,
    watch: Callable[[int], None] = lambda tried: None,
) -> MutationReport:
    """Try mutants until `seconds` have passed, or the first `most` of their order, or all.

    `watch` is called with the number of tried ones; mutants without an answer by then do not count.
    Raises AuthoringError if the checks or tests fail without a mutant.
    """
    mutants = find_mutants(game, Random(f"{seed} mutants"))
    task = Task(
        type(game).__module__,
        type(game).__name__,
        _files_of(type(game).__module__),
        sys.path[:],
        records,
        tests,
        seed,
    )
    ends = monotonic() + seconds
    context = _context()
    sound = _try(context, task, None, inf)
    if sound is None or sound.noticed_by:
        failing = f"{game.name} fails without a change: {sound.noticed_by if sound else BY_END}"
        raise AuthoringError(f"{failing}. fix: cardhub check {game.name}")
    limited = task._replace(seconds=FACTOR * sound.seconds + MORE)
    outcomes: dict[int, Outcome] = {}
    for number, outcome in _outcomes(context, limited, mutants[:most], workers, ends):
        outcomes[number] = outcome
        watch(len(outcomes))
    verdicts = ((mutants[n], outcomes[n].noticed_by) for n in sorted(outcomes))
    return MutationReport(game.name, seed, len(mutants), tuple(verdicts))


def _outcomes(
    context: Any, task: Task, mutants: Sequence[Mutant], workers: int, ends: float
) -> Iterator[tuple[int, Outcome]]:
    """Yield the number of each tried mutant with its outcome, until the time is over."""
    numbers = iter(range(len(mutants)))
    with ThreadPoolExecutor(workers) as pool:
        running: dict[Future[Outcome | None], int] = {}
        while True:
            while len(running) < workers and monotonic() < ends:
                number = next(numbers, None)
                if number is None:
                    break
                future = pool.submit(_try, context, task, mutants[number], ends)
                running[future] = number
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                number, outcome = running.pop(future), future.result()
                if outcome is not None:
                    yield number, outcome


def _try(context: Any, task: Task, mutant: Mutant | None, ends: float) -> Outcome | None:
    """Return the outcome of a trial, None if there is none when the monotonic clock says `ends`."""
    seconds = inf if task.seconds is None else task.seconds * WAIT_FACTOR
    left = min(seconds, ends - monotonic())
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=run_trial, args=(task, mutant, sender), daemon=True)
    process.start()
    sender.close()
    try:
        if receiver.poll(None if left == inf else max(0, left)):
            outcome: Outcome = receiver.recv()
            return outcome
        return Outcome(BY_TIME, 0) if left == seconds else None
    except EOFError:  # it has ended without an answer, as by the limit of its processor time
        return Outcome(BY_END, 0)
    finally:
        process.kill()
        process.join()
        receiver.close()


def _context() -> Any:
    # Never `fork`: this process may have threads, whose locks a fork would copy in any state.
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(PRELOADED))
    return context


def _files_of(module: str) -> dict[str, str]:
    """Return the paths of the loaded modules of a package, by name."""
    package = module.partition(".")[0]
    files = {}
    for name, loaded in list(sys.modules.items()):
        if name == package or name.startswith(f"{package}."):
            path = getattr(loaded, "__file__", None)
            if path and inspect.getsourcefile(loaded):
                files[name] = path
    return files
