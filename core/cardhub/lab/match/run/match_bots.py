"""Bots of a match, with its time limits; some of them run in separate processes."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from math import fsum
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

from msgspec import structs
from typing_extensions import override

from cardhub.base.errors import BotFaultError, BotTimeoutError, OptionError, PluginError
from cardhub.bots.asking import START, Answer, ask, call_bot
from cardhub.bots.bot import Bot, Interruptible
from cardhub.bots.deadline import Interrupted
from cardhub.bots.external import ExternalBot
from cardhub.bots.external.program import memory_fault
from cardhub.bots.processes.control_groups import NO_USAGE, ResourceLimits, Usage
from cardhub.bots.processes.launch import Confinement
from cardhub.bots.processes.pool import Pool
from cardhub.bots.processes.sandbox import Sandbox, python_files
from cardhub.lab.match.match_spec import Budget
from cardhub.lab.match.task import SeparateBot, Spent
from cardhub.model.hidden.observation import Observation
from cardhub.play.setup import close
from cardhub.play.workers.bot_messages import Lineup
from cardhub.play.workers.client import OnAnswer
from cardhub.play.workers.process import FORKS, BotProcess

# Limit in seconds for an action once the time for the game is used up.
LEAST = 0.001
# Limit in seconds for starting a process.
BOOT = 30.0
# Limit in seconds for a bot's warm-up: many workers that load a library together need long.
WARM_UP = 120.0


class TimedBot:
    """Bot with time limits; its instance is made when it is first asked for an action.

    `allowance` are additional seconds for making the bot; `warm_up`, if any, is called before.
    """

    def __init__(
        self,
        make: Callable[[], Bot],
        budget: Budget,
        allowance: float = 0.0,
        warm_up: Callable[[], object] | None = None,
    ) -> None:
        self._make = make
        self._budget = budget
        self._allowance = allowance
        self._warm_up = warm_up
        self._bot: Bot | None = None
        self._took: list[float] = []
        self._usage = NO_USAGE
        self._late: tuple[float, Usage] | None = None
        self.remarks = ""
        """What the bot of a team has written to stderr or printed, once it is closed."""

    @property
    def spent(self) -> Spent:
        """Time that it took for its actions, and what it used within limits; it is closed."""
        spent = Spent(fsum(self._took), max(self._took, default=0.0), len(self._took))
        if not self._usage.memory:
            return spent
        processor, waited, memory, *_ = self._usage
        spent = structs.replace(spent, processor=processor, waited=waited, memory=memory)
        if self._late is None:
            return spent
        seconds, late = self._late
        return structs.replace(
            spent, late=seconds, late_processor=late.processor, late_waited=late.waited
        )

    def ask(self, observation: Observation[Any]) -> Answer:
        """Ask the bot; raises BotFaultError, PluginError or OptionError if it cannot be made."""
        # Made when it is first asked: a bot that is never asked needs no process.
        bot = self._bot or self._make_bot()
        answer = ask(bot, observation, self._limit())
        self._took.append(answer.seconds)
        if isinstance(answer.fault, BotTimeoutError) and isinstance(bot, ExternalBot | IsolatedBot):
            return self._explained(answer, answer.fault, bot.used_since_asked)
        return answer

    @property
    def weights(self) -> Mapping[int, int]:
        """The weights by which cardhub drew its last action, or empty."""
        # No other class: the policy of a bot that draws for itself may be wrong.
        return self._bot.weights if type(self._bot) is ExternalBot else {}

    def close(self) -> None:
        """Close the bot after its game; its exceptions are ignored."""
        bot, self._bot = self._bot, None
        if bot is not None:
            with suppress(BotFaultError, Interrupted):  # the other bots must be closed as well
                call_bot(close, bot, limit=START)
        if isinstance(bot, ExternalBot | IsolatedBot):
            self.remarks += bot.remarks
            self._usage = self._usage.joined(bot.usage)

    def _explained(self, answer: Answer, fault: BotTimeoutError, used: Usage) -> Answer:
        """Return an answer that is late with a text on what the bot did meanwhile, if known."""
        if not used.memory:
            return answer
        self._late = answer.seconds, used
        text = (
            f"{fault}; it computed for {used.processor:.2f} s of them, and waited for a processor "
            f"for {used.waited:.2f} s"
        )
        return answer._replace(fault=fault.with_message(text))

    def _make_bot(self) -> Bot:
        has_limit = self._budget.guard_seconds is not None
        # An entrant that is not installed is an error of the match, not a fault of the bot.
        passing = (PluginError, OptionError)
        if self._warm_up is not None:
            call_bot(self._warm_up, limit=WARM_UP if has_limit else None, passing=passing)
        limit = START + self._allowance if has_limit else None
        bot = call_bot(self._make, limit=limit, passing=passing)
        self._bot = bot
        return bot

    def _limit(self) -> float | None:
        limit, bank = self._budget.guard_seconds, self._budget.bank_seconds
        if bank is None:
            return limit
        remaining = max(bank - fsum(self._took), LEAST)
        return remaining if limit is None else min(limit, remaining)


class BotProgram(NamedTuple):
    """The bot of a process, with the folders of plugins and its sandbox.

    `is_fresh`: whether nothing of a game may reach the bot's next game. `keeps_output`: whether
    what it prints is kept.
    """

    directories: tuple[Path, ...]
    bot: SeparateBot
    sandbox: Sandbox | None
    is_fresh: bool = False
    limits: ResourceLimits | None = None
    keeps_output: bool = False

    @property
    def is_for_one_game(self) -> bool:
        """Whether a process plays one game only, because forks of it would not suffice.

        Forks share the files and the processes of their sandbox. Without a sandbox a new process
        would not help, because a bot can write files that its next process reads.
        """
        return self.is_fresh and (self.sandbox is not None or not FORKS)


def _start_process(program: BotProgram) -> BotProcess:
    directories, bot, sandbox = program.directories, program.bot, program.sandbox
    readable = (*python_files(), *directories, *bot.files) if sandbox else ()
    confinement = Confinement(sandbox=sandbox, readable=readable, limits=program.limits)
    process = BotProcess(
        directories,
        None,
        confinement,
        third_party=bot.third_party,
        has_forks=FORKS,
        keeps_output=program.keeps_output,
    )
    with suppress(OSError):  # raised again, as a fault, when the bot is made
        process.start()
    return process


# The processes of bots that this process has started; each plays many games, or one.
BOT_PROCESSES = Pool(_start_process)
ONE_GAME_PROCESSES = Pool(_start_process, fresh=True)


def end_bot_processes() -> None:
    """End the idle processes of bots; new ones start on demand."""
    BOT_PROCESSES.close()
    ONE_GAME_PROCESSES.close()


class IsolatedBot(Bot, Interruptible):
    """Bot that runs in another process and chooses the same actions as in this one.

    It borrows a process for a game. Raises BotFaultError if the bot cannot be made.
    """

    def __init__(self, lineup: Lineup, seat: int, program: BotProgram) -> None:
        self._pool = ONE_GAME_PROCESSES if program.is_for_one_game else BOT_PROCESSES
        self._limits = program.limits
        self.remarks = ""
        """What it has printed in this game, once it is closed."""
        self._process = self._pool.borrow(program)
        self._before = self._asked = self._process.usage()
        self._process.resume()
        self._process.renew(lineup)
        try:
            self._answer(lambda on_answer: self._process.prepare(seat, on_answer))
        except BaseException:
            self._process.stop()  # its answer is not needed
            self.close()
            raise

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        return int(self._answer(lambda on_answer: self._process.ask(observation, on_answer)))

    @property
    def usage(self) -> Usage:
        """What its process has used in this game."""
        return self._process.usage().since(self._before)

    @property
    def used_since_asked(self) -> Usage:
        """What its process has used since the last question, also if it was killed since."""
        return self._process.usage().since(self._asked)

    @override
    def interrupt(self) -> None:
        # The process is killed, because the bot may never answer.
        self._process.stop()

    def close(self) -> None:
        """End the game and return the process."""
        self._process.resume()
        self._process.rest()
        self.remarks += self._process.take_output()
        self._pool.give_back(self._process)

    def _answer(self, ask: Callable[[OnAnswer], None]) -> Any:
        before = self._asked = self._process.usage()
        self._process.resume()
        try:
            return _wait_for_answer(ask)
        except BotFaultError as fault:
            if self._limits and self._process.usage().since(before).killed:
                raise memory_fault(self._limits, fault.details) from fault
            raise
        finally:
            self._process.pause()


def _wait_for_answer(ask: Callable[[OnAnswer], None]) -> Any:
    answers: SimpleQueue[Any] = SimpleQueue()
    ask(answers.put)
    answer = answers.get()
    if isinstance(answer, BotFaultError):
        raise answer
    return answer
