"""A bot that plays like another one, and now and then without thinking: for beginners."""

from collections.abc import Callable
from random import Random
from typing import Any

from typing_extensions import override

from cardhub.bots.bot import Bot, BotEntry, Interruptible
from cardhub.bots.spec import AnyBot
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.settings import Number

BY_DEFAULT = 25


class HastyBot(Bot):
    """A bot that takes any legal action in a share of its decisions, else that of another bot.

    `slips`: this number of 100 decisions, on average.
    """

    def __init__(self, rng: Random, slips: int, player: Callable[[Random], Bot]) -> None:
        self._rng, self._slips = rng, slips
        # The other bot has a generator of its own: it plays the same with any number of slips.
        self._player = player(Random(rng.getrandbits(64)))

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        if self._rng.random() * 100 < self._slips:
            return self._rng.choice(observation.legal())
        return self._player.choose(observation)

    def interrupt(self) -> None:
        """Make the other bot finish early, if it can."""
        if isinstance(self._player, Interruptible):
            self._player.interrupt()

    def close(self) -> None:
        """Close the other bot, if it has resources."""
        close = getattr(self._player, "close", None)
        if close is not None:
            close()


HASTY = BotEntry(
    "hasty",
    "plays like another bot, and now and then without thinking",
    HastyBot,
    options={
        "slips": Number(BY_DEFAULT, "In how many of 100 decisions it takes any action.", 0, 100),
        "player": AnyBot("ismcts", "The bot that decides otherwise."),
    },
)
