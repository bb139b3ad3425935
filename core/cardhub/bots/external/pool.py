"""A pool of running programs, which play one game after another."""

import os
import shlex
import weakref
from dataclasses import dataclass, field
from threading import RLock
from typing import NamedTuple

from cardhub.base.errors import BotCrashError, BotError, BotFaultError
from cardhub.bots.external.program import Program, missing_file
from cardhub.bots.external.responses import Hello, greet
from cardhub.bots.processes.launch import Confinement, end_all
from cardhub.bots.processes.sandbox import Sandbox

# Minimum time limit for the handshake, in seconds.
SLOW_START = 10.0


class Launch(NamedTuple):
    """The parameters with which a program is started.

    `words`: its command. `log`: the file for a dialogue log, or empty. `variables`: the names of
    further environment variables.
    """

    words: tuple[str, ...]
    log: str
    variables: tuple[str, ...] = ()


class Programs:
    """A pool that starts programs, lends each of them for one game at a time, and ends them.

    `close` or the finalizer ends all programs. Each program has a private folder and a filtered
    environment, and runs in the sandbox unless it is None.
    """

    def __init__(self, sandbox: Sandbox | None = None) -> None:
        self._sandbox = sandbox
        self._lock = RLock()  # reentrant, because finalizers can run at any time in this thread
        self._hellos: dict[Launch, Hello] = {}
        self._idle: dict[Launch, list[Program]] = {}
        self._launches: dict[Program, Launch] = {}
        self._living: list[Program] = []
        self._end = weakref.finalize(self, end_all, self._living, os.getpid())

    def take(
        self,
        command: str,
        game: str,
        seconds: float,
        log: str = "",
        variables: tuple[str, ...] = (),
    ) -> Program:
        """Return an idle program, or start a new one.

        Raises BotFaultError if the start or the handshake fails, BotError if the program does not
        play this game.
        """
        # Programs are shared only between bots with equal log and variables.
        launch = Launch(tuple(shlex.split(command)), log, variables)
        program = self._pop_idle(launch) or self._start(launch, max(seconds, SLOW_START))
        hello = self._hellos[launch]
        if not hello.plays(game):
            self.give_back(program)
            games = ", ".join(hello.games or ()) or "no game"
            raise BotError(f"{command}: {hello.name} plays {games}, not {game}")
        return program

    def give_back(self, program: Program) -> None:
        """Return a program to the pool after its game."""
        with self._lock:
            # None after `close`, which ends the program.
            launch = self._launches.get(program)
            if launch is not None:
                self._idle.setdefault(launch, []).append(program)

    def drop(self, program: Program) -> None:
        """Kill a program and remove it from the pool."""
        program.kill()
        with self._lock:
            self._launches.pop(program, None)
            if program in self._living:
                self._living.remove(program)

    def close(self) -> None:
        """End all programs: close their input, and kill programs that do not end."""
        with self._lock:
            self._idle.clear()
            self._launches.clear()
        end_all(self._living, os.getpid())

    def _pop_idle(self, launch: Launch) -> Program | None:
        while True:
            with self._lock:
                idle = self._idle.get(launch)
                program = idle.pop() if idle else None
            if program is None or program.is_waiting:
                return program
            self.drop(program)  # since its last game it has ended or written a line

    def _start(self, launch: Launch, seconds: float) -> Program:
        program = Program(launch.words, launch.log, Confinement(launch.variables, self._sandbox))
        with self._lock:
            self._living.append(program)
            self._launches[program] = launch
        try:
            self._hellos[launch] = greet(program, seconds)
        except BotFaultError as fault:
            self.drop(program)
            hint = missing_file(launch.words) if isinstance(fault, BotCrashError) else ""
            raise fault.with_message(f"{fault}\n{hint}".rstrip()) from fault
        return program


@dataclass(frozen=True, slots=True)
class ProgramPool:
    """The value of a Command option, from which a bot borrows running programs of the command."""

    command: str
    game: str
    programs: Programs = field(repr=False)

    def take(self, seconds: float, log: str = "", variables: tuple[str, ...] = ()) -> Program:
        """Return a program for a game; `seconds`: the limit for each answer. See Programs.take."""
        return self.programs.take(self.command, self.game, seconds, log, variables)
