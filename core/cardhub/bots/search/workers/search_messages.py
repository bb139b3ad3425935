"""Messages between a search and its worker processes, as typed data.

A worker gets a serialized observation, so what crosses is what its seat may know.
"""

from collections.abc import Iterator
from functools import partial

from msgspec import Struct, msgpack

from cardhub.bots.processes.child_process import Codec, Read
from cardhub.bots.processes.frames import frame, received


class NewSearcher(Struct, tag=True):
    """A request to create a bot, in place of the one before."""

    game: str
    spec: str
    seed: int


class SearchOrder(Struct, tag=True):
    """A request to rate `actions`, or with None the legal ones by growing the bot's tree.

    `packed` is the serialized observation. The order before is superseded.
    """

    number: int
    packed: bytes
    actions: list[int] | None
    iterations: int
    milliseconds: int


class StopSearch(Struct, tag=True):
    """A request to answer the order of this number soon."""

    number: int


class WorkerReady(Struct, tag=True):
    """The first reply: the worker has started."""


class Searched(Struct, tag=True):
    """Ratings of actions: action, visits and value."""

    number: int
    rated: list[tuple[int, int, float]]


class SearchFailed(Struct, tag=True):
    """An exception in a worker: its message and traceback."""

    number: int
    message: str
    details: str


WorkerOrder = NewSearcher | SearchOrder | StopSearch
WorkerReply = WorkerReady | Searched | SearchFailed

_ORDERS = msgpack.Decoder(WorkerOrder)
_REPLIES = msgpack.Decoder(WorkerReply)


def read_worker_order(read: Read) -> WorkerOrder | None:
    """Return the next message to a worker, None at the end; raises FrameError."""
    return received(read, _ORDERS, None)


def _replies(read: Read) -> Iterator[WorkerReply]:
    return iter(partial(received, read, _REPLIES, None), None)


WORKER_FRAMES: Codec[WorkerOrder, WorkerReply] = Codec(frame, _replies)
