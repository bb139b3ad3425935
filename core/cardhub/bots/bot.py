"""What a bot is, and how one is offered to players."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, runtime_checkable

from cardhub.hidden.observation import Observation
from cardhub.table.settings import Option, Settings


class Bot(Protocol):
    """A player that is not human; it is made anew for every game and may remember what it saw.

    A bot that holds on to something has a method `close()`, called when its game is over or left.
    """

    def choose(self, observation: Observation[Any], /) -> int:
        """Return one of `observation.legal()`; called whenever the bot's seat is to act."""
        ...


class Rated(NamedTuple):
    """What a bot thinks of one action: how often it tried it, and its mean return, -1 to 1."""

    action: int
    visits: int
    value: float


@runtime_checkable
class Adviser(Protocol):
    """A bot that can say what it thinks of each action."""

    def advise(self, observation: Observation[Any], /) -> list[Rated]:
        """Return the legal actions, the best first."""
        ...


@runtime_checkable
class Interruptible(Protocol):
    """A bot that can be told to come to an end."""

    def interrupt(self) -> None:
        """Have the choice or advice under way return soon, with the best found so far.

        Called from another thread, perhaps several times; whatever is asked next is thought over in
        full.
        """
        ...


def never(settings: Settings) -> bool:
    """Return False: no values of its options make the bot look at a clock."""
    return False


@dataclass(frozen=True, slots=True)
class BotEntry:
    """A kind of bot: what people type to seat one, and how it is made.

    `make` gets the bot's only source of randomness, then the values of its `options` by keyword; an
    AnyBot comes as a function that makes that other bot. The first option may be set without its
    name: `ismcts:2000`. `games` are the names of the games it plays, None if it plays any. The name
    `rule` is for a game's own rule of thumb, which then is the default opponent.
    """

    name: str
    summary: str
    make: Callable[..., Bot]
    games: tuple[str, ...] | None = None
    options: Mapping[str, Option] = field(default_factory=dict, hash=False)
    uses_clock: Callable[[Settings], bool] = never
    """Whether, so set, the same observation and generator may bring another action."""

    def plays(self, game: str) -> bool:
        """Return whether the bot plays the game of this name."""
        return self.games is None or game in self.games
