"""A child process, and its pipes with a writing and a reading thread."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from shutil import rmtree
from threading import Lock, Thread
from typing import IO, Generic, TypeVar

from cardhub.bots.processes import guard
from cardhub.bots.processes.control_groups import NO_USAGE, Usage
from cardhub.bots.processes.launch import IS_GUARDED, Confinement, HasFileno, start

Sent = TypeVar("Sent")
Received = TypeVar("Received")

# Seconds after the end of its input until the guard has ended a process.
PATIENCE = guard.GRACE + guard.LAST_GRACE + 0.5

# A function that reads up to a number of bytes and returns b"" at the end of the input.
Read = Callable[[int], bytes]


def write_all(write: Callable[[memoryview], int], data: bytes) -> None:
    """Write data to an unbuffered pipe, which may accept only a part of it at a time."""
    remaining = memoryview(data)
    while remaining:
        remaining = remaining[write(remaining) :]


class FrameError(Exception):
    """The received data is not a valid message, or not an expected one."""


@dataclass(frozen=True, slots=True)
class Codec(Generic[Sent, Received]):
    """The encoding of messages to and from a process; `decode` raises FrameError."""

    encode: Callable[[Sent], bytes]
    decode: Callable[[Read], Iterable[Received]]


class ChildProcess(Generic[Sent, Received]):
    """A running process; only the methods `wait`, `end` and `reap` block.

    The reading thread calls `on_message` with every message. At the end of the output it calls
    `on_end` with the FrameError that `on_message` or the codec raised, or None. Raises OSError, or
    ValueError for a NUL in a word, if the process cannot be started.
    """

    def __init__(
        self,
        words: Sequence[str],
        codec: Codec[Sent, Received],
        on_message: Callable[["ChildProcess[Sent, Received]", Received], object],
        on_end: Callable[["ChildProcess[Sent, Received]", FrameError | None], object],
        confinement: Confinement | None,
        *,
        first: bytes = b"",
        stderr: int | HasFileno = subprocess.DEVNULL,
    ) -> None:
        self._codec = codec
        self._on_message = on_message
        self._on_end = on_end
        self._process, self._folder, self._group = start(words, confinement, stderr=stderr)
        self._last_usage = NO_USAGE
        self._group_lock = Lock()
        limits = confinement.limits if confinement else None
        self._may_ponder = limits is None or limits.ponder
        self._is_paused = False
        self.stderr = self._process.stderr
        # Sending must not block the sender if the process does not read, so a thread writes.
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        self._outbox.put(first)
        if self._process.stdin is None or self._process.stdout is None:
            raise AssertionError  # for mypy: both are pipes
        Thread(target=self._write, args=(self._process.stdin,), daemon=True).start()
        Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()

    @property
    def pid(self) -> int:
        """The number of the process, or of its guard if it has one."""
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    def usage(self) -> Usage:
        """Return the use of the process and its children; it is 0 without a group."""
        with self._group_lock:
            return self._measure()

    def pause(self) -> None:
        """Stop the process until `resume`, unless it may ponder."""
        if not self._may_ponder:
            self._set_paused(is_paused=True)

    def resume(self) -> None:
        """Continue a stopped process."""
        self._set_paused(is_paused=False)

    def send(self, message: Sent) -> None:
        """Queue a message for sending."""
        self._outbox.put(self._codec.encode(message))

    def close_input(self) -> None:
        """Close the process's input after all messages are written."""
        self.resume()
        self._outbox.put(None)

    def wait(self, seconds: float | None = None) -> int | None:
        """Return the exit code, or None if the process still runs after `seconds`."""
        try:
            code = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        if self._folder is not None:  # the guard, if there is one, has removed it
            rmtree(self._folder, ignore_errors=True)
        self._end_group()
        return code

    def end(self) -> None:
        """Close the process's input, kill the process after a timeout, and wait for its end."""
        self.close_input()
        if self.wait(PATIENCE) is None:
            self.kill()
            self.reap()

    def kill(self) -> None:
        """Kill the process and its process group."""
        self.usage()  # how long it waited for a processor is unknown after its end
        self.close_input()
        if IS_GUARDED:
            self._process.terminate()  # on SIGTERM the guard kills the whole group
        else:
            self._process.kill()

    def reap(self) -> None:
        """Wait for the end of a process that is killed."""
        if self.wait(PATIENCE) is None:  # the guard hangs, too
            self._process.kill()
            self.wait()

    def _set_paused(self, *, is_paused: bool) -> None:
        with self._group_lock:
            # Before its first pause, a guard may not expect these signals yet.
            if is_paused == self._is_paused:
                return
            self._is_paused = is_paused
            if self._group is not None:
                (self._group.freeze if is_paused else self._group.thaw)()
            elif sys.platform != "win32" and IS_GUARDED and self._process.poll() is None:
                self._process.send_signal(signal.SIGUSR1 if is_paused else signal.SIGUSR2)

    def _end_group(self) -> None:
        with self._group_lock:
            self._measure()
            group, self._group = self._group, None
        if group is not None:
            group.close()

    def _measure(self) -> Usage:
        """Return the present or last use; `_group_lock` is held."""
        if self._group is not None:
            usage, before = self._group.usage(), self._last_usage
            # Without this it would decrease, because ended processes are not counted.
            self._last_usage = usage._replace(waited=max(usage.waited, before.waited))
        return self._last_usage

    def _write(self, pipe: IO[bytes]) -> None:
        # If the process has closed its end, the reading thread reports it.
        with suppress(OSError), pipe:
            while (data := self._outbox.get()) is not None:
                write_all(pipe.write, data)

    def _read(self, pipe: IO[bytes]) -> None:
        frame_error: FrameError | None = None
        try:
            with pipe:
                for message in self._codec.decode(partial(os.read, pipe.fileno())):
                    self._on_message(self, message)
        except FrameError as error:
            frame_error = error
        except OSError:
            pass  # the process has ended
        self._on_end(self, frame_error)
