"""A vector environment whose tables are stepped by worker processes, with shared memory."""

import multiprocessing
import signal
import sys
import traceback
import weakref
from contextlib import suppress
from itertools import pairwise
from multiprocessing.process import BaseProcess
from typing import Any

from typing_extensions import override

from cardhub.base.errors import CardhubError, EpisodeError
from cardhub.base.errors.quoting import describe_exception
from cardhub.bots.processes.python_process import Failed, build_failed
from cardhub.learning.adapters.vector.learning_table import TableGroup, arrays_in, buffer_size
from cardhub.learning.adapters.vector.native_group import NativeGroup, table_group
from cardhub.learning.adapters.vector.table_spec import TableSpec
from cardhub.learning.adapters.vector.vector_env import VectorEnv

if sys.platform == "win32":
    from multiprocessing.connection import PipeConnection as Connection
else:
    from multiprocessing.connection import Connection

# The seed and the number of the first of new games, or None for a step with the actions in the
# arrays.
Command = tuple[int, int] | None


def serve(
    connection: "Connection[Failed | None, Command]",
    spec: TableSpec,
    buffer: Any,
    tables: int,
    first: int,
    end: int,
) -> None:
    """Execute commands for the tables from `first` to `end` until the connection closes."""
    # Ctrl-C in the terminal reaches all processes, but only the parent process ends the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    arrays = arrays_in(buffer, spec, tables).tables(first, end)
    group = table_group(spec, first, arrays)
    with suppress(EOFError, OSError), connection:
        while True:
            command = connection.recv()
            connection.send(_execute(group, command))
    with suppress(CardhubError):  # bots that fail to close end with this process
        group.close()


def _execute(group: TableGroup | NativeGroup, command: Command) -> Failed | None:
    try:
        if command is None:
            group.step()
        else:
            group.reset(*command)
    except Exception as error:  # noqa: BLE001  # rules and bots may raise any exception
        message = str(error) if isinstance(error, CardhubError) else describe_exception(error)
        return build_failed(0, "", message, "".join(traceback.format_exception(error)))
    return None


# Seconds that a worker may take to close its bots and exit before it is killed.
PATIENCE = 1.0


class WorkerVectorEnv(VectorEnv):
    """A vector environment in worker processes, which run until it is closed.

    Each worker has consecutive tables and writes into their rows of the shared arrays.
    """

    def __init__(self, spec: TableSpec, tables: int, workers: int) -> None:
        # Spawn on every system, because a fork copies locks of threads and open connections.
        context = multiprocessing.get_context("spawn")
        # Anonymous memory cannot be left over after a crash.
        buffer = context.RawArray("b", buffer_size(spec, tables))
        super().__init__(spec, arrays_in(buffer, spec, tables))
        bounds = [tables * worker // workers for worker in range(workers + 1)]
        self._processes: list[BaseProcess] = []
        self._connections: list[Connection[Command, Failed | None]] = []
        self._finalizer = weakref.finalize(self, _end, self._processes, self._connections)
        for first, end in pairwise(bounds):
            ours, theirs = context.Pipe()
            arguments = (theirs, spec, buffer, tables, first, end)
            # A daemon ends with this process even if `close` is not called.
            process = context.Process(target=serve, args=arguments, daemon=True)
            process.start()
            theirs.close()
            self._processes.append(process)
            self._connections.append(ours)

    @override
    def _reset(self, seed: int, game: int) -> None:
        self._send_all((seed, game))

    @override
    def _step(self) -> None:
        self._send_all(None)

    @override
    def _close(self) -> None:
        self._finalizer()

    def _send_all(self, command: Command) -> None:
        if not self._connections:
            raise ValueError("the environment is closed. fix: create another environment")
        failures = []
        try:
            for connection in self._connections:
                connection.send(command)
            failures = [connection.recv() for connection in self._connections]
        except (EOFError, OSError) as error:
            raise EpisodeError(self._end_text()) from error
        except BaseException:
            # After an interruption pending answers could be taken for the next command's answers.
            self.close()
            raise
        for failure in failures:
            if failure is not None:
                raise _error(failure)

    def _end_text(self) -> str:
        """Close the environment and return a message with the exit codes of its processes."""
        for process in self._processes:
            process.join(0.2)
        codes = [process.exitcode for process in self._processes]
        self.close()
        ended = [f"{n} (exit code {code})" for n, code in enumerate(codes) if code is not None]
        return f"worker processes ended: {', '.join(ended) or 'exit codes are unknown'}"


def _error(failure: Failed) -> EpisodeError:
    error = EpisodeError(failure.message)
    # The traceback of another process cannot be raised; attach it as text.
    error.add_note(failure.details)
    return error


def _end(
    processes: list[BaseProcess], connections: "list[Connection[Command, Failed | None]]"
) -> None:
    for connection in connections:
        with suppress(OSError):
            connection.close()  # a worker ends when its connection closes
    for process in processes:
        process.join(PATIENCE)
        if process.is_alive():
            process.kill()
            process.join()
        process.close()
    processes.clear()
    connections.clear()
