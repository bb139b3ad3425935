"""Messages between a search and its worker processes, as typed data.

A worker gets a serialized observation, so what crosses is what its seat may know.
"""

from collections.abc import Iterator
from functools import partial

from msgspec import Struct, msgpack

from cardhub.bots.processes.child_process import Codec, Read, frame, received
from cardhub.bots.search.workers.tree_exchange import TreeChanges


class NewSearcher(Struct, tag=True):
    """A request to create a bot, in place of the one before."""

    game: str
    spec: str
    seed: int


class SearchOrder(Struct, tag=True):
    """A request to rate `actions`, or with None the legal ones by growing the bot's tree.

    `packed` is the serialized observation, and `tree` all of the tree of the bot. The order before
    is superseded.
    """

    number: int
    packed: bytes
    actions: list[int] | None
    iterations: int
    milliseconds: int
    tree: TreeChanges


class TreeUpdate(Struct, tag=True):
    """What one side of a search has found since its last message."""

    number: int
    changes: TreeChanges


class StopSearch(Struct, tag=True):
    """A request to answer the order of this number soon."""

    number: int


class WorkerReady(Struct, tag=True):
    """The first reply: the worker has started."""


class Searched(Struct, tag=True):
    """The end of a search, with what was found since the last message."""

    number: int
    changes: TreeChanges


class SearchFailed(Struct, tag=True):
    """An exception in a worker: its message and traceback."""

    number: int
    message: str
    details: str


WorkerOrder = NewSearcher | SearchOrder | TreeUpdate | StopSearch
WorkerReply = WorkerReady | TreeUpdate | Searched | SearchFailed

_ORDERS = msgpack.Decoder(WorkerOrder)
_REPLIES = msgpack.Decoder(WorkerReply)


def read_worker_order(read: Read) -> WorkerOrder | None:
    """Return the next message to a worker, None at the end; raises FrameError."""
    return received(read, _ORDERS, None)


def _replies(read: Read) -> Iterator[WorkerReply]:
    return iter(partial(received, read, _REPLIES, None), None)


WORKER_FRAMES: Codec[WorkerOrder, WorkerReply] = Codec(frame, _replies)
