"""Messages between a search and its worker processes, as typed data.

A worker gets a serialized observation, so it receives only information that its seat may know.
"""

from msgspec import Struct, msgpack

from cardhub.bots.processes.python_process import Failed, frame_codec
from cardhub.bots.search.workers.tree_exchange import TreeChanges


class NewSearcher(Struct, tag=True):
    """A request to create a bot, which replaces the last one."""

    game: str
    spec: str
    seed: int


class SearchOrder(Struct, tag=True):
    """A request to rate `actions`, or with None to rate all legal actions with the bot's tree.

    `packed`: the serialized observation. `tree`: the bot's complete tree. The order supersedes the
    last one.
    """

    number: int
    packed: bytes
    actions: list[int] | None
    iterations: int
    milliseconds: int
    tree: TreeChanges


class TreeUpdate(Struct, tag=True):
    """The growth of one side's tree since its last message."""

    number: int
    changes: TreeChanges


class StopSearch(Struct, tag=True):
    """A request to answer the order with this number soon."""

    number: int


class WorkerReady(Struct, tag=True):
    """The first reply, which reports that the worker has started."""


class Searched(Struct, tag=True):
    """The end of a search, with the growth of the tree since the last message."""

    number: int
    changes: TreeChanges


WorkerOrder = NewSearcher | SearchOrder | TreeUpdate | StopSearch
WorkerReply = WorkerReady | TreeUpdate | Searched | Failed

ORDER_DECODER = msgpack.Decoder(WorkerOrder)
REPLY_CODEC = frame_codec(msgpack.Decoder(WorkerReply))
