"""A pool of running programs, each playing one game after another."""

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
    """Parameters for starting a program.

    The words of its command, the file for a dialogue log, and the names of further environment
    variables.
    """

    words: tuple[str, ...]
    log: str
    variables: tuple[str, ...] = ()


class Programs:
    """Starts programs, lends each for one game at a time, and ends them all when it is closed.

    It is closed on finalization, too. Each program has a private folder and a filtered environment,
    and runs in the sandbox if there is one.
    """

    def __init__(self, sandbox: Sandbox | None = None) -> None:
        self._sandbox = sandbox
        self._lock = RLock()  # finalizers can run at any moment, in this thread, too
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
        """Return an idle program, or start one.

        Raises BotFaultError if it cannot be started or the handshake fails, BotError if it does not
        play this game.
        """
        # Programs are shared only between bots with equal log and variables.
        launch = Launch(tuple(shlex.split(command)), log, variables)
        program = self._waiting(launch) or self._start(launch, max(seconds, SLOW_START))
        hello = self._hellos[launch]
        if not hello.plays(game):
            self.give_back(program)
            known = ", ".join(hello.games or ()) or "no game"
            raise BotError(f"{command}: {hello.name} plays {known}, not {game}")
        return program

    def give_back(self, program: Program) -> None:
        """Return a program to the pool after its game."""
        with self._lock:
            # None after `close`: the program is being ended already.
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
        """End all programs: their input is closed, and those that keep running are killed."""
        with self._lock:
            self._idle.clear()
            self._launches.clear()
        end_all(self._living, os.getpid())

    def _waiting(self, launch: Launch) -> Program | None:
        while True:
            with self._lock:
                idle = self._idle.get(launch)
                program = idle.pop() if idle else None
            if program is None or program.is_waiting:
                return program
            self.drop(program)  # it has ended, or spoken, since its last game

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
            raise fault.told(f"{fault}\n{hint}".rstrip()) from fault
        return program


@dataclass(frozen=True, slots=True)
class ProgramPool:
    """The value of a Command option: a source of running programs of that command."""

    command: str
    game: str
    programs: Programs = field(repr=False)

    def take(self, seconds: float, log: str = "", variables: tuple[str, ...] = ()) -> Program:
        """Return a program for a game; `seconds` is the time for each answer. See Programs.take."""
        return self.programs.take(self.command, self.game, seconds, log, variables)
