"""Messages between a table and the process of its bots, as typed data.

Messages from a bot's process are validated as they are decoded, and frames longer than `LONGEST`
are rejected unread.
"""

from collections.abc import Iterator
from functools import partial

from msgspec import Struct, msgpack

from cardhub.bots.processes.child_process import Codec, Read, frame, read_frame
from cardhub.model.table.settings import Value

# Maximum size of a frame from a bot's process, in bytes.
LONGEST = 1 << 20
# Maximum length of a message or a traceback that is sent, in characters.
MOST_TEXT = 100_000


class Setup(Struct, tag=True):
    """The first message: plugin directories, and whether the process owns its working folder."""

    directories: list[str]
    owns_folder: bool


class Begin(Struct, tag=True):
    """The start of a game; see Lineup. A level's search has up to `workers` processes."""

    game: str
    specs: dict[int, str]
    seeds: dict[int, str]
    advises: bool
    workers: int = 1
    seats: int | None = None
    options: dict[str, Value] = {}


class Reseat(Struct, tag=True):
    """Another lineup of the same game: bots of unchanged seats stay."""

    begin: Begin


class Prepare(Struct, tag=True):
    """A request to create the bot of a seat."""

    number: int
    seat: int


class Question(Struct, tag=True):
    """A question to the bot of an observation's seat; `packed` is the serialized observation."""

    number: int
    packed: bytes


class TableQuestion(Question, tag=True):
    """A question to a bot of one of several tables: the lineup of the table, and its number."""

    table: int
    begin: Begin


class Hurry(Struct, tag=True):
    """A request to answer the question of this number soon."""

    number: int


class End(Struct, tag=True):
    """The end of a game: its bots are closed."""


class Forget(Struct, tag=True):
    """The end of a table among several: its bots are closed."""

    table: int


class Ready(Struct, tag=True):
    """The answer to Prepare."""

    number: int


class Chosen(Struct, tag=True):
    """The action that a bot has chosen."""

    number: int
    action: int


class Advised(Struct, tag=True):
    """Ratings of actions: action, visits, mean return, and the steps (seat, action) expected."""

    number: int
    rated: list[tuple[int, int, float, list[tuple[int, int]]]]


class Failed(Struct, tag=True):
    """A BotFaultError: its `fault`, message and details."""

    number: int
    kind: str
    message: str
    details: str


Order = Setup | Begin | Reseat | Prepare | Question | TableQuestion | Hurry | Forget | End
Reply = Ready | Chosen | Advised | Failed

_ORDERS = msgpack.Decoder(Order)
_REPLIES = msgpack.Decoder(Reply)


def failed(number: int, kind: str, message: str, details: str) -> Failed:
    """Return a fault with its texts truncated to fit into a frame."""
    texts = (_sendable(text[:MOST_TEXT]) for text in (message, details))
    return Failed(number, kind, *texts)


def read_order(read: Read) -> Order | None:
    """Return the next message from the table, None at the end of the input; raises FrameError."""
    # No limit: these messages come from the table, not from third-party code.
    return read_frame(read, _ORDERS, None)


def read_reply(read: Read) -> Reply | None:
    """Return the next message from a bot's process, None at the end; raises FrameError."""
    return read_frame(read, _REPLIES, LONGEST)


def _replies(read: Read) -> Iterator[Reply]:
    return iter(partial(read_reply, read), None)


def _sendable(text: str) -> str:
    # Texts of exceptions can have lone surrogates, which UTF-8 cannot.
    return text.encode("utf-8", "replace").decode()


FRAMES: Codec[Order, Reply] = Codec(frame, _replies)
