"""Running programs that have passed the handshake and are lent for one game after another."""

import shlex
from dataclasses import dataclass, field

from cardhub.base.errors import BotCrashError, BotError, BotFaultError
from cardhub.bots.external.program import Program, missing_file
from cardhub.bots.external.responses import greeting, read_hello
from cardhub.bots.processes.launch import Confinement
from cardhub.bots.processes.pool import Pool
from cardhub.bots.processes.sandbox import Sandbox

# Minimum time limit for the handshake, in seconds.
SLOW_START = 10.0


@dataclass(frozen=True, slots=True)
class Launch:
    """The parameters with which a program is started, and its time limit for an answer.

    `words`: its command. `log`: the file for a dialogue log, or empty. `variables`: the names of
    further environment variables.
    """

    words: tuple[str, ...]
    log: str
    variables: tuple[str, ...]
    # Bots with different limits share their programs.
    seconds: float = field(compare=False)


def start_program(launch: Launch, sandbox: Sandbox | None = None) -> Program:
    """Start a program and perform the handshake; raises BotFaultError.

    The program has a private folder and a filtered environment, and runs in the sandbox, if any.
    """
    program = Program(launch.words, launch.log, Confinement(launch.variables, sandbox))
    try:
        answer = program.ask(greeting(), max(launch.seconds, SLOW_START))
        program.hello = read_hello(answer)
    except BaseException as error:
        program.kill()
        if not isinstance(error, BotFaultError):
            raise
        hint = missing_file(launch.words) if isinstance(error, BotCrashError) else ""
        raise error.with_message(f"{error}\n{hint}".rstrip()) from error
    return program


@dataclass(frozen=True, slots=True)
class ProgramPool:
    """The value of a Command option, from which a bot borrows running programs of the command."""

    command: str
    game: str
    programs: Pool[Launch, Program] = field(repr=False)

    def borrow(self, seconds: float, log: str = "", variables: tuple[str, ...] = ()) -> Program:
        """Return a program for a game; `seconds`: the limit for each answer.

        Raises BotFaultError if the start or the handshake fails, BotError if the program does not
        play this game.
        """
        launch = Launch(tuple(shlex.split(self.command)), log, variables, seconds)
        program = self.programs.borrow(launch)
        hello = program.hello
        if not hello.plays(self.game):
            self.programs.give_back(program)
            games = ", ".join(hello.games or ()) or "no game"
            raise BotError(f"{self.command}: {hello.name} plays {games}, not {self.game}")
        return program
