"""Child processes that run Python code of cardhub and exchange msgspec messages with their parent.

A parent calls `start_python` with a `frame_codec`; the function that the child runs opens a
`Channel` to the parent.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Generic, TypeVar

from msgspec import DecodeError, Struct, msgpack

from cardhub.bots.processes.child_process import ChildProcess, Codec, FrameError, Read, write_all
from cardhub.bots.processes.launch import Confinement, HasFileno

Sent = TypeVar("Sent")
Received = TypeVar("Received")
M = TypeVar("M")

# The code that a child runs. The first line of its input has the module search path and the
# arguments. A buffered read of that line could also take bytes of the messages after it.
BOOT = """\
import json, sys
sys.path[:], arguments = json.loads(sys.stdin.buffer.raw.readline())
from {module} import {function}
{function}(*arguments)
"""
# The size in bytes of the length in front of a frame.
PREFIX = 4
# Maximum length of a message or a traceback that is sent, in characters.
MOST_TEXT = 100_000


class Hurry(Struct, tag=True):
    """A request to answer the question of this number soon."""

    number: int


class Ready(Struct, tag=True):
    """The answer to the question of this number that needs no other; 0: the process has started."""

    number: int


class Failed(Struct, tag=True):
    """The answer to a question that raised an error: its name, message and details."""

    number: int
    kind: str
    message: str
    details: str


def build_failed(number: int, kind: str, message: str, details: str) -> Failed:
    """Return an error with its texts truncated to fit into a frame."""
    # Texts of exceptions can have lone surrogates, which UTF-8 cannot.
    texts = (text[:MOST_TEXT].encode("utf-8", "replace").decode() for text in (message, details))
    return Failed(number, kind, *texts)


def start_python(
    function: str,
    arguments: Sequence[object],
    codec: Codec[Sent, Received],
    on_message: Callable[[ChildProcess[Sent, Received], Received], object],
    on_exit: Callable[[ChildProcess[Sent, Received], int, FrameError | None], object],
    confinement: Confinement | None = None,
    stderr: int | HasFileno = subprocess.DEVNULL,
) -> ChildProcess[Sent, Received]:
    """Start a process that calls `function`, named as module:function, with JSON arguments.

    `stderr`: where its errors go, as in `subprocess`; a Channel decides whether it may print.
    A process that closes its output is ended, and killed if it wrote an invalid message. Then the
    reading thread calls `on_exit` with the exit code and the FrameError, or None. Raises OSError.
    """

    def on_end(child: ChildProcess[Sent, Received], error: FrameError | None) -> None:
        if error is None:
            child.close_input()
        else:
            child.kill()
        on_exit(child, child.wait() or 0, error)

    module, _, name = function.partition(":")
    path = sys.path if confinement is None else import_path(Path.cwd())
    return ChildProcess(
        [sys.executable, "-c", BOOT.format(module=module, function=name)],
        codec,
        on_message,
        on_end,
        confinement,
        first=json.dumps([path, arguments]).encode() + b"\n",
        stderr=stderr,
    )


def import_path(folder: Path) -> list[str]:
    """Return the module search path, without `folder` unless packages are installed there.

    Python adds the folder it is started in.
    """
    installed = ("cardhub", "*.dist-info", "*.egg-info")
    if any(any(folder.glob(pattern)) for pattern in installed):
        return sys.path
    return [entry for entry in sys.path if entry and Path(entry) != folder]


class Channel(Generic[Received]):
    """A child's pipes to its parent, separate from the standard streams.

    Otherwise third-party code that prints or reads would corrupt the exchange of messages. With
    `keeps_output` what it prints goes to stderr, else it is discarded, as are its errors.
    """

    def __init__(self, decoder: "msgpack.Decoder[Received]", *, keeps_output: bool = False) -> None:
        self._decoder = decoder
        self._input, self._output = os.dup(0), os.dup(1)
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, 0)
        if keeps_output:
            os.dup2(2, 1)
            # A process can end at any time, and the rest of a buffer would be lost.
            if isinstance(sys.stdout, TextIOWrapper):
                sys.stdout.reconfigure(line_buffering=True)
        else:
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
        os.close(nowhere)

    def receive(self) -> Received | None:
        """Return the next message, or None at the end of the input; reads no further byte."""
        # No limit: these messages come from the parent, not from third-party code.
        return read_frame(partial(os.read, self._input), self._decoder, None)

    def send(self, message: Struct) -> None:
        """Write a message."""
        write_all(partial(os.write, self._output), frame(message))


def frame_codec(
    decoder: "msgpack.Decoder[Received]", most: int | None = None
) -> Codec[Any, Received]:
    """Return the codec of a parent whose child sends frames of up to `most` bytes."""

    def messages(read: Read) -> Iterable[Received]:
        return iter(partial(read_frame, read, decoder, most), None)

    return Codec(frame, messages)


def frame(message: Struct) -> bytes:
    """Return a message as a frame: its length, then its bytes in msgpack."""
    data = msgpack.encode(message)
    return len(data).to_bytes(PREFIX, "big") + data


def read_frame(read: Read, decoder: "msgpack.Decoder[M]", most: int | None) -> M | None:
    """Return the next message, or None at the end of the input; raises FrameError.

    `most`: the maximum length of a frame in bytes, or None; longer frames are rejected unread.
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
        raise FrameError(f"not a message: {error}") from error


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
