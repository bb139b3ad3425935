"""A process of their own for the bots of a table: whatever they do there, the table goes on."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Lock, Thread
from typing import IO, Any

from cardhub.bots.bot import Rated
from cardhub.bots.external import guard
from cardhub.errors import BotCrashError, BotFaultError
from cardhub.hidden.observation import Observation
from cardhub.hidden.packing import pack
from cardhub.play.bot_worker import FAREWELL, Content, Fault, Hurry, Question
from cardhub.play.lineup import Lineup
from cardhub.play.thinking import Hear

BOOT = "import sys; sys.path[:] = sys.argv[1:]; from cardhub.play.bot_worker import serve; serve()"
IS_GUARDED = os.name == "posix"
KILLED = 128
"""An exit code above it tells the signal that ended a process."""


class BotProcess:
    """A Thinker: one process for all bots of a lineup, started when it is needed.

    A bot keeps its memory as long as the process runs. If that ends by itself, the question under
    way, or else the next one, is answered with BotCrashError; the one after that starts another
    process with new bots.
    """

    def __init__(self, lineup: Lineup) -> None:
        self._lineup = lineup
        self._lock = Lock()
        self._running: Running | None = None
        self._number = 0
        self._hear: Hear | None = None
        self._crash: BotCrashError | None = None

    def start(self) -> None:
        """See Thinker; raises OSError if no process can be started."""
        with self._lock:
            if self._running is None and self._crash is None:
                self._running = Running(self._lineup, self._heard, self._ended)

    def ask(self, observation: Observation[Any], hear: Hear) -> None:
        """See Thinker."""
        try:
            self.start()
        except OSError as error:
            hear(BotCrashError(f"no process for bots can be started: {error.strerror}"))
            return
        with self._lock:
            crash, self._crash = self._crash, None
            running = self._running
            if crash is None and running is not None:
                self._number += 1
                self._hear = hear
                running.tell(Question(self._number, pack(observation)))
                return
        hear(crash or BotCrashError("the process in which it was to think ended at once"))

    def hurry(self) -> None:
        """See Thinker."""
        with self._lock:
            if self._running and self._hear:
                self._running.tell(Hurry(self._number))

    def stop(self) -> None:
        """See Thinker; if a question is under way, the process is killed."""
        with self._lock:
            running = self._running
            if running is None or self._hear is None:
                return
            self._running = self._hear = None
        running.kill()

    def close(self) -> None:
        """End the process: its bots are closed, or killed if they take long."""
        with self._lock:
            running, self._running = self._running, None
            self._hear = None
        if running is not None:
            running.end()

    def _heard(self, running: "Running", number: int, content: Content) -> None:
        with self._lock:
            if running is not self._running or number != self._number or self._hear is None:
                return
            hear, self._hear = self._hear, None
        hear(_answer(content))

    def _ended(self, running: "Running", code: int) -> None:
        with self._lock:
            if running is not self._running:
                return  # it was to end
            self._running = None
            hear, self._hear = self._hear, None
            crash = BotCrashError(_cause(code))
            if hear is None and not self._lineup.advises:
                self._crash = crash
        if hear is not None:
            hear(crash)


class Running:
    """One process, with threads that write to it and read from it."""

    def __init__(
        self,
        lineup: Lineup,
        heard: Callable[["Running", int, Content], None],
        ended: Callable[["Running", int], None],
    ) -> None:
        self._heard = heard
        self._ended = ended
        self._process = _start()
        self._outbox: SimpleQueue[object] = SimpleQueue()
        self.tell(lineup)
        if self._process.stdin is None or self._process.stdout is None:
            raise AssertionError  # for mypy: both are pipes
        Thread(target=self._write, args=(self._process.stdin,), daemon=True).start()
        Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()

    def tell(self, message: object) -> None:
        """Send a message, without waiting until it is read."""
        self._outbox.put(message)

    def end(self) -> None:
        """Have the process end by itself, but not take its time for it."""
        self.tell(None)
        try:
            self._process.wait(2 * FAREWELL)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End the process, and what it has started in its group, at once."""
        self.tell(None)
        if IS_GUARDED:
            self._process.terminate()  # the guard's word for killing them all
        else:
            self._process.kill()

    def _write(self, pipe: IO[bytes]) -> None:
        with suppress(OSError), pipe:
            while (message := self._outbox.get()) is not None:
                pickle.dump(message, pipe)
                pipe.flush()

    def _read(self, pipe: IO[bytes]) -> None:
        with suppress(Exception), pipe:  # whatever ends the output
            while True:
                self._heard(self, *pickle.load(pipe))
        self._outbox.put(None)
        self._ended(self, self._process.wait())


def _start() -> "subprocess.Popen[bytes]":
    words = [sys.executable, "-c", BOOT, *sys.path]
    if IS_GUARDED:
        words = [sys.executable, "-I", "-S", guard.__file__, str(os.getpid()), *words]
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    return subprocess.Popen(
        words, stdin=pipe, stdout=pipe, stderr=nowhere, start_new_session=IS_GUARDED
    )


def _answer(content: Content) -> int | list[Rated] | BotFaultError:
    if isinstance(content, Fault):
        kinds = {kind.fault: kind for kind in BotFaultError.__subclasses__()}
        kind = kinds.get(content.kind, BotFaultError)
        return kind(content.message, details=content.details)
    return content if isinstance(content, int) else [Rated(*each) for each in content]


def _cause(code: int) -> str:
    how = f"was killed by signal {code - KILLED}" if code > KILLED else f"ended with code {code}"
    return f"the process in which it thought {how}; it has forgotten this game and begins anew"
