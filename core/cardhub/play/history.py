"""History of a game: its entries, and the interface of those that record them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from cardhub.hidden.chance import Outcome
from cardhub.hidden.labels import Labels


@dataclass(frozen=True, slots=True)
class Taken:
    """An action; `seat` is the seat that took it, or CHANCE."""

    seat: int
    action: int


@dataclass(frozen=True, slots=True)
class Shuffled:
    """The outcome of one shuffle that the last action required."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Undone:
    """An undo of a seat's last action."""

    seat: int


@dataclass(frozen=True, slots=True)
class Hinted:
    """A hint of a bot, given as spec, to the seat to act; the state does not change."""

    seat: int
    bot: str


Entry = Taken | Shuffled | Undone | Hinted


class Journal(Protocol):
    """Receives each entry of a game from the referee, as it becomes final."""

    def open(self, deal: Outcome) -> None:
        """Start with the deal, in token order."""
        ...

    def take(self, seat: int, action: int, labels: Labels, legal: Sequence[int]) -> None:
        """Note an action; records write it as `labels` does, told apart from what is `legal`."""
        ...

    def shuffle(self, outcome: Outcome) -> None:
        """Note the outcome of a shuffle."""
        ...

    def undo(self, seat: int) -> None:
        """Note that a seat took its last action back."""
        ...

    def hint(self, seat: int, bot: str) -> None:
        """Note that a seat got a hint from a bot."""
        ...

    def end(self, scores: list[int], places: list[int], returns: list[float]) -> None:
        """Note the end of the game."""
        ...
