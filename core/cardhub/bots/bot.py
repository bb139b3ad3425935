"""The protocol of bots, and their registration."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from inspect import signature
from math import fsum, isfinite
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import Observation, Step
from cardhub.model.table.settings import Option, Settings


class Bot(Protocol):
    """A player that is not human. A new instance is created for every game and may keep state.

    A bot with resources has a method `close()`, which is called when its game is over or abandoned.
    """

    # The parameter is positional only, so a bot may give it another name.
    def choose(self, observation: Observation[Any], /) -> int:
        """Return one of `observation.legal()`; called whenever the bot's seat is to act."""
        ...


class Rated(NamedTuple):
    """A bot's rating of an action: the number of visits, and the mean value; higher is better.

    With `Goal.SCORE` and `COMMON` the value is the expected score in the game's unit, negated if
    the lowest score wins; with `WIN` and `RANK` it is from -1 to 1. `line`: the steps that the bot
    expects after the action; empty if the bot predicts none.
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
    """A bot that can rate given actions with equal effort, also actions that it would not try.

    `cardhub match review` needs it, because a search knows little about actions that it rarely
    tries.
    """

    def compare(self, observation: Observation[Any], actions: Sequence[int], /) -> list[Rated]:
        """Return ratings of these legal actions, in their order, with equal numbers of visits."""
        ...


@runtime_checkable
class Searcher(Protocol):
    """A bot that searches, and can report how often it visited each action.

    `cardhub train --from` needs it, because visits say more than the action that the bot chooses.
    """

    def visits(self, observation: Observation[Any], /) -> Mapping[int, int]:
        """Search, and return the number of visits of each legal action.

        Missing actions have no visits. Where several seats choose at the same time, visits that
        only explored are left out: there the numbers are in proportion to a mixed strategy.
        """
        ...


@runtime_checkable
class MixedBot(Protocol):
    """A bot that can return its probabilities, which make `cardhub bot exploit` exact."""

    def policy(self, observation: Observation[Any], /) -> Mapping[int, float]:
        """Return the probability of each legal action; missing actions have probability 0.

        The probabilities must depend only on the information state, and `choose` must sample from
        them. `policy_problem` says which numbers are accepted.
        """
        ...


@runtime_checkable
class SamplingBot(Protocol):
    """A bot that draws its action from several answers, whose shares estimate its probabilities."""

    def sample(self, observation: Observation[Any], /) -> Sequence[int]:
        """Return legal actions, of which `choose` would draw one with equal probabilities."""
        ...


@runtime_checkable
class Evaluator(MixedBot, Protocol):
    """A bot that estimates what positions are worth, so that it can guide a search."""

    def utilities(self, observation: Observation[Any], /) -> Sequence[float]:
        """Return the expected utility of each seat, as `Scoring.returns` counts it.

        The observation has all faces: it is the one of EVERYTHING in a determinization.
        """
        ...


@runtime_checkable
class Guide(Evaluator, Protocol):
    """An Evaluator with which a search also looks at actions that the bot itself does not play."""

    def prior(self, observation: Observation[Any], /) -> Mapping[int, float]:
        """Return how promising each legal action is, as probabilities like those of `policy`."""
        ...


# The accepted distance of a sum from 1, because probabilities may be rounded to four digits.
ROUNDING = 1e-3


def policy_problem(chances: Iterable[float]) -> str:
    """Return why numbers are not the probabilities of a decision, or an empty text."""
    values = list(chances)
    for value in values:
        if not isfinite(value) or value < 0:
            return f"{value:g} is not a probability"
    total = fsum(values)
    if abs(total - 1) > ROUNDING:
        return f"the probabilities sum to {total:.4g}, not to 1"
    return ""


@runtime_checkable
class Interruptible(Protocol):
    """A bot that can be asked to finish early."""

    def interrupt(self) -> None:
        """Make the running `choose` or `advise` return soon, with its best result so far.

        It is called from another thread, perhaps several times; it does not affect the next call.
        """
        ...


# A function of the game and the bot's settings, and optionally the table's seats and options.
WarmUp: TypeAlias = (
    Callable[[Game[Any], Settings], object] | Callable[[Game[Any], Settings, int, Settings], object]
)


# The numbers of arguments of a warm-up.
FOR_GAMES, FOR_TABLES = 2, 4


def warm_up_arguments(load: Callable[..., object]) -> int:
    """Return the number of arguments of a warm-up; raises ValueError unless it is 2 or 4."""
    try:
        parameters = signature(load)
    except ValueError:  # raised for functions that are not written in Python
        return FOR_GAMES
    for number in (FOR_GAMES, FOR_TABLES):
        with suppress(TypeError):
            parameters.bind(*range(number))
            return number
    raise ValueError(
        f"takes {parameters}, not (game, settings) or (game, settings, seats, options)"
    )


def is_among(game: str, games: Collection[str] | None) -> bool:
    """Return whether the names contain a game, with or without its distribution; None has all."""
    if games is None or game in games:
        return True
    # A name can be `cardhub-mau/mau`. The text after a colon, in a collection, may be anything.
    head, colon, rest = game.partition(":")
    return head.rpartition("/")[2] + colon + rest in games


def ignores_clock(settings: Settings) -> bool:
    """Default `uses_clock`: the bot ignores the clock with any options."""
    return False


def always_uses_clock(settings: Settings) -> bool:
    """Return True: with any options, equal observations may give different actions."""
    return True


def always_playable(game: str, settings: Settings) -> str:
    """Default `refusal`: the bot plays all its games with any settings."""
    return ""


@dataclass(frozen=True, slots=True)
class BotEntry:
    """A kind of bot: the name in its spec, its options and how it is created.

    `make`: a function that creates the bot; it gets the bot's only source of randomness, then the
    values of its `options` by keyword. The value of an AnyBot is a function that creates the other
    bot. The first option may be set without its name: `ismcts:2000`. `games`: the names of the
    games that the bot plays, or None for all games. The name `rule` is reserved for a game's own
    rule-based bot, which is the game's default opponent.
    """

    name: str
    summary: str
    make: Callable[..., Bot]
    games: tuple[str, ...] | None = None
    # Not part of the hash, because a dict has no hash.
    options: Mapping[str, Option] = field(default_factory=dict, hash=False)
    uses_clock: Callable[[Settings], bool] = ignores_clock
    """Returns whether equal observations and generators may give different actions."""
    refusal: Callable[[str, Settings], str] = always_playable
    """Returns why the bot cannot play the game of this name with these settings, or "".

    It must be fast, because it is called whenever a spec is read.
    """
    needs_determinizations: bool = False
    """Whether the bot can play only games whose observations have determinizations."""
    needs_networks: bool = False
    """Whether the bot can play only games that ship networks, `Game.networks`."""
    warm_up: WarmUp | None = None
    """Loads slow resources, for example a library or weights, into the calling process.

    It is called with the game and the bot's settings before a process creates the bot, in matches
    and at tables; time limits of decisions do not include it. If it has four parameters, it also
    gets the number of seats and the options of the table. `make` must also work without it.
    """

    def plays(self, game: str) -> bool:
        """Return whether the bot plays the game of this name."""
        return is_among(game, self.games)
