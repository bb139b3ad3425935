"""A vector environment whose tables are stepped by worker processes, in shared memory."""

import multiprocessing
import weakref
from contextlib import suppress
from itertools import pairwise
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from typing_extensions import override

from cardhub.base.errors import EpisodeError
from cardhub.learning.adapters.vector.batch_arrays import arrays_in, buffer_size
from cardhub.learning.adapters.vector.table_spec import TableSpec
from cardhub.learning.adapters.vector.vector_env import VectorEnv
from cardhub.learning.adapters.vector.worker_loop import Command, WorkerFailure, serve

# Seconds for a worker to close its bots and exit; then it is killed.
PATIENCE = 1.0


class WorkerVectorEnv(VectorEnv):
    """A vector environment in worker processes, which are kept until it is closed.

    Each worker has consecutive tables and writes into its rows of the shared arrays.
    """

    def __init__(self, spec: TableSpec, tables: int, workers: int) -> None:
        # The same start on every system: a fork would copy threads' locks and open connections.
        context = multiprocessing.get_context("spawn")
        # Anonymous memory: it has no name that could be left over after a crash.
        buffer = context.RawArray("b", buffer_size(spec, tables))
        super().__init__(spec, arrays_in(buffer, spec, tables))
        bounds = [tables * worker // workers for worker in range(workers + 1)]
        self._processes: list[BaseProcess] = []
        self._connections: list[Connection[Command, WorkerFailure | None]] = []
        self._finalizer = weakref.finalize(self, _end, self._processes, self._connections)
        for first, end in pairwise(bounds):
            ours, theirs = context.Pipe()
            arguments = (theirs, spec, buffer, tables, first, end)
            # A daemon: it is ended with this process even if `close` is not called.
            process = context.Process(target=serve, args=arguments, daemon=True)
            process.start()
            theirs.close()
            self._processes.append(process)
            self._connections.append(ours)

    @override
    def _reset(self, seed: int) -> None:
        self._all_do(seed)

    @override
    def _step(self) -> None:
        self._all_do(None)

    @override
    def _close(self) -> None:
        self._finalizer()

    def _all_do(self, command: Command) -> None:
        if not self._connections:
            raise ValueError("the environment is closed. fix: make a new one")
        failures = []
        try:
            for connection in self._connections:
                connection.send(command)
            failures = [connection.recv() for connection in self._connections]
        except (EOFError, OSError) as error:
            raise EpisodeError(self._lost()) from error
        except BaseException:
            # Interrupted, so that answers may still be on their way: they must not be read as
            # those of the next command.
            self.close()
            raise
        for failure in failures:
            if failure is not None:
                raise _error(failure)

    def _lost(self) -> str:
        for process in self._processes:
            process.join(0.2)
        codes = [process.exitcode for process in self._processes]
        self.close()
        ended = [f"{n} (exit code {code})" for n, code in enumerate(codes) if code is not None]
        return f"worker processes ended: {', '.join(ended) or 'none that has an exit code'}"


def _error(failure: WorkerFailure) -> EpisodeError:
    error = EpisodeError(failure.message)
    # The traceback of another process cannot be raised, but it can be read.
    error.add_note(failure.details)
    return error


def _end(
    processes: list[BaseProcess], connections: "list[Connection[Command, WorkerFailure | None]]"
) -> None:
    for connection in connections:
        with suppress(OSError):
            connection.close()  # a worker ends when its connection does
    for process in processes:
        process.join(PATIENCE)
        if process.is_alive():
            process.kill()
            process.join()
        process.close()
    processes.clear()
    connections.clear()
