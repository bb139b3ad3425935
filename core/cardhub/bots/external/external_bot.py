"""The bot `cmd`: an external program that chooses every action, lent for one game after another."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from threading import Lock
from typing import Any

from typing_extensions import override

from cardhub.base.errors import BotCrashError, BotError, BotFaultError
from cardhub.bots.bot import Bot, BotEntry, always_uses_clock
from cardhub.bots.external.answers import read_answer, read_hello
from cardhub.bots.external.messages import (
    OVER_MESSAGE,
    game_message,
    greeting,
    is_later,
    turn_message,
)
from cardhub.bots.external.program import Program, missing_file
from cardhub.bots.processes.control_groups import NO_USAGE, ResourceLimits, Usage
from cardhub.bots.processes.launch import Confinement
from cardhub.bots.processes.pool import Pool
from cardhub.bots.processes.sandbox import Place, Sandbox
from cardhub.bots.spec import Command, FileName, Folder, Seconds, Variables
from cardhub.model.hidden.observation import Observation

# Minimum time limit for the handshake, in seconds.
SLOW_START = 10.0


@dataclass(frozen=True, slots=True)
class Launch:
    """The parameters with which a program is started, and its time limit for an answer.

    `words`: its command. `log`: the file for a dialogue log, or empty. `variables`: the names of
    further environment variables. `folder`: where it starts, or empty for a private folder.
    """

    words: tuple[str, ...]
    log: str
    variables: tuple[str, ...]
    folder: str
    # Bots with different limits share their programs.
    seconds: float = field(compare=False)


def start_program(
    launch: Launch, sandbox: Sandbox | None = None, limits: ResourceLimits | None = None
) -> Program:
    """Start a program and perform the handshake; raises BotFaultError.

    The program has a private folder and a filtered environment, and runs in the sandbox, if any,
    and within the limits.
    """
    place = Place(Path(launch.folder).absolute()) if launch.folder else None
    confinement = Confinement(launch.variables, sandbox, place=place, limits=limits)
    program = Program(launch.words, launch.log, confinement)
    try:
        answer = program.ask(greeting(), max(launch.seconds, SLOW_START))
        program.hello = read_hello(answer)
    except BaseException as error:
        program.kill()
        if not isinstance(error, BotFaultError):
            raise
        has_hint = isinstance(error, BotCrashError) and not launch.folder
        hint = missing_file(launch.words) if has_hint else ""
        raise error.with_message(f"{error}\n{hint}".rstrip()) from error
    return program


@dataclass(frozen=True, slots=True)
class ProgramPool:
    """The value of a Command option, from which a bot borrows running programs of the command."""

    command: str
    game: str
    programs: Pool[Launch, Program] = field(repr=False)

    def borrow(
        self, seconds: float, log: str = "", variables: tuple[str, ...] = (), folder: str = ""
    ) -> Program:
        """Return a program for a game; `seconds`: the limit for each answer.

        Raises BotFaultError if the start or the handshake fails, BotError if the program does not
        play this game.
        """
        launch = Launch(tuple(shlex.split(self.command)), log, variables, folder, seconds)
        program = self.programs.borrow(launch)
        hello = program.hello
        if not hello.plays(self.game):
            self.programs.give_back(program)
            games = ", ".join(hello.games or ()) or "no game"
            raise BotError(f"{self.command}: {hello.name} plays {games}, not {self.game}")
        return program


class ExternalBot(Bot):
    """A bot that asks a program, validates its answers, and draws from the policies among them.

    Any thread can call it, one call at a time, and another thread can close it during a call. A
    faulty program is killed; the next call starts another one.
    """

    def __init__(
        self,
        rng: Random,
        command: ProgramPool,
        seconds: str,
        log: str = "",
        env: str = "",
        folder: str = "",
    ) -> None:
        self._pool = command
        self._remarks = ""
        self._usage = NO_USAGE
        self._asked: Program | None = None
        self._borrow = partial(
            command.borrow, float(seconds), log, tuple(filter(None, env.split(","))), folder
        )
        self._seconds = float(seconds)
        self._rng = rng
        self._seed = rng.getrandbits(32)
        self._lock = Lock()
        self._before: Observation[Any] | None = None
        self._is_asked = self._is_closed = False
        self._program: Program | None = self._borrow()
        self.weights: Mapping[int, int] = {}
        """What its last action was drawn by; empty if the program chose it."""

    @property
    def remarks(self) -> str:
        """What its program has written to stderr in this game; complete once it is closed."""
        return self._remarks

    @property
    def usage(self) -> Usage:
        """What its program has used in this game; complete once it is closed."""
        return self._usage

    @property
    def used_since_asked(self) -> Usage:
        """What its program has used since the last question, also if it was killed since."""
        return self._asked.used_since_asked if self._asked else NO_USAGE

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        with self._lock:
            if self._is_closed:
                raise BotError(f"{self._pool.command}: its game is over")
            self._is_asked = True
        try:
            action = self._ask(observation)
        except BaseException:  # a late answer must not be read as the answer to the next question
            self._drop_program()
            raise
        finally:
            self._is_asked = False
        self._before = observation
        return action

    def close(self) -> None:
        """Return the program to the pool, or kill it if an answer is pending; idempotent."""
        # Only the thread that clears the attribute, here or in `_drop_program`, ends the program,
        # so it need not hold the lock.
        with self._lock:
            program, self._program = self._program, None
            is_thinking, self._is_closed = self._is_asked, True
        if program is None:
            return
        if is_thinking:
            self._discard(program)
        else:
            program.tell(OVER_MESSAGE)
            self._note(program)
            self._pool.programs.give_back(program)

    def _ask(self, observation: Observation[Any]) -> int:
        program = self._program or self._start_again()
        # After an undo or for another game, the program gets the game from its start.
        if self._before is not None and not is_later(observation, self._before):
            self._before = None
        if self._before is None:
            program.tell(game_message(observation, self._seed))
        turn = turn_message(observation, self._before, self._seconds)
        self._asked = program
        answer = program.ask(turn, self._seconds)
        action, self.weights = read_answer(answer, observation, self._rng)
        return action

    def _start_again(self) -> Program:
        program = self._borrow()
        # During the start, which takes seconds, the game may be abandoned.
        with self._lock:
            is_late = self._is_closed
            self._program = None if is_late else program
        if is_late:
            self._pool.programs.discard(program)
        return program

    def _drop_program(self) -> None:
        with self._lock:
            program, self._program, self._before = self._program, None, None
        if program is not None:
            self._discard(program)

    def _discard(self, program: Program) -> None:
        self._pool.programs.discard(program)
        self._note(program)

    def _note(self, program: Program) -> None:
        """Keep what a program has written and used in this game."""
        self._remarks += program.take_remarks()
        self._usage = self._usage.joined(program.take_usage())


CMD = BotEntry(
    "cmd",
    "a program of your own, asked over its standard streams: cmd:node my_bot.js",
    ExternalBot,
    options={
        "command": Command("The program and its arguments; must come after the other options."),
        "seconds": Seconds("10", "Time limit for one answer.", 0.01, 86400),
        "log": FileName("A file for all messages and the program's stderr."),
        "env": Variables("Names of further environment variables to pass on: A,B."),
        "folder": Folder("Where it starts, and which files it can read; else an empty folder."),
    },
    uses_clock=always_uses_clock,  # a program may read the clock
)
