"""The rules, the first part of the contract for games."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from cardhub.model.cards import Cards
from cardhub.model.table.actions import Actions
from cardhub.model.table.goal import Goal
from cardhub.model.table.seats import Seats
from cardhub.model.table.settings import Option, Settings
from cardhub.model.table.state import State

S = TypeVar("S", bound=State)


class Rules(ABC, Generic[S]):
    """The rules, which every game writes.

    A game object is immutable: everything about a position is in its state. The rules read and
    change states only; they do not print, use the clock or use random numbers. They may read the
    faces that the seat to act, or every seat, has seen; any other face raises HiddenFaceError when
    a bot or a front end calls them with an observation.
    """

    name: ClassVar[str]
    """The name that people type; also the name of the entry point."""
    title: ClassVar[str]
    """The name shown to people."""
    version: ClassVar[str] = "1"
    """Change it whenever old records no longer replay."""
    seats: ClassVar[Seats]
    """The allowed numbers of players."""
    cards: ClassVar[Cards]
    """All faces, backs and decks; see `load_cards`."""
    actions: ClassVar[Actions]
    """All actions, in named groups."""
    state_type: ClassVar[type[Any]]
    """The game's subclass of `State`."""
    options: ClassVar[Mapping[str, Option]] = {}
    """The options that players can choose before the deal, by name."""
    phases: ClassVar[Sequence[str]] = ()
    """The names of the values of `State.phase`, if the game has phases."""
    lowest_wins: ClassVar[bool] = False
    """Whether the lowest score is the best, for any goal."""
    goal: ClassVar[Goal] = Goal.RANK
    """The aim of the players; see `Goal`."""
    unit: ClassVar[str] = "points"
    """The plural noun of what scores count, such as "chips"."""

    @abstractmethod
    def deal(self, state: S) -> None:
        """Put all tokens into zones and set the first seat to act.

        Tokens are numbered from 0, deck by deck, after each deck has been shuffled.
        """

    @abstractmethod
    def legal(self, state: S) -> list[int]:
        """Return the legal actions of the seat to act (or of chance) in a fixed order.

        Before the end the list is not empty, and after each action the turn can be finished.
        Callers do not change the list: it may be the same one at every call.
        """

    @abstractmethod
    def apply(self, state: S, action: int) -> None:
        """Carry out a legal action in place; set `state.seat` to the next seat, CHANCE or OVER."""

    @abstractmethod
    def scores(self, state: S) -> list[int]:
        """Return the current score of every seat; final once the game is over."""

    def teams(self, settings: Settings, seats: int) -> Sequence[int]:
        """Return the team of every seat; default: each seat is a team, or with COMMON all are one.

        The scores of the members of a team are equal.
        """
        return [0] * seats if self.goal is Goal.COMMON else range(seats)

    def target(self, settings: Settings, seats: int) -> int | None:
        """Return the common score at which all have won; None: the score has no such limit."""
        return None

    def unit_size(self, settings: Settings) -> int:
        """Return the score that makes one of `unit`: 2 where scores count halves of it."""
        return 1

    def pack(self, settings: Settings, seats: int) -> list[int]:
        """Return the faces of the cards in play; default: all copies of all cards."""
        return list(self.cards.copies)

    def check(self, settings: Settings, seats: int) -> None:
        """Raise OptionError for options that are valid separately, but not together."""

    def chance_weights(self, state: S) -> list[float] | None:
        """Return the weights of chance's legal actions; None: all are equally likely."""
        return None
