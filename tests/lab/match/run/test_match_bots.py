"""Asking bots within their time."""

import time

import pytest

from cardhub.base.errors import BotTimeoutError
from cardhub.bots.deadline import deadlines
from cardhub.lab.match.run.match_bots import TimedBot
from cardhub.lab.match.task import Limits


class MumbledError(Exception):
    """An exception whose text takes a minute."""

    def __str__(self) -> str:
        time.sleep(60)
        return ""


class Mumbler:
    """A bot that fails, and is asked why."""

    def choose(self, observation: object, /) -> int:
        """Raise MumbledError."""
        raise MumbledError


def test_the_text_of_an_exception_counts_as_thinking_time() -> None:
    """The text of an exception is computed by third-party code."""
    bot = TimedBot(Mumbler, Limits(0.1, None, 100, "loss", "random"))
    with deadlines(), pytest.raises(BotTimeoutError):
        bot.ask(None).chosen()  # type: ignore[arg-type]  # it does not look
