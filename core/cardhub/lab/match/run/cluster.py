"""Executors that play games on the workers of a Dask cluster.

`distributed` is an optional dependency and slow to import, so it is imported locally.
"""

import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from typing_extensions import override

from cardhub.base.errors import BotTimeoutError, CardhubError, MatchError
from cardhub.lab.match.match_spec import Match, canonical
from cardhub.lab.match.provenance import versions_of
from cardhub.lab.match.run.executors import MakeExecutor, copy_outcome
from cardhub.lab.match.run.playing import plugins_in
from cardhub.lab.match.task import GameTask, Played
from cardhub.plugins.registry import for_referee

# Timeout in seconds for the connection to a cluster, and for its first worker.
PATIENCE = 5
MISSING = "a cluster needs Dask: pip install '.[cluster]' in the checkout of cardhub"

Play = Callable[..., tuple[Played, ...]]


def threads_of(address: str) -> int:
    """Return the number of threads of all workers of a cluster.

    Raises MatchError if the cluster does not answer or has no workers, or if Dask is not installed.
    """
    with _client(address) as client:
        return sum(client.nthreads().values())


def make_cluster(address: str, match: Match, versions: Mapping[str, Any]) -> MakeExecutor:
    """Return a factory of executors that play games on a cluster.

    Its workers must have the same `versions` as this machine; a worker with different versions
    raises MatchError.
    """
    # The secret is not sent to workers.
    return partial(_cluster, address, replace(match, salt=None), versions)


@contextmanager
def _cluster(address: str, match: Match, versions: Mapping[str, Any]) -> Iterator[Executor]:
    with _client(address) as client:
        yield _Cluster(client, match, versions)


@contextmanager
def _client(address: str) -> Iterator[Any]:
    try:
        from distributed import Client
    except ImportError as error:
        raise MatchError(MISSING) from error
    try:
        # Dask is untyped.
        client = Client(address, timeout=PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TypeError) as error:
        raise MatchError(f"no cluster answers at {address!r}: {error}") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            raise MatchError(f"the cluster at {address} has no workers") from error
        yield client


class _Cluster(Executor):
    """Executor that plays games in processes on the machines of a cluster."""

    def __init__(self, client: Any, match: Match, versions: Mapping[str, Any]) -> None:
        self._client = client
        self._inner = client.get_executor(pure=False)
        self._match = match
        self._versions = canonical(versions)

    @override
    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        if self._client.status != "running":
            raise BrokenExecutor(f"the cluster is {self._client.status}")
        future: Future[Any] = Future()
        inner = self._inner.submit(play_there, fn, args, self._match, self._versions, **kwargs)
        inner.add_done_callback(partial(copy_outcome, future, translate=translate_error))
        return future


def play_there(
    play: Play, tasks: Sequence[GameTask], match: Match, versions: str
) -> tuple[Played, ...]:
    """Play games in a worker process; raises MatchError unless it has these `versions`, as JSON."""
    for task in tasks:
        _compare(match, task, versions)
    return tuple(_play_warily(play, task) for task in tasks)


def _play_warily(play: Play, task: GameTask) -> Played:
    # Alarms do not work in the threads of a worker, so a bot that timed out may still run there: in
    # the next games it runs in a process, which can be killed.
    is_slow = any(seat.use in _TOO_LATE for seat in task.seats)
    (played,) = play(task.isolated() if is_slow else task)
    uses = {seat.bot: seat.use for seat in task.seats}
    late = [note for note in played.result.faults if note.fault == BotTimeoutError.fault]
    _TOO_LATE.update(uses[note.bot] for note in late)
    return played


# Specs of bots that timed out in this process.
_TOO_LATE: set[str] = set()
# Versions, as JSON, that are known to equal the versions of this process.
_AGREED: set[str] = set()


def _compare(match: Match, task: GameTask, versions: str) -> None:
    if versions in _AGREED:
        return
    here = versions_of(match, for_referee(plugins_in(task.directories)))
    if canonical(here) != versions:
        where = socket.gethostname()
        raise MatchError(
            f"the worker on {where} has other versions of cardhub, Python, numpy, games or bots "
            "than this machine: install the same there, and restart it"
        )
    _AGREED.add(versions)


def translate_error(error: BaseException) -> BaseException:
    """Return BrokenExecutor for a lost cluster, which may be retried, and MatchError otherwise."""
    from distributed import KilledWorker
    from distributed.comm.core import CommClosedError

    if isinstance(error, CardhubError):
        return error
    if isinstance(error, KilledWorker | CommClosedError | OSError):
        return BrokenExecutor(str(error))
    return MatchError(f"the cluster cannot play: {type(error).__name__}: {error}")
