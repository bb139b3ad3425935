"""The contract a game author fulfils."""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

from cardhub.cards import Card, Cards
from cardhub.game.names import Names
from cardhub.game.scene import Scene
from cardhub.table.actions import Actions
from cardhub.table.settings import Option, Settings
from cardhub.table.state import State

S = TypeVar("S", bound=State)

RENAMED = {"outlook": "evaluate", "horizon": "playout_depth"}
"""Former names of the contract. The core no longer reads them, so a game must not define them."""


@dataclass(frozen=True, slots=True)
class Seats:
    """How many can play: from `low` to `high`, `default` if nobody says."""

    low: int
    high: int = 0
    default: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "high", self.high or self.low)
        object.__setattr__(self, "default", self.default or self.low)

    def __contains__(self, seats: int) -> bool:
        return self.low <= seats <= self.high

    def __str__(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low} to {self.high}"


class Game(ABC, Generic[S]):
    """A game: what it is, and its rules.

    A game object keeps nothing; all there is to know about a position is in its state. The rules
    read and change states and do nothing else: they do not print, look at the clock or draw lots.
    They may read every face that the seat to act, or everybody, has seen; reading any other raises
    HiddenFaceError when a bot or a front end asks.
    """

    name: ClassVar[str]
    """What people type; also the entry point's name."""
    title: ClassVar[str]
    version: ClassVar[str] = "1"
    """Changes whenever old records would no longer replay."""
    seats: ClassVar[Seats]
    cards: ClassVar[Cards]
    actions: ClassVar[Actions]
    options: ClassVar[Mapping[str, Option]] = {}
    phases: ClassVar[Sequence[str]] = ()
    """Names for the values of `State.phase`, if the game has phases."""
    lowest_wins: ClassVar[bool] = False
    """Whether the lowest score is the best."""
    levels: ClassVar[Mapping[str, str]] = {}
    """Bots as text for `easy`, `medium` and `hard`, where those of any game are not right."""
    bluffs: ClassVar[Sequence[str]] = ()
    """Verbs of actions that may deceive; among those, search bots choose by lot."""
    playout_depth: ClassVar[int] = 0
    """How often the turn passes until search bots take the `evaluate` for the end; 0: play on."""
    state_type: ClassVar[type[Any]]

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        for old, new in RENAMED.items():
            # Search would run without error, but without the game's evaluation.
            if hasattr(cls, old):
                raise TypeError(f"{cls.__name__}: `{old}` is now `{new}`. fix: rename it")

    def pack(self, settings: Settings, seats: int) -> list[int]:
        """Return the faces of the cards in play, deck by deck; all copies of all cards by default.

        Each deck is shuffled before the deal; tokens are numbered in this order.
        """
        return self.cards.all_copies()

    @abstractmethod
    def deal(self, state: S) -> None:
        """Lay out the shuffled tokens, all of them, and say who starts.

        The tokens are numbered from 0 deck by deck; nothing is left to chance here.
        """

    @abstractmethod
    def legal(self, state: S) -> list[int]:
        """Return the actions of the seat to act (or of chance), never none, in a fixed order.

        Offer a step only if the turn can still be finished legally.
        """

    @abstractmethod
    def apply(self, state: S, action: int) -> None:
        """Carry out a legal action, in place; set `state.seat` to who acts next, or to OVER."""

    @abstractmethod
    def scores(self, state: S) -> list[int]:
        """Return the score of every seat as it stands; final once the state is OVER."""

    @abstractmethod
    def scene(self, state: S, viewer: int) -> Scene:
        """Describe the table to one seat; `viewer` is `state.seats` for a spectator.

        The state is that seat's observation: reading a face it has not seen raises.
        """

    def check(self, settings: Settings, seats: int) -> None:
        """Raise OptionError if options that are fine by themselves do not fit together."""

    def chance_weights(self, state: S) -> list[float] | None:
        """Return how likely each of chance's legal actions is; None if all are equally likely."""
        return None

    def random_action(self, state: S, rng: Random) -> int:
        """Return a legal action, all equally likely; override where a list would be slower."""
        actions = self.legal(state)
        return actions[int(rng.random() * len(actions))]

    def playout_action(self, state: S, rng: Random) -> int:
        """Return a legal action as people tend to choose it; search plays games out by it.

        Override it with whatever takes no longer than a few random actions.
        """
        return self.random_action(state, rng)

    def evaluate(self, state: S) -> Sequence[float]:
        """Return what the position promises every seat, on any scale; search weighs margins by it.

        The scores as they stand, unless something tells more. As with scores, the most is best,
        unless the lowest wins.
        """
        return self.scores(state)

    def likelihood(self, state: S) -> float:
        """Say how readily people would have acted as they did with these faces, from 0 to 1.

        Search weighs determinizations by it; 1 unless something public speaks against them.
        """
        return 1.0

    def allows(self, state: S, token: int, face: int) -> bool:
        """Say whether an unseen token could bear this face, judged by what is public.

        It speaks of the card that the token bears now. What it said of tokens before a shuffle is
        kept by the core; see `possible` for a faster form.
        """
        return True

    def possible(self, state: S, token: int) -> int:
        """Return all faces that an unseen token could bear, as the bits of an int.

        It asks `allows` of every face with the token's back; override it, instead of or besides
        `allows`, where the state has such bits at hand. Other bits do no harm.
        """
        back, mask = state.back[token], 0
        for face, other in enumerate(self.cards.back_of):
            if other == back and self.allows(state, token, face):
                mask |= 1 << face
        return mask

    def plausible(self, state: S) -> bool:
        """Say whether a determinization fits what is public about several cards at once.

        The core redraws, within a bound, until this holds. It judges the present: the past of the
        state is masked.
        """
        return True

    def story(self, before: S, action: int, after: S, names: Names) -> list[str] | None:
        """Tell what an action brought about, in sentences, from one viewer's observations.

        None: the core tells the action and which cards moved where.
        """
        return None

    def detail(self, card: Card) -> str:
        """Return up to four characters to show with a large card, beneath its name."""
        return ""

    def rules(self) -> str:
        """Return the rules of the game in Markdown: `rules.md` beside the game's module."""
        path = Path(inspect.getfile(type(self))).with_name("rules.md")
        return path.read_text("utf-8") if path.exists() else inspect.getdoc(type(self)) or ""
