"""Run the bots of a table in a separate process: their faults do not stop the table."""

import os
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from threading import Lock
from typing import Any

from typing_extensions import override

from cardhub.base.errors import BotCrashError, BotFaultError
from cardhub.bots.external.program import CUT_OFF, MOST_REMARKS
from cardhub.bots.processes.child_process import FrameError
from cardhub.bots.processes.control_groups import NO_USAGE, Usage
from cardhub.bots.processes.launch import Confinement
from cardhub.bots.processes.python_process import Hurry, start_python
from cardhub.model.hidden.observation import Observation
from cardhub.play.workers.bot_messages import (
    REPLY_CODEC,
    BotChild,
    End,
    Lineup,
    Order,
    Prepare,
    Question,
    Reply,
)
from cardhub.play.workers.client import BotClient, OnAnswer, answer_of, end_fault, pack

# Whether every game gets a fork: on other systems some libraries do not support forks.
FORKS = sys.platform == "linux"


class OutputFile:
    """A file without a name, to which a process writes; `take` empties it.

    It is a file and no pipe, because everything is there as soon as the process has written it.
    """

    def __init__(self) -> None:
        with TemporaryFile() as file:
            self._number = os.dup(file.fileno())
        weakref.finalize(self, os.close, self._number)

    def fileno(self) -> int:
        """Return the number of the open file."""
        return self._number

    def take(self) -> str:
        """Return what was written since the last call, up to MOST_REMARKS bytes."""
        os.lseek(self._number, 0, os.SEEK_SET)
        data = os.read(self._number, MOST_REMARKS + 1)
        # The process shares the position, and goes on writing at the beginning.
        os.lseek(self._number, 0, os.SEEK_SET)
        os.ftruncate(self._number, 0)
        text = data[:MOST_REMARKS].decode("utf-8", "replace")
        return text + CUT_OFF if len(data) > MOST_REMARKS else text


class BotProcess(BotClient):
    """A BotClient: one process for all bots of a lineup, started when it is needed.

    Bots keep their memory as long as the process runs. If it crashes, the pending question, or
    else the next one, is answered with BotCrashError; the question after that starts another
    process with new bots. `renew` starts the first game, if there is no lineup, or another game in
    the same process. `directories`: the folders of plugins. Without a confinement it inherits the
    working folder and environment. A level's search has up to `workers` processes. `third_party`:
    the names of the third-party plugins for any game that it may import, by default all.
    `has_forks`: whether every game is played in a fork of the process. `keeps_output`: whether what
    bots print is kept for `take_output`.
    """

    def __init__(
        self,
        directories: Iterable[Path],
        lineup: Lineup | None = None,
        confinement: Confinement | None = None,
        workers: int = 1,
        third_party: Iterable[str] | None = None,
        *,
        has_forks: bool = FORKS,
        keeps_output: bool = False,
    ) -> None:
        self._directories = [os.fspath(path) for path in directories]
        self._lineup = lineup
        self._confinement = confinement
        self._workers = workers
        self._third_party = None if third_party is None else list(third_party)
        self._has_forks = has_forks
        self._output = OutputFile() if keeps_output else None
        self._lock = Lock()
        self._running: BotChild | None = None
        self._metered: BotChild | None = None
        self._number = self._answered = 0
        self._legal: Sequence[int] | None = None
        self._on_answer: OnAnswer | None = None
        self._crash: BotFaultError | None = None

    @override
    def start(self) -> None:
        with self._lock:
            if self._running is None and self._crash is None:
                self._running = start_python(
                    "cardhub.play.workers.worker:serve_games",
                    [
                        self._directories,
                        self._workers,
                        self._confinement is not None,
                        self._third_party,
                        self._has_forks,
                        self._output is not None,
                    ],
                    REPLY_CODEC,
                    self._on_reply,
                    self._on_exit,
                    self._confinement,
                    self._output or subprocess.DEVNULL,
                )
                self._metered = self._running
                if self._lineup is not None:
                    self._running.send(self._lineup)

    def renew(self, lineup: Lineup) -> None:
        """Start another game with new bots of the same plugins; the previous game is over."""
        self.rest()
        with self._lock:
            self._lineup = lineup
            if self._running is not None:
                self._running.send(lineup)

    def rest(self) -> None:
        """End the game and close its bots, but keep the process."""
        with self._lock:
            self._crash = None
            if self._running is not None and self._lineup is not None:
                self._running.send(End())
            self._lineup = None

    @override
    def reseat(self, lineup: Lineup) -> None:
        with self._lock:
            self._lineup = lineup
            if self._running is not None:
                self._running.send(lineup)

    def prepare(self, seat: int, on_answer: OnAnswer) -> None:
        """Create the bot of a seat; `on_answer` is called with True, or with a BotFaultError."""
        self._send(lambda number: Prepare(number, seat), None, on_answer)

    @override
    def ask(self, observation: Observation[Any], on_answer: OnAnswer) -> None:
        packed = pack(observation, on_answer)
        if packed is None:
            return
        # Ratings are shown as they are, so they are checked here; the referee checks a chosen
        # action.
        legal = observation.legal() if self._lineup and self._lineup.advises else None
        self._send(lambda number: Question(number, packed), legal, on_answer)

    @override
    def hurry(self) -> None:
        with self._lock:
            if self._running and self._on_answer:
                self._running.send(Hurry(self._number))

    @override
    def stop(self) -> None:
        # The bot may never answer, and cannot be interrupted from here: its process is killed.
        with self._lock:
            running = self._running
            if running is None or self._on_answer is None:
                return
            self._running = self._on_answer = None
        running.kill()

    def pause(self) -> None:
        """Stop the process, if it may not ponder, until `resume`."""
        if (running := self._running) is not None:
            running.pause()

    def resume(self) -> None:
        """Continue a stopped process."""
        if (running := self._running) is not None:
            running.resume()

    def usage(self) -> Usage:
        """Return what the last process has used."""
        return self._metered.usage() if self._metered else NO_USAGE

    def take_output(self) -> str:
        """Return what bots have printed since the last call, without too much."""
        return self._output.take() if self._output else ""

    @property
    def is_usable(self) -> bool:
        """Always true: another process replaces one that has ended."""
        return True

    def close_input(self) -> None:
        """Close the input of the process, which then closes its bots."""
        with self._lock:
            self._on_answer = None
            if self._running is not None:
                self._running.close_input()

    def kill(self) -> None:
        """Kill the process."""
        running = self._release()
        if running is not None:
            running.kill()

    def close(self) -> None:
        """End the process: its bots are closed, or killed after a timeout."""
        running = self._release()
        if running is not None:
            running.end()

    def _release(self) -> BotChild | None:
        with self._lock:
            running, self._running = self._running, None
            self._on_answer = None
            return running

    def _send(
        self, order: Callable[[int], Order], legal: Sequence[int] | None, on_answer: OnAnswer
    ) -> None:
        try:
            self.start()
        except OSError as error:
            on_answer(BotCrashError(f"no process for bots can be started: {error.strerror}"))
            return
        with self._lock:
            # A crash between two questions is reported once, by the next one.
            crash, self._crash = self._crash, None
            running = self._running
            if crash is None and running is not None:
                self._number += 1
                self._on_answer, self._legal = on_answer, legal
                running.send(order(self._number))
                return
        on_answer(crash or BotCrashError("its process ended at once"))

    def _on_reply(self, running: BotChild, reply: Reply) -> None:
        # Called by the thread that reads. A hostile bot may control the process: an answer counts
        # only if its number belongs to a question without an answer.
        with self._lock:
            is_due = self._answered < reply.number <= self._number
            on_answer = self._on_answer
            if running is not self._running or on_answer is None or not is_due:
                raise FrameError("an answer without a question")
            self._answered = reply.number
            # `on_answer` is called without the lock, because it may ask the next question.
            if reply.number < self._number:
                return  # to a superseded question
            self._on_answer = None
            legal = self._legal
        on_answer(answer_of(reply, legal))

    def _on_exit(self, running: BotChild, code: int, wrong: FrameError | None) -> None:
        fault = end_fault(code, wrong)
        with self._lock:
            if running is not self._running:
                return  # it was ended on purpose
            self._running = None
            on_answer, self._on_answer = self._on_answer, None
            if on_answer is None and self._lineup is not None and not self._lineup.advises:
                # The next question is answered with the crash, because the bots have lost the game.
                self._crash = fault
        if on_answer is not None:
            on_answer(fault)
