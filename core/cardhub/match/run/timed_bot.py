"""Bots of a match, asked within its time limits."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from cardhub.bots.asking import START, Answer, ask, call_bot
from cardhub.bots.bot import Bot
from cardhub.bots.signals import Interrupted
from cardhub.errors import BotFaultError, OptionError, PluginError
from cardhub.hidden.observation import Observation
from cardhub.match.task import Limits, Spent
from cardhub.play.setup import close

LEAST = 0.001
"""Limit in seconds for an action once the time for the game is used up."""


class TimedBot:
    """Bot with time limits, made when it is first asked.

    `allowance` are additional seconds for making the bot.
    """

    def __init__(self, make: Callable[[], Bot], limits: Limits, allowance: float = 0.0) -> None:
        self._make = make
        self._limits = limits
        self._allowance = allowance
        self._bot: Bot | None = None
        self._took: list[float] = []

    @property
    def spent(self) -> Spent:
        """Time of its actions so far."""
        return Spent(sum(self._took), max(self._took, default=0.0), len(self._took))

    def ask(self, observation: Observation[Any]) -> Answer:
        """Ask the bot; raises BotFaultError, PluginError or OptionError if it cannot be made."""
        answer = ask(self._bot or self._made(), observation, self._limit())
        self._took.append(answer.seconds)
        return answer

    def close(self) -> None:
        """Tell the bot that its game is over; its exceptions are ignored."""
        bot, self._bot = self._bot, None
        if bot is not None:
            with suppress(BotFaultError, Interrupted):  # the other bots must be closed, too
                call_bot(close, bot, limit=START)

    def _made(self) -> Bot:
        limit = None if self._limits.guard_seconds is None else START + self._allowance
        # An entrant that is not installed is an error of the match, not a fault of the bot.
        made = call_bot(self._make, limit=limit, passing=(PluginError, OptionError))
        self._bot = made
        return made

    def _limit(self) -> float | None:
        """Return the limit of the next action in seconds."""
        limit, bank = self._limits.guard_seconds, self._limits.bank_seconds
        if bank is None:
            return limit
        left = max(bank - sum(self._took), LEAST)
        return left if limit is None else min(limit, left)
