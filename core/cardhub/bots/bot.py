"""What a bot is, and how one is offered to players."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from cardhub.hidden.observation import Observation


class Bot(Protocol):
    """A player that is not human; it is made anew for every game and may remember what it saw."""

    def choose(self, observation: Observation[Any], /) -> int:
        """Return one of `observation.legal()`; called whenever the bot's seat is to act."""
        ...


@dataclass(frozen=True, slots=True)
class BotEntry:
    """A kind of bot: what people type to seat one, and how it is made.

    `make` gets the bot's only source of randomness. `games` are the names of the games it plays,
    None if it plays any. The name `rule` is for a game's own rule of thumb, which then is the
    default opponent.
    """

    name: str
    summary: str
    make: Callable[[Random], Bot]
    games: tuple[str, ...] | None = None

    def plays(self, game: str) -> bool:
        """Return whether the bot plays the game of this name."""
        return self.games is None or game in self.games
