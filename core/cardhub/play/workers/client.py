"""Clients that ask bots in the background, and the client for bots in a thread."""

from collections.abc import Callable
from threading import Thread
from typing import Any, Protocol

from typing_extensions import override

from cardhub.base.errors import BotError, BotExceptionError, OptionError, PluginError
from cardhub.bots.asking import fault_of
from cardhub.bots.bot import Bot, Interruptible
from cardhub.model.hidden.observation import Observation
from cardhub.model.hidden.serialization import serialize
from cardhub.play.workers.lineup import Lineup

# Callback for the answer or a BotFaultError; called from another thread.
OnAnswer = Callable[[Any], None]


def pack(observation: Observation[Any], on_answer: OnAnswer) -> bytes | None:
    """Return an observation as bytes, or call `on_answer` with a fault and return None."""
    try:
        return serialize(observation)
    except TypeError as error:
        on_answer(BotExceptionError(f"{observation.game.name} cannot be played there: {error}"))
        return None


class BotClient(Protocol):
    """Interface through which a table asks its bots, or the bot that gives hints.

    One question is pending at a time; a new question discards the one before.
    """

    def start(self) -> None:
        """Prepare for questions, where that takes time."""
        ...

    def ask(self, observation: Observation[Any], on_answer: OnAnswer) -> None:
        """Ask the bot of an observation's seat; `on_answer` is called with the answer."""
        ...

    def reseat(self, lineup: Lineup) -> None:
        """Ask the bots of another lineup of the same game from the next question on.

        Bots that stay in their seat keep their memory of the game.
        """
        ...

    def hurry(self) -> None:
        """Ask the bot to stop searching and answer with its best action, if possible."""
        ...

    def stop(self) -> None:
        """Cancel the pending question; it is not answered."""
        ...


class ThreadBotClient(BotClient):
    """A BotClient for bots of this process: calls `question(bot_for(seat), observation)`.

    A bot that never returns is not stopped: its thread is abandoned. `bot_for` must observe changes
    of the seats itself.
    """

    def __init__(
        self, bot_for: Callable[[int], Bot], question: Callable[[Bot, Observation[Any]], Any]
    ) -> None:
        self._bot_for = bot_for
        self._question = question
        self._number = 0
        self._bot: Bot | None = None

    @override
    def start(self) -> None:
        pass  # each question starts a thread

    @override
    def ask(self, observation: Observation[Any], on_answer: OnAnswer) -> None:
        self.stop()
        self._bot = self._bot_for(observation.seat)
        # A daemon: leaving the game does not wait for the bot.
        arguments = (self._number, self._bot, observation, on_answer)
        Thread(target=self._think, args=arguments, daemon=True).start()

    @override
    def reseat(self, lineup: Lineup) -> None:
        pass  # `bot_for` is asked for each question

    @override
    def hurry(self) -> None:
        if isinstance(self._bot, Interruptible):
            self._bot.interrupt()

    @override
    def stop(self) -> None:
        self.hurry()
        self._number += 1
        self._bot = None

    def _think(
        self, number: int, bot: Bot, observation: Observation[Any], on_answer: OnAnswer
    ) -> None:
        answer: object
        try:
            answer = self._question(bot, observation)
        except BaseException as error:  # noqa: BLE001  # no signal is raised in this thread
            answer = fault_of(error)
        # A stopped question still ends at some time; its answer is dropped.
        if number == self._number:
            self._bot = None
            on_answer(answer)


class InlineBotClient(BotClient):
    """A BotClient that answers synchronously with `question(observation)`.

    `reseat` gets another lineup, if the question depends on it.
    """

    def __init__(
        self,
        question: Callable[[Observation[Any]], Any],
        reseat: Callable[[Lineup], object] | None = None,
    ) -> None:
        self._question = question
        self._reseat = reseat

    @override
    def start(self) -> None:
        pass  # the bots are here

    @override
    def ask(self, observation: Observation[Any], on_answer: OnAnswer) -> None:
        answer: object
        try:
            answer = self._question(observation)
        except (BotError, OptionError, PluginError) as error:
            answer = error
        on_answer(answer)

    @override
    def reseat(self, lineup: Lineup) -> None:
        if self._reseat is not None:
            self._reseat(lineup)

    @override
    def hurry(self) -> None:
        pass  # no question is pending

    @override
    def stop(self) -> None:
        pass  # no question is pending
