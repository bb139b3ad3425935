"""A client of bots that are asked in threads of the test's own process."""

from collections.abc import Callable
from threading import Thread
from typing import Any

from typing_extensions import override

from cardhub.bots.asking import fault_of
from cardhub.bots.bot import Bot, Interruptible
from cardhub.model.hidden.observation import Observation
from cardhub.play.workers.bot_messages import Lineup
from cardhub.play.workers.client import BotClient, OnAnswer


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
