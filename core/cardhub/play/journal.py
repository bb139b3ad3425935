"""What can be written down of a game as it goes on."""

from collections.abc import Sequence
from typing import Protocol

from cardhub.hidden.chance import Outcome
from cardhub.hidden.naming import Naming


class Journal(Protocol):
    """Whoever writes down what the referee does; each call is one thing done for good."""

    def open(self, deal: Outcome) -> None:
        """Start with the deal, in token order."""
        ...

    def take(self, seat: int, action: int, naming: Naming, legal: Sequence[int]) -> None:
        """Note an action; records write it as `naming` does, told apart from what is `legal`."""
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
