"""The processes of a sharded server: one for each shard, restarted when it ends."""

import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Event, Thread
from time import monotonic

LOG = logging.getLogger("cardhub.online.server")
SIGNALS = [getattr(signal, n) for n in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, n)]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
# Seconds: between checks of the processes, for a clean exit, and before the restart of a process
# that ended soon after its start.
LOOK_EVERY, END_WITHIN, PAUSE = 0.2, 10.0, 2.0


class ShardProcess:
    """A process that is restarted when it ends."""

    def __init__(self, letter: str, command: Sequence[str]) -> None:
        self._letter = letter
        self._command = command
        self._start()

    @property
    def number(self) -> int:
        """The process id."""
        return self._process.pid

    def keep(self) -> None:
        """Restart the process if it has ended."""
        code = self._process.poll()
        if code is None:
            return
        if monotonic() - self._started < PAUSE:
            return  # backoff: it failed soon after its start
        LOG.error("shard %s ended with exit code %s and is restarted", self._letter, code)
        self._close_pipe()
        self._start()

    def end(self) -> None:
        """Request a clean exit; no-op after the process has ended."""
        self._close_pipe()

    @property
    def is_running(self) -> bool:
        """Whether the process is running."""
        return self._process.poll() is None

    def kill(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.wait()

    def _start(self) -> None:
        self._started = monotonic()
        # In a new session, because Ctrl-C at the terminal must reach the parent only. The pipe
        # closes when the parent ends for any reason, and then the shard ends too.
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, start_new_session=os.name == "posix"
        )

    def _close_pipe(self) -> None:
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()


def run_shards(commands: Sequence[Sequence[str]], started: Callable[[], object]) -> None:
    """Keep a process running for each command until a signal; a second signal kills them."""
    with _signals() as (first, second):
        shards = [
            ShardProcess(letter, command)
            for letter, command in zip(LETTERS, commands, strict=False)
        ]
        started()
        while not first.wait(LOOK_EVERY):
            for shard in shards:
                shard.keep()
        for shard in shards:
            shard.end()
        end = monotonic() + END_WITHIN
        while any(shard.is_running for shard in shards) and monotonic() < end:
            if second.wait(LOOK_EVERY):
                break
        for shard in shards:
            shard.kill()


def end_with_parent(end: Callable[[], object]) -> None:
    """Call `end` from another thread when the parent process closes this one's standard input."""

    def watch() -> None:
        with suppress(OSError, ValueError):
            while sys.stdin.buffer.read(1024):
                pass
        end()

    Thread(target=watch, daemon=True).start()


@contextmanager
def _signals() -> Iterator[tuple[Event, Event]]:
    """Yield two events: the first and the second signal during the block set them."""
    first, second = Event(), Event()

    def receive(_number: int, _frame: object) -> None:
        (second if first.is_set() else first).set()

    before = {number: signal.signal(number, receive) for number in SIGNALS}
    try:
        yield first, second
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
