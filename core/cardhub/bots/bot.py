"""The protocol of bots, and their registration."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from inspect import signature
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import Observation, Step
from cardhub.model.table.settings import Option, Settings


class Bot(Protocol):
    """A player that is not human. A new instance is created for every game and may keep state.

    A bot with resources to release has a method `close()`, called when its game is over or left.
    """

    # Positional only, so that a bot may give its parameter another name.
    def choose(self, observation: Observation[Any], /) -> int:
        """Return one of `observation.legal()`; called whenever the bot's seat is to act."""
        ...


class Rated(NamedTuple):
    """A bot's rating of one action: number of visits, and the mean value; higher is better.

    With `Goal.SCORE` and `COMMON` the value is the expected score in the game's unit, negated if
    the lowest wins; with `WIN` and `RANK` it is from -1 to 1. `line` are the steps that the bot
    expects to follow the action, none if it does not tell.
    """

    action: int
    visits: int
    value: float
    line: tuple[Step, ...] = ()


@runtime_checkable
class Adviser(Protocol):
    """A bot that can rate each action."""

    def advise(self, observation: Observation[Any], /) -> list[Rated]:
        """Return ratings of the legal actions, the best first."""
        ...


@runtime_checkable
class Comparer(Protocol):
    """A bot that can rate chosen actions with equal effort, also one that it would not try.

    `cardhub match review` needs one: a search that hardly tries an action hardly knows its value.
    """

    def compare(self, observation: Observation[Any], actions: Sequence[int], /) -> list[Rated]:
        """Return ratings of these legal actions, in their order, with equal numbers of visits."""
        ...


@runtime_checkable
class MixedBot(Protocol):
    """A bot that can tell its probabilities; `cardhub bot exploit` is exact with them."""

    def policy(self, observation: Observation[Any], /) -> Mapping[int, float]:
        """Return the probability of each legal action; those left out have 0.

        It must follow from the information state alone, and `choose` must sample from it.
        """
        ...


@runtime_checkable
class Interruptible(Protocol):
    """A bot that can be told to finish early."""

    def interrupt(self) -> None:
        """Make the running `choose` or `advise` return soon, with the best found so far.

        Called from another thread, perhaps several times; the next call runs in full.
        """
        ...


# A function of the game and the bot's settings, or also of the seats and options of the table.
WarmUp: TypeAlias = (
    Callable[[Game[Any], Settings], object] | Callable[[Game[Any], Settings, int, Settings], object]
)


# The numbers of its arguments.
FOR_GAMES, FOR_TABLES = 2, 4


def warm_up_arguments(load: Callable[..., object]) -> int:
    """Return with how many arguments a warm-up is called; raises ValueError for any other one."""
    try:
        found = signature(load)
    except ValueError:  # of a function that is not written in Python
        return FOR_GAMES
    for number in (FOR_GAMES, FOR_TABLES):
        with suppress(TypeError):
            found.bind(*range(number))
            return number
    raise ValueError(f"takes {found}, not (game, settings) or (game, settings, seats, options)")


def never(settings: Settings) -> bool:
    """Return False: no values of its options make the bot look at a clock."""
    return False


def playable(game: str, settings: Settings) -> str:
    """Return "": a bot plays all its games with any settings."""
    return ""


@dataclass(frozen=True, slots=True)
class BotEntry:
    """A kind of bot: the name in its spec, its options and how it is created.

    `make` gets the bot's only source of randomness, then the values of its `options` by keyword; an
    AnyBot is passed as a function that creates that other bot. The first option may be set without
    its name: `ismcts:2000`. `games` are the names of the games it plays, None for any. The name
    `rule` is for a game's own rule-based bot, which then is the default opponent.
    """

    name: str
    summary: str
    make: Callable[..., Bot]
    games: tuple[str, ...] | None = None
    # Not part of the hash, as a dict has none.
    options: Mapping[str, Option] = field(default_factory=dict, hash=False)
    uses_clock: Callable[[Settings], bool] = never
    """Whether, with these settings, equal observation and generator may give different actions."""
    refusal: Callable[[str, Settings], str] = playable
    """Returns why the bot cannot play the game of this name with these settings, or "".

    Called whenever a spec is read, so it has to be quick.
    """
    needs_determinizations: bool = False
    """Whether the bot cannot play games whose observations have no determinizations."""
    warm_up: WarmUp | None = None
    """Loads what takes long, such as a library or weights, and keeps it in this process.

    Called with the game and the bot's settings before a process makes the bot, in matches and at
    tables; no time limit of a decision includes it. If it takes four arguments it gets the number
    of seats and the options of the table, too. `make` has to work without it.
    """

    def plays(self, game: str) -> bool:
        """Return whether the bot plays the game of this name."""
        return self.games is None or game in self.games
