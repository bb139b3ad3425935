"""The messages between a table and the process of its bots, as typed data.

Each is a frame: four bytes with the length, then MessagePack. What comes from a bot's process is
checked as it is decoded, and no frame of it is read that is longer than `LONGEST`.
"""

from collections.abc import Callable
from typing import TypeVar

from msgspec import DecodeError, Struct, msgpack

LONGEST = 1 << 20
"""The most bytes that a frame from a bot's process may have."""
PREFIX = 4
MOST_TEXT = 100_000
"""The most characters of a message or a traceback that are sent."""

M = TypeVar("M")
Read = Callable[[int], bytes]
"""Reads at most so many bytes; returns none at the end of the input."""


class Setup(Struct, tag=True):
    """The first message: where plugins are, and whether the working folder is the process's own."""

    directories: list[str]
    owns_folder: bool


class Begin(Struct, tag=True):
    """A game begins; see Lineup."""

    game: str
    specs: dict[int, str]
    seeds: dict[int, str]
    advises: bool


class Prepare(Struct, tag=True):
    """Make the bot of a seat."""

    number: int
    seat: int


class Question(Struct, tag=True):
    """Ask the bot of the seat that an observation is for; `packed` is the observation."""

    number: int
    packed: bytes


class Hurry(Struct, tag=True):
    """Have the question of this number answered soon."""

    number: int


class End(Struct, tag=True):
    """The game is over or left: close its bots."""


class Ready(Struct, tag=True):
    """The answer to Prepare."""

    number: int


class Chosen(Struct, tag=True):
    """The action that a bot chooses."""

    number: int
    action: int


class Advised(Struct, tag=True):
    """What a bot thinks of actions: action, visits and mean return of each."""

    number: int
    rated: list[tuple[int, int, float]]


class Failed(Struct, tag=True):
    """A BotFaultError: its `fault`, message and details."""

    number: int
    kind: str
    message: str
    details: str


Order = Setup | Begin | Prepare | Question | Hurry | End
Reply = Ready | Chosen | Advised | Failed

_ORDERS = msgpack.Decoder(Order)
_REPLIES = msgpack.Decoder(Reply)


class FrameError(Exception):
    """What was received is no message."""


def frame(message: Order | Reply) -> bytes:
    """Return a message as bytes."""
    data = msgpack.encode(message)
    return len(data).to_bytes(PREFIX, "big") + data


def failed(number: int, kind: str, message: str, details: str) -> Failed:
    """Return a fault whose texts are cut so that they fit into a frame."""
    texts = (_sendable(text[:MOST_TEXT]) for text in (message, details))
    return Failed(number, kind, *texts)


def read_order(read: Read) -> Order | None:
    """Return the next message from the table, None at the end of the input; raises FrameError."""
    return _received(read, _ORDERS, None)


def read_reply(read: Read) -> Reply | None:
    """Return the next message from a bot's process, None at the end; raises FrameError."""
    return _received(read, _REPLIES, LONGEST)


def _received(read: Read, decoder: "msgpack.Decoder[M]", most: int | None) -> M | None:
    prefix = _exactly(read, PREFIX)
    if not prefix:
        return None
    length = int.from_bytes(prefix, "big")
    if most is not None and length > most:
        raise FrameError(f"a message of {length} bytes, more than {most}")
    try:
        return decoder.decode(_exactly(read, length))
    except (DecodeError, RecursionError, ValueError) as error:
        raise FrameError(f"no message: {error}") from error


def _exactly(read: Read, length: int) -> bytes:
    """Return so many bytes, or none at the end of the input; raises FrameError in between."""
    parts = bytearray()
    while len(parts) < length:
        part = read(length - len(parts))
        if not part:
            if parts:
                raise FrameError("the output ends within a message")
            break
        parts += part
    return bytes(parts)


def _sendable(text: str) -> str:
    """Return a text without lone surrogates, which UTF-8 cannot have."""
    return text.encode("utf-8", "replace").decode()
