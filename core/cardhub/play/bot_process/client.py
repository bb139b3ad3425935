"""Letting bots think without anybody waiting for them."""

from collections.abc import Callable
from threading import Thread
from typing import Any, Protocol

from cardhub.bots.bot import Bot, Interruptible
from cardhub.hidden.observation import Observation
from cardhub.play.advice import blamed

Hear = Callable[[Any], None]
"""Gets what came of a question, or a BotFaultError; called from another thread."""


class BotClient(Protocol):
    """Whom a table asks: the bots that sit there, or one that gives hints.

    One question is under way at a time; whoever asks again has no more interest in the answer to
    the question before.
    """

    def start(self) -> None:
        """Get ready for questions, where that takes time."""
        ...

    def ask(self, observation: Observation[Any], hear: Hear) -> None:
        """Begin to think about what a seat knows, and tell `hear` in the end."""
        ...

    def hurry(self) -> None:
        """Have the question under way answered with the best found so far, if that is possible."""
        ...

    def stop(self) -> None:
        """Break off; the question is not answered any more."""
        ...


class ThreadBotClient:
    """A BotClient for bots of this process; `bot_for` says whom to ask, `question` what.

    A bot that never ends is not stopped, only left alone.
    """

    def __init__(
        self, bot_for: Callable[[int], Bot], question: Callable[[Bot, Observation[Any]], Any]
    ) -> None:
        self._bot_for = bot_for
        self._question = question
        self._number = 0
        self._bot: Bot | None = None

    def start(self) -> None:
        """See BotClient."""

    def ask(self, observation: Observation[Any], hear: Hear) -> None:
        """See BotClient."""
        self.stop()
        self._bot = self._bot_for(observation.seat)
        # A daemon: whoever leaves does not wait for a bot to finish.
        arguments = (self._number, self._bot, observation, hear)
        Thread(target=self._think, args=arguments, daemon=True).start()

    def hurry(self) -> None:
        """See BotClient."""
        if isinstance(self._bot, Interruptible):
            self._bot.interrupt()

    def stop(self) -> None:
        """See BotClient."""
        self.hurry()
        self._number += 1
        self._bot = None

    def _think(self, number: int, bot: Bot, observation: Observation[Any], hear: Hear) -> None:
        answer: object
        try:
            answer = self._question(bot, observation)
        except BaseException as error:  # noqa: BLE001  # no signal is raised in this thread
            answer = blamed(error)
        if number == self._number:
            self._bot = None
            hear(answer)
