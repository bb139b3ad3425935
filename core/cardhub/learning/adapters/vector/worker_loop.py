"""A worker process of a vector environment."""

import signal
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from cardhub.base.errors import CardhubError
from cardhub.base.errors.quoting import describe_exception
from cardhub.learning.adapters.vector.batch_arrays import arrays_in
from cardhub.learning.adapters.vector.table_group import TableGroup
from cardhub.learning.adapters.vector.table_spec import TableSpec

# A seed for new games, or None for a step with the actions in the arrays.
Command = int | None


class WorkerFailure(NamedTuple):
    """The message of an error, and its traceback as text."""

    message: str
    details: str


def serve(
    connection: "Connection[WorkerFailure | None, Command]",
    spec: TableSpec,
    buffer: Any,
    tables: int,
    first: int,
    end: int,
) -> None:
    """Carry out commands for some of the tables until the connection is closed."""
    # Ctrl-C in the terminal reaches all processes: only the one that made the workers ends them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    arrays = arrays_in(buffer, spec, tables).tables(first, end)
    group = TableGroup(spec, first, arrays)
    with suppress(EOFError, OSError), connection:
        while True:
            command = connection.recv()
            connection.send(_carried_out(group, command))
    with suppress(CardhubError):  # bots that cannot be closed end with this process
        group.close()


def _carried_out(group: TableGroup, command: Command) -> WorkerFailure | None:
    try:
        if command is None:
            group.step()
        else:
            group.reset(command)
    except Exception as error:  # noqa: BLE001  # rules and bots may raise any exception
        message = str(error) if isinstance(error, CardhubError) else describe_exception(error)
        return WorkerFailure(message, "".join(traceback.format_exception(error)))
    return None
