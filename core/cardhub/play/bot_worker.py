"""The process in which bots think, seen from within.

It is started by `bot_process`, which sends it a Lineup, then questions; every message is a pickle.
It writes one answer to each question that was not overtaken by a later one, and ends when its input
does.
"""

import os
import pickle
from contextlib import closing, suppress
from queue import SimpleQueue
from threading import Lock, Thread
from time import sleep
from traceback import format_exception
from typing import IO, NamedTuple, NoReturn

from cardhub.bots.bot import Bot, Interruptible
from cardhub.errors import BotExceptionError, BotFaultError
from cardhub.hidden.packing import unpack
from cardhub.play.advice import advise, choose, explain
from cardhub.play.lineup import Bench, Lineup
from cardhub.plugins.find import find_plugins

NAG = 0.05
"""How often a bot that is to come to an end is told so, in seconds."""
FAREWELL = 1.0
"""How long bots may take for closing."""


class Question(NamedTuple):
    """An observation, packed, and the number under which its answer is expected."""

    number: int
    packed: bytes


class Hurry(NamedTuple):
    """The question of this number is to be answered soon."""

    number: int


class Fault(NamedTuple):
    """A BotFaultError: its `fault`, message and details."""

    kind: str
    message: str
    details: str


Content = int | list[tuple[int, int, float]] | Fault
"""An answer: an action, rated actions as plain tuples, or why there is none."""


def serve() -> NoReturn:
    """Answer questions from standard input until it ends; bots cannot reach the terminal."""
    questions, answers = _take_pipes()
    lineup: Lineup = pickle.load(questions)
    Worker(lineup, answers).run(questions)


class Worker:
    """Asks the bots of a lineup in the main thread, while another one listens."""

    def __init__(self, lineup: Lineup, answers: IO[bytes]) -> None:
        self._lineup = lineup
        self._answers = answers
        self._asked: SimpleQueue[Question] = SimpleQueue()
        self._registry = find_plugins(lineup.directories)
        self._latest = 0
        self._bench: Bench | None = None
        self._lock = Lock()  # for what follows: who is thinking, and what is over
        self._bot: Bot | None = None
        self._done = 0

    def run(self, questions: IO[bytes]) -> NoReturn:
        """Answer until the input ends."""
        Thread(target=self._listen, args=(questions,), daemon=True).start()
        with suppress(Exception):  # only to be ready; the first question tells what is wrong
            self._bench = Bench(self._lineup, self._registry)
        while True:
            question = self._asked.get()
            if question.number == self._latest:
                self._answer(question)
            self._set(None, done=question.number)

    def _answer(self, question: Question) -> None:
        content: Content
        try:
            content = self._ask(question)
        except BaseException as error:  # noqa: BLE001  # a bot may even try to end the program
            content = _fault(error)
        pickle.dump((question.number, content), self._answers)
        self._answers.flush()

    def _ask(self, question: Question) -> Content:
        self._bench = bench = self._bench or Bench(self._lineup, self._registry)
        observation = unpack(bench.game, question.packed)
        with bench.bot_for(observation) as bot:
            self._set(bot, self._done)
            if self._lineup.advises:
                return [(r.action, r.visits, r.value) for r in advise(bot, observation)]
            return choose(bot, observation)

    def _set(self, bot: Bot | None, done: int) -> None:
        with self._lock:
            self._bot, self._done = bot, done

    def _listen(self, questions: IO[bytes]) -> None:
        """Take in messages even while a bot thinks; end the process with the input."""
        with suppress(Exception):  # whatever ends the input
            while True:
                self._hear(pickle.load(questions))
        self._leave()

    def _hear(self, message: Question | Hurry) -> None:
        urgent = message.number
        if isinstance(message, Question):
            urgent, self._latest = self._latest, message.number  # nobody waits for the one before
            self._asked.put(message)
        Thread(target=self._nag, args=(urgent,), daemon=True).start()

    def _nag(self, number: int) -> None:
        # Again and again, as the bot may not have begun when it is told for the first time.
        while self._interrupt(number):
            sleep(NAG)

    def _interrupt(self, number: int) -> bool:
        """Have a question come to its end; return whether it has not come there yet."""
        with self._lock:
            if self._done >= number:
                return False
            if isinstance(self._bot, Interruptible):
                self._bot.interrupt()
            return True

    def _leave(self) -> NoReturn:
        closing = Thread(target=self._close, daemon=True)
        closing.start()
        closing.join(FAREWELL)
        os._exit(0)  # the main thread may be in a bot that never ends

    def _close(self) -> None:
        with closing(self._registry):
            if self._bench is not None:
                self._bench.close()


def _fault(error: BaseException) -> Fault:
    if isinstance(error, BotFaultError):
        return Fault(error.fault, str(error), error.details)
    return Fault(BotExceptionError.fault, explain(error), "".join(format_exception(error)))


def _take_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Keep the standard streams to ourselves: what bots print goes nowhere."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    return questions, answers
