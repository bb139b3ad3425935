"""The main loop of the process in which bots run.

`process` starts it and sends a Setup, then for each game a Begin, questions and an End. It writes
one answer to each question that is not superseded by a later one, and exits at the end of its
input.

On Linux every game is played in a fork of its own: no memory of a bot outlives its game, and
plugins are imported only once.
"""

import gc
import os
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from shutil import rmtree
from threading import Lock, Thread
from time import sleep
from typing import NoReturn

from cardhub.bots.asking import advise, choose, fault_of
from cardhub.bots.bot import Bot, Interruptible
from cardhub.errors import BotIllegalError
from cardhub.hidden.serialization import deserialize
from cardhub.play.bot_process.bot_messages import (
    Advised,
    Begin,
    Chosen,
    End,
    Hurry,
    Order,
    Prepare,
    Question,
    Ready,
    Reply,
    Setup,
    failed,
    frame,
    read_order,
)
from cardhub.play.bot_process.lineup import Lineup, LineupBots
from cardhub.plugins.registry import PluginRegistry, find_plugins

# Whether every game gets a fork: on other systems some libraries do not support forks.
FORKS = sys.platform == "linux"
# Seconds between interrupts of a bot that is to finish early.
INTERRUPT_INTERVAL = 0.05
# Timeout for closing bots, in seconds.
CLOSE_SECONDS = 1.0
# Upper limit of actions; larger answers cannot be encoded.
LARGEST_ACTION = 1 << 62


def serve() -> NoReturn:
    """Answer questions from standard input until its end; bots have no access to the terminal."""
    channel = Channel()
    setup = channel.receive()
    if not isinstance(setup, Setup):
        os._exit(0)
    directories = tuple(map(Path, setup.directories))
    registry = find_plugins(directories)
    while isinstance(begin := channel.receive(), Begin):
        lineup = Lineup(directories, begin.game, begin.specs, begin.seeds, begin.advises)
        _import_plugins(lineup, registry)
        play = partial(_play, lineup, registry, channel)
        if FORKS:
            # The fork receives the messages of its game; this process reads no byte meanwhile.
            _in_fork(play)
        else:
            play(lambda: None)
        if setup.owns_folder:
            _empty(Path.cwd())
    os._exit(0)


class Channel:
    """The pipes to the table, separate from the standard streams of bots."""

    def __init__(self) -> None:
        self._questions, self._answers = _take_pipes()

    def receive(self) -> Order | None:
        """Return the next message, None at the end of the input; reads no further byte."""
        return read_order(partial(os.read, self._questions))

    def send(self, reply: Reply) -> None:
        """Write an answer."""
        left = memoryview(frame(reply))
        while left:
            left = left[os.write(self._answers, left) :]


class Worker:
    """Asks the bots of a lineup in the main thread, while a second thread receives messages."""

    def __init__(
        self,
        lineup: Lineup,
        registry: PluginRegistry,
        channel: Channel,
        done: Callable[[], object],
    ) -> None:
        self._lineup = lineup
        self._registry = registry
        self._channel = channel
        self._report_end = done
        self._asked: SimpleQueue[Prepare | Question | None] = SimpleQueue()
        self._latest = 0
        self._bots: LineupBots | None = None
        self._lock = Lock()  # guards the bot being asked and the last answered number
        self._bot: Bot | None = None
        self._done = 0

    def run(self) -> None:
        """Answer questions until the game ends."""
        Thread(target=self._listen, daemon=True).start()
        # Bots run in the main thread: signal handlers do, and some libraries demand it.
        while (question := self._asked.get()) is not None:
            if question.number == self._latest:
                self._channel.send(self._answer(question))
            self._set(None, done=question.number)
        self._close_in_time()

    def _answer(self, question: Prepare | Question) -> Reply:
        try:
            return self._ask(question)
        except BaseException as error:  # noqa: BLE001  # a bot may even try to end the program
            fault = fault_of(error)
            return failed(question.number, fault.fault, str(fault), fault.details)

    def _ask(self, question: Prepare | Question) -> Reply:
        number = question.number
        self._bots = bots = self._bots or LineupBots(self._lineup, self._registry)
        if isinstance(question, Prepare):
            bots.prepare(question.seat)
            return Ready(number)
        observation = deserialize(bots.game, question.packed)
        with bots.bot_for(observation) as bot:
            self._set(bot, self._done)
            if self._lineup.advises:
                rated = advise(bot, observation)
                return Advised(number, [(*each[:3], list(each.line)) for each in rated])
            return _chosen(number, choose(bot, observation))

    def _set(self, bot: Bot | None, done: int) -> None:
        with self._lock:
            self._bot, self._done = bot, done

    def _listen(self) -> None:
        with suppress(Exception):  # a broken pipe ends the input, too
            while (message := self._channel.receive()) is not None:
                if isinstance(message, End):
                    # Before bots are closed: a crash while closing does not concern the game that
                    # is over.
                    self._report_end()
                    self._asked.put(None)
                    return
                if isinstance(message, Hurry | Prepare | Question):
                    self._hear(message)
        self._close_in_time()
        os._exit(0)  # the main thread may run a bot that never returns

    def _hear(self, message: Hurry | Prepare | Question) -> None:
        # Hurry: the question it names. A new question: the one before, whose answer is not read.
        urgent = message.number
        if not isinstance(message, Hurry):
            urgent, self._latest = self._latest, message.number  # supersedes the one before
            self._asked.put(message)
            if self._done >= urgent:
                return
        Thread(target=self._interrupt_repeatedly, args=(urgent,), daemon=True).start()

    def _interrupt_repeatedly(self, number: int) -> None:
        # Repeated, as the bot may not have started when it is interrupted for the first time.
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
        with closing(self._registry), suppress(Exception):
            if self._bots is not None:
                self._bots.close()


def _import_plugins(lineup: Lineup, registry: PluginRegistry) -> None:
    # Before the fork, so that it is done once; errors are reported with the first question.
    with suppress(Exception):
        for spec in lineup.specs.values():
            registry.settings_of(spec, lineup.game)
    gc.freeze()  # else collections in every fork would copy the pages of all that is shared


def _in_fork(play: Callable[[Callable[[], object]], None]) -> None:
    """Play a game in a fork; if the fork ends before the game, exit with its code."""
    told, tell = os.pipe()
    child = os.fork()
    if not child:
        try:
            play(partial(os.write, tell, b"."))
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    os.close(tell)
    os.set_blocking(told, False)  # child processes of a bot may hold the other end
    is_over = False
    with suppress(BlockingIOError):
        is_over = bool(os.read(told, 1))
    os.close(told)
    if not is_over:
        code = os.waitstatus_to_exitcode(status)
        os._exit(code if code >= 0 else 128 - code)


def _play(
    lineup: Lineup, registry: PluginRegistry, channel: Channel, done: Callable[[], object]
) -> None:
    Worker(lineup, registry, channel, done).run()


def _empty(folder: Path) -> None:
    # A file that is left could carry knowledge of one game into the next.
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            rmtree(path, ignore_errors=True)
        else:
            with suppress(OSError):
                path.unlink()


def _chosen(number: int, action: int) -> Chosen:
    if abs(action) > LARGEST_ACTION:
        raise BotIllegalError(f"an action of {action.bit_length()} bits is not legal")
    return Chosen(number, action)


def _take_pipes() -> tuple[int, int]:
    # A bot that prints would write into the middle of a message, and one that reads would take one.
    questions, answers = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    os.close(nowhere)
    return questions, answers
