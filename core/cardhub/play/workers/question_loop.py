"""Bots asked in the main thread of a process, which can be interrupted by further messages."""

import os
from contextlib import closing, suppress
from functools import partial
from queue import SimpleQueue
from threading import Lock, Thread
from time import sleep

from cardhub.base.errors import BotIllegalError
from cardhub.bots.asking import advise, choose, fault_of
from cardhub.bots.bot import Bot, Interruptible
from cardhub.bots.processes.child_process import frame, take_pipes, write_all
from cardhub.model.hidden.serialization import deserialize
from cardhub.play.workers.bot_messages import (
    Advised,
    Begin,
    Chosen,
    End,
    Forget,
    Hurry,
    Order,
    Prepare,
    Question,
    Ready,
    Reply,
    Reseat,
    failed,
    read_order,
)
from cardhub.play.workers.lineup import LineupBots
from cardhub.plugins.registry import PluginRegistry

# Seconds between interrupts of a bot that is to finish early.
INTERRUPT_INTERVAL = 0.05
# Timeout for closing bots, in seconds.
CLOSE_SECONDS = 1.0
# Upper limit of actions; larger answers cannot be encoded.
LARGEST_ACTION = 1 << 62


class Channel:
    """The pipes to the table, separate from the standard streams of bots."""

    def __init__(self) -> None:
        self._questions, self._answers = take_pipes()

    def receive(self) -> Order | None:
        """Return the next message, None at the end of the input; reads no further byte."""
        return read_order(partial(os.read, self._questions))

    def send(self, reply: Reply) -> None:
        """Write an answer."""
        write_all(self._answers, frame(reply))


class QuestionLoop:
    """Asks bots in the main thread, while a second thread receives messages."""

    def __init__(self, registry: PluginRegistry, channel: Channel) -> None:
        self._registry = registry
        self._channel = channel
        self._asked: SimpleQueue[Prepare | Question | Reseat | Forget | None] = SimpleQueue()
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
                self.forget(order.table)
                continue
            if isinstance(order, Reseat):
                self.reseat(order.begin)
                continue
            if order.number == self._latest:
                self._channel.send(self._answer(order))
            self._set(None, done=order.number)
        self._close_in_time()

    def bots_of(self, order: Prepare | Question) -> LineupBots:
        """Return the bots that a message is for; raises PluginError, OptionError or BotError."""
        raise NotImplementedError

    def close_bots(self) -> None:
        """Close all bots; raises BotFaultError."""
        raise NotImplementedError

    def reseat(self, begin: Begin) -> None:
        """Continue the game with another lineup."""

    def forget(self, table: int) -> None:
        """Close the bots of one of several tables."""

    def end(self) -> None:
        """Report the end of the game, before its bots are closed."""

    def _answer(self, question: Prepare | Question) -> Reply:
        try:
            return self._ask(question)
        except BaseException as error:  # noqa: BLE001  # a bot may even try to end the program
            fault = fault_of(error)
            return failed(question.number, fault.fault, str(fault), fault.details)

    def _ask(self, question: Prepare | Question) -> Reply:
        number = question.number
        bots = self.bots_of(question)
        if isinstance(question, Prepare):
            bots.prepare(question.seat)
            return Ready(number)
        observation = deserialize(bots.game, question.packed)
        with bots.bot_for(observation) as bot:
            self._set(bot, self._done)
            if bots.advises:
                rated = advise(bot, observation)
                return Advised(number, [(*rating[:3], list(rating.line)) for rating in rated])
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
                    self.end()
                    self._asked.put(None)
                    return
                if isinstance(message, Forget | Reseat):
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
        with closing(self._registry), suppress(Exception):
            self.close_bots()


def _chosen(number: int, action: int) -> Chosen:
    if abs(action) > LARGEST_ACTION:
        raise BotIllegalError(f"an action of {action.bit_length()} bits is not legal")
    return Chosen(number, action)
