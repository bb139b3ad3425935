"""A child process and its pipes, with one thread that writes to it and one that reads from it."""

import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import IO, Generic, TypeVar

from msgspec import DecodeError, Struct, msgpack

from cardhub.bots.processes import guard
from cardhub.bots.processes.launch import IS_GUARDED, Confinement, start

Sent = TypeVar("Sent")
Received = TypeVar("Received")

# Seconds in which the guard of a process ends it, after the end of its input.
PATIENCE = guard.GRACE + guard.LAST_GRACE + 0.5

# Reads up to a number of bytes; returns b"" at the end of the input.
Read = Callable[[int], bytes]


class FrameError(Exception):
    """The received data is not a message, or not one that is due."""


@dataclass(frozen=True, slots=True)
class Codec(Generic[Sent, Received]):
    """The encoding of messages to a process and from it; `decode` raises FrameError."""

    encode: Callable[[Sent], bytes]
    decode: Callable[[Read], Iterator[Received]]


class ChildProcess(Generic[Sent, Received]):
    """A running process; no method but `wait`, `end` and `reap` blocks.

    In the thread that reads, `heard` is called with every message and then `closed` at the end of
    the output, with the FrameError that `heard` or the codec raised, if any. Raises OSError, or
    ValueError for a NUL in a word, if the process cannot be started.
    """

    def __init__(
        self,
        words: Sequence[str],
        codec: Codec[Sent, Received],
        heard: Callable[["ChildProcess[Sent, Received]", Received], object],
        closed: Callable[["ChildProcess[Sent, Received]", FrameError | None], object],
        confinement: Confinement | None,
        *,
        first: bytes = b"",
        stderr: int = subprocess.DEVNULL,
    ) -> None:
        self._codec = codec
        self._heard = heard
        self._closed = closed
        self._started = start(words, confinement, stderr=stderr)
        self._process = self._started.process
        self.stderr = self._process.stderr
        # Sending never blocks: a process that does not read must not stop the one that sends.
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        self._outbox.put(first)
        if self._process.stdin is None or self._process.stdout is None:
            raise AssertionError  # for mypy: both are pipes
        Thread(target=self._write, args=(self._process.stdin,), daemon=True).start()
        Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()

    @property
    def pid(self) -> int:
        """Number of the process, or of its guard if it has one."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def send(self, message: Sent) -> None:
        """Queue a message for sending."""
        self._outbox.put(self._codec.encode(message))

    def close_input(self) -> None:
        """Close the process's input once all messages are written."""
        self._outbox.put(None)

    def wait(self, seconds: float | None = None) -> int | None:
        """Return the exit code; None if the process still runs after a timeout in seconds."""
        try:
            code = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        self._started.clean_up()
        return code

    def end(self, patience: float) -> None:
        """Let the process exit, and kill it after a timeout in seconds."""
        self.close_input()
        if self.wait(patience) is None:
            self.kill()

    def kill(self) -> None:
        """Kill the process and its process group."""
        self.close_input()
        if IS_GUARDED:
            self._process.terminate()  # on SIGTERM the guard kills the whole group
        else:
            self._process.kill()

    def reap(self) -> None:
        """Wait for a process that was told to end."""
        if self.wait(PATIENCE) is None:  # not even the guard answers
            self._process.kill()
            self.wait()

    def _write(self, pipe: IO[bytes]) -> None:
        # A process that has closed its end is reported by the thread that reads.
        with suppress(OSError), pipe:
            while (data := self._outbox.get()) is not None:
                left = memoryview(data)
                while left:
                    # The pipe is unbuffered, so a write may take only a part.
                    left = left[pipe.write(left) :]

    def _read(self, pipe: IO[bytes]) -> None:
        wrong: FrameError | None = None
        try:
            with pipe:
                for message in self._codec.decode(partial(os.read, pipe.fileno())):
                    self._heard(self, message)
        except FrameError as error:
            wrong = error
        except OSError:
            pass  # the process has ended
        # The last call: no message is heard after it.
        self._closed(self, wrong)


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
