"""Frames between processes: the length in four bytes, then a message in MessagePack."""

import os
from typing import TypeVar

from msgspec import DecodeError, Struct, msgpack

from cardhub.bots.processes.child_process import FrameError, Read

# Size of the length before a frame, in bytes.
PREFIX = 4

M = TypeVar("M")


def frame(message: Struct) -> bytes:
    """Return a message as bytes."""
    data = msgpack.encode(message)
    return len(data).to_bytes(PREFIX, "big") + data


def received(read: Read, decoder: "msgpack.Decoder[M]", most: int | None) -> M | None:
    """Return the next message, None at the end of the input; raises FrameError.

    A frame of more than `most` bytes is rejected unread.
    """
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


def take_pipes() -> tuple[int, int]:
    """Return the standard input and output, which are then those of a process without any."""
    # Code that prints would write into the middle of a message, and one that reads would take one.
    orders, answers = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    os.close(nowhere)
    return orders, answers


def write_all(pipe: int, data: bytes) -> None:
    """Write bytes to a pipe, which may take only a part at a time."""
    left = memoryview(data)
    while left:
        left = left[os.write(pipe, left) :]


def _exactly(read: Read, length: int) -> bytes:
    """Return `length` bytes, or b"" at the end of the input; raises FrameError for fewer."""
    parts = bytearray()
    while len(parts) < length:
        part = read(length - len(parts))
        if not part:
            if parts:
                raise FrameError("the output ends within a message")
            break
        parts += part
    return bytes(parts)
