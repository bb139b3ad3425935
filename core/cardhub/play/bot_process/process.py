"""Run the bots of a table in a process of their own, so that their faults cannot stop the table."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from math import isfinite
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import IO, Any

from cardhub.bots.bot import Rated
from cardhub.bots.external.launch import IS_GUARDED, Confinement, start
from cardhub.errors import (
    BotCrashError,
    BotExceptionError,
    BotFaultError,
    BotGarbageError,
    BotIllegalError,
)
from cardhub.hidden.observation import Observation
from cardhub.hidden.serialization import serialize
from cardhub.play.bot_process.client import Hear
from cardhub.play.bot_process.lineup import Lineup
from cardhub.play.bot_process.messages import (
    Advised,
    Begin,
    Chosen,
    End,
    Failed,
    FrameError,
    Hurry,
    Order,
    Prepare,
    Question,
    Ready,
    Reply,
    Setup,
    frame,
    read_reply,
)
from cardhub.play.bot_process.worker import FAREWELL

BOOT = """\
import json, sys
sys.path[:] = json.loads(sys.stdin.buffer.raw.readline())
from cardhub.play.bot_process.worker import serve
serve()
"""
"""Code that the process runs; its first line of input is the module search path."""
KILLED = 128
"""Exit codes above it are this number plus a signal's."""


class BotProcess:
    """A BotClient: one process for all bots of a lineup, started when it is needed.

    Bots keep their memory as long as the process runs. If it crashes, the pending question, or
    else the next one, is answered with BotCrashError; the question after that starts another
    process with new bots. `renew` reuses the process for another game. Without a confinement
    it inherits the working folder and environment.
    """

    def __init__(self, lineup: Lineup, confinement: Confinement | None = None) -> None:
        self._confinement = confinement
        self._lineup: Lineup | None = lineup
        self._directories = lineup.directories
        self._lock = Lock()
        self._running: ChildProcess | None = None
        self._number = self._answered = 0
        self._legal: Sequence[int] | None = None
        self._hear: Hear | None = None
        self._crash: BotFaultError | None = None

    def start(self) -> None:
        """See BotClient; raises OSError if no process can be started."""
        with self._lock:
            if self._running is None and self._crash is None and self._lineup is not None:
                self._running = ChildProcess(
                    self._directories, self._confinement, self._heard, self._ended
                )
                self._running.tell(_begin(self._lineup))

    def renew(self, lineup: Lineup) -> None:
        """Start another game with new bots of the same plugins; the previous game is over."""
        self.rest()
        with self._lock:
            self._lineup = lineup
            if self._running is not None:
                self._running.tell(_begin(lineup))

    def rest(self) -> None:
        """End the game and close its bots, but keep the process."""
        with self._lock:
            self._crash = None
            if self._running is not None and self._lineup is not None:
                self._running.tell(End())
            self._lineup = None

    def prepare(self, seat: int, hear: Hear) -> None:
        """Create the bot of a seat; `hear` is called with True, or with a BotFaultError."""
        self._send(lambda number: Prepare(number, seat), None, hear)

    def ask(self, observation: Observation[Any], hear: Hear) -> None:
        """See BotClient."""
        try:
            packed = serialize(observation)
        except TypeError as error:
            hear(BotExceptionError(f"{observation.game.name} cannot be played there: {error}"))
            return
        legal = observation.legal() if self._lineup and self._lineup.advises else None
        self._send(lambda number: Question(number, packed), legal, hear)

    def hurry(self) -> None:
        """See BotClient."""
        with self._lock:
            if self._running and self._hear:
                self._running.tell(Hurry(self._number))

    def stop(self) -> None:
        """See BotClient; if a question is pending, the process is killed."""
        with self._lock:
            running = self._running
            if running is None or self._hear is None:
                return
            self._running = self._hear = None
        running.kill()

    def close(self) -> None:
        """End the process: its bots are closed, or killed after a timeout."""
        with self._lock:
            running, self._running = self._running, None
            self._hear = None
        if running is not None:
            running.end()

    def _send(self, order: Callable[[int], Order], legal: Sequence[int] | None, hear: Hear) -> None:
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
                self._hear, self._legal = hear, legal
                running.tell(order(self._number))
                return
        hear(crash or BotCrashError("its process ended at once"))

    def _heard(self, running: "ChildProcess", reply: Reply) -> None:
        with self._lock:
            is_due = self._answered < reply.number <= self._number
            hear = self._hear
            if running is not self._running or hear is None or not is_due:
                raise FrameError("an answer without a question")
            self._answered = reply.number
            if reply.number < self._number:
                return  # to a superseded question
            self._hear = None
            legal = self._legal
        hear(_answer(reply, legal))

    def _ended(self, running: "ChildProcess", fault: BotFaultError) -> None:
        with self._lock:
            if running is not self._running:
                return  # it was ended on purpose
            self._running = None
            hear, self._hear = self._hear, None
            if hear is None and self._lineup is not None and not self._lineup.advises:
                self._crash = fault
        if hear is not None:
            hear(fault)


class ChildProcess:
    """A running process, with one thread that writes to it and one that reads from it."""

    def __init__(
        self,
        directories: Sequence[os.PathLike[str]],
        confinement: Confinement | None,
        heard: Callable[["ChildProcess", Reply], None],
        ended: Callable[["ChildProcess", BotFaultError], None],
    ) -> None:
        self._heard = heard
        self._ended = ended
        nowhere = subprocess.DEVNULL
        self._started = start([sys.executable, "-c", BOOT], confinement, stderr=nowhere)
        self._process = self._started.process
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        is_confined = confinement is not None
        modules = import_path(Path.cwd()) if is_confined else sys.path
        self._outbox.put(json.dumps(modules).encode() + b"\n")
        self.tell(Setup([os.fspath(path) for path in directories], owns_folder=is_confined))
        if self._process.stdin is None or self._process.stdout is None:
            raise AssertionError  # for mypy: both are pipes
        Thread(target=self._write, args=(self._process.stdin,), daemon=True).start()
        Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()

    def tell(self, message: Order) -> None:
        """Queue a message for sending."""
        self._outbox.put(frame(message))

    def end(self) -> None:
        """Let the process exit, and kill it after a timeout."""
        self._outbox.put(None)
        try:
            self._process.wait(2 * FAREWELL)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """Kill the process and its process group at once."""
        self._outbox.put(None)
        if IS_GUARDED:
            self._process.terminate()  # the guard's word for killing them all
        else:
            self._process.kill()

    def _write(self, pipe: IO[bytes]) -> None:
        with suppress(OSError), pipe:
            while (message := self._outbox.get()) is not None:
                left = memoryview(message)
                while left:
                    left = left[pipe.write(left) :]

    def _read(self, pipe: IO[bytes]) -> None:
        read = partial(os.read, pipe.fileno())
        fault: BotFaultError | None = None
        try:
            with pipe:
                while (reply := read_reply(read)) is not None:
                    self._heard(self, reply)
        except FrameError as error:
            fault = BotGarbageError(f"its process wrote an invalid message: {error}")
            self.kill()
        except OSError:
            pass  # the end of the process is reported below
        self._outbox.put(None)
        code = self._process.wait()
        self._started.clean_up()
        self._ended(self, fault or BotCrashError(_cause(code)))


def import_path(folder: Path) -> list[str]:
    """Return the module search path, without `folder` unless packages are installed there.

    Python adds the folder it is started in.
    """
    installed = ("cardhub", "*.dist-info", "*.egg-info")
    if any(any(folder.glob(pattern)) for pattern in installed):
        return sys.path
    return [entry for entry in sys.path if entry and Path(entry) != folder]


def _begin(lineup: Lineup) -> Begin:
    return Begin(lineup.game, dict(lineup.specs), dict(lineup.seeds), lineup.advises)


def _answer(reply: Reply, legal: Sequence[int] | None) -> bool | int | list[Rated] | BotFaultError:
    if isinstance(reply, Failed):
        kinds = {kind.fault: kind for kind in BotFaultError.__subclasses__()}
        return kinds.get(reply.kind, BotFaultError)(reply.message, details=reply.details)
    if isinstance(reply, Ready):
        return True
    if isinstance(reply, Chosen) and legal is None:
        return reply.action
    if isinstance(reply, Advised) and legal is not None:
        rated = [Rated(*each) for each in reply.rated]
        if rated and all(r.action in legal and isfinite(r.value) for r in rated):
            return rated
    return BotIllegalError("its process returned an invalid answer")


def _cause(code: int) -> str:
    how = f"was killed by signal {code - KILLED}" if code > KILLED else f"ended with code {code}"
    return f"its process {how}; a new bot without memory of this game takes over"
