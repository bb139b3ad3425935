"""The main loops of processes in which bots run: for one table, or for all tables of a server.

A process of one table gets for each game a Lineup, questions and an End. On Linux every game is
played in a new fork: no memory of a bot outlives its game, and plugins are imported only once.
Processes write one answer to each question that is not superseded by a later one, and exit at the
end of their input. Bots are asked in the main thread, which further messages can interrupt.
"""

import gc
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from shutil import rmtree
from threading import Lock, Thread
from time import sleep
from typing import NoReturn

from cardhub.base.errors import BotIllegalError
from cardhub.bots import LLM
from cardhub.bots.asking import advise, choose, fault_of
from cardhub.bots.bot import Bot, Interruptible
from cardhub.bots.processes.python_process import Channel, Hurry, Ready, build_failed
from cardhub.model.hidden.serialization import deserialize
from cardhub.play.workers.bot_messages import (
    ORDER_DECODER,
    Advised,
    Chosen,
    End,
    Forget,
    Lineup,
    Order,
    Prepare,
    Question,
    Reply,
    TableQuestion,
)
from cardhub.play.workers.lineup_bots import LineupBots, TableBots
from cardhub.plugins.bot_files import warm_up
from cardhub.plugins.registry import PluginRegistry, find_plugins

# Seconds between interrupts of a bot that is to finish early.
INTERRUPT_INTERVAL = 0.05
# Timeout for closing bots, in seconds.
CLOSE_SECONDS = 1.0
# The number of the table in a process of one table.
ONLY_TABLE = 0
# Upper limit of actions; larger answers cannot be encoded.
LARGEST_ACTION = 1 << 62


class QuestionLoop:
    """Asks bots in the main thread, while a second thread receives messages.

    `lineup`: the lineup of the only table, or None if each question has one. `on_end` is called
    when the game is over, before its bots are closed.
    """

    def __init__(
        self,
        registry: PluginRegistry,
        channel: Channel[Order],
        bots: TableBots,
        lineup: Lineup | None = None,
        on_end: Callable[[], object] = lambda: None,
    ) -> None:
        self._registry = registry
        self._channel = channel
        self._bots = bots
        self._lineup = lineup
        self._on_end = on_end
        self._asked: SimpleQueue[Prepare | Question | Lineup | Forget | None] = SimpleQueue()
        self._latest = 0
        self._lock = Lock()  # guards the bot being asked and the last answered number
        self._bot: Bot | None = None
        self._done = 0

    def run(self) -> None:
        """Answer questions until the game ends."""
        Thread(target=self._listen, daemon=True).start()
        # Bots run in the main thread: signal handlers do, and some libraries demand it.
        while (order := self._asked.get()) is not None:
            if isinstance(order, Forget):
                self._bots.forget(order.table)
                continue
            if isinstance(order, Lineup):
                self._lineup = order
                with suppress(Exception):  # raised again by the next question
                    self._bots.seat(ONLY_TABLE, order)
                continue
            if order.number == self._latest:
                self._channel.send(self._answer(order))
            self._set(None, done=order.number)
        self._close_in_time()

    def _answer(self, question: Prepare | Question) -> Reply:
        try:
            return self._ask(question)
        except BaseException as error:  # noqa: BLE001  # a bot may even try to end the program
            fault = fault_of(error)
            return build_failed(question.number, fault.fault, str(fault), fault.details)

    def _ask(self, question: Prepare | Question) -> Reply:
        number = question.number
        bots = self._bots_of(question)
        if isinstance(question, Prepare):
            bots.prepare(question.seat)
            return Ready(number)
        observation = deserialize(bots.game, question.packed)
        with bots.bot_for(observation) as bot:
            self._set(bot, self._done)
            if bots.advises:
                rated = advise(bot, observation)
                return Advised(number, [(*rating[:3], list(rating.line)) for rating in rated])
            action = choose(bot, observation)
            if abs(action) > LARGEST_ACTION:
                raise BotIllegalError(f"an action of {action.bit_length()} bits is not legal")
            return Chosen(number, action)

    def _bots_of(self, order: Prepare | Question) -> LineupBots:
        if isinstance(order, TableQuestion):
            return self._bots.seat(order.table, order.lineup)
        if self._lineup is None:
            raise TypeError(f"a worker of several tables got {type(order).__name__}")
        return self._bots.seat(ONLY_TABLE, self._lineup)

    def _set(self, bot: Bot | None, done: int) -> None:
        with self._lock:
            self._bot, self._done = bot, done

    def _listen(self) -> None:
        with suppress(Exception):  # a broken pipe ends the input, too
            while (message := self._channel.receive()) is not None:
                if isinstance(message, End):
                    # Before bots are closed: a crash while closing does not concern the game that
                    # is over.
                    self._on_end()
                    self._asked.put(None)
                    return
                if isinstance(message, Forget | Lineup):
                    self._asked.put(message)
                elif isinstance(message, Hurry | Prepare | Question):
                    self._on_message(message)
        self._close_in_time()
        os._exit(0)  # the main thread may run a bot that never returns

    def _on_message(self, message: Hurry | Prepare | Question) -> None:
        # Hurry: the question it names. A new question: the one before, whose answer is not read.
        urgent = message.number
        if not isinstance(message, Hurry):
            urgent, self._latest = self._latest, message.number  # supersedes the one before
            self._asked.put(message)
            if self._done >= urgent:
                return
        Thread(target=self._interrupt_repeatedly, args=(urgent,), daemon=True).start()

    def _interrupt_repeatedly(self, number: int) -> None:
        # Repeated, because the bot may not have started at the first interrupt.
        while self._interrupt(number):
            sleep(INTERRUPT_INTERVAL)

    def _interrupt(self, number: int) -> bool:
        """Interrupt the bot of a question; return whether the question is still pending."""
        with self._lock:
            if self._done >= number:
                return False
            if isinstance(self._bot, Interruptible):
                self._bot.interrupt()
            return True

    def _close_in_time(self) -> None:
        closer = Thread(target=self._close, daemon=True)
        closer.start()
        closer.join(CLOSE_SECONDS)

    def _close(self) -> None:
        with closing(self._registry):
            self._bots.close()


# Increment of the nice value of a process for many tables: people's actions come first.
NICENESS = 10


def serve_games(
    directories: Sequence[str],
    workers: int,
    owns_folder: bool,
    third_party: Sequence[str] | None,
    has_forks: bool,
    keeps_output: bool,
) -> NoReturn:
    """Answer questions from standard input until its end; bots have no access to the terminal.

    A level's search has up to `workers` processes. `owns_folder`: whether the working folder is
    emptied after each game. `third_party`: see `find_plugins`. `has_forks`: whether every game is
    played in a fork. `keeps_output`: whether what bots print goes to stderr.
    """
    channel = Channel(ORDER_DECODER, keeps_output=keeps_output)
    registry = find_plugins(map(Path, directories), third_party=third_party)
    while isinstance(lineup := channel.receive(), Lineup):
        _import_plugins(lineup, registry)
        loop = partial(QuestionLoop, registry, channel, TableBots(registry, workers), lineup)
        if has_forks:
            # The fork receives the messages of its game; this process does not read while it runs.
            _in_fork(loop)
        else:
            loop().run()
        if owns_folder:
            _empty(Path.cwd())
    os._exit(0)


def serve_tables(directories: Sequence[str]) -> NoReturn:
    """Answer questions of many tables, one at a time.

    Each question has its table and the lineup there, so the bots of a table that was forgotten, or
    never known, are created.
    """
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    channel = Channel(ORDER_DECODER)
    registry = find_plugins(map(Path, directories))
    channel.send(Ready(0))  # starting is not part of the time for a question
    QuestionLoop(registry, channel, TableBots(registry)).run()
    os._exit(0)


def _import_plugins(lineup: Lineup, registry: PluginRegistry) -> None:
    # Before the fork, to do it only once; errors are reported with the first question.
    for spec in dict.fromkeys(lineup.specs.values()):
        with suppress(Exception):
            # A language model is asked by a question only, which can be interrupted.
            if all(part.entry != LLM for part in registry.parts(spec, lineup.game)):
                warm_up(registry, spec, lineup.game, lineup.seats, lineup.options)
    gc.freeze()  # else collections in every fork would copy the pages of all that is shared


def _in_fork(loop: Callable[..., QuestionLoop]) -> None:
    """Play a game in a fork; if the fork ends before the game, exit with its code."""
    if sys.platform == "win32":
        raise NotImplementedError  # see FORKS
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            loop(on_end=partial(os.write, writer, b".")).run()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    os.close(writer)
    os.set_blocking(reader, False)  # child processes of a bot may hold the other end
    is_over = False
    with suppress(BlockingIOError):
        is_over = bool(os.read(reader, 1))
    os.close(reader)
    if not is_over:
        code = os.waitstatus_to_exitcode(status)
        os._exit(code if code >= 0 else 128 - code)


def _empty(folder: Path) -> None:
    # A file that is left could carry knowledge of one game into the next.
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):
                path.unlink()
