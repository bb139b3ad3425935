"""How a game's sentences name players and cards."""

from typing import Protocol


class Names(Protocol):
    """Names as one viewer may know them; see `Game.story`."""

    def player(self, seat: int, /) -> str:
        """Return the name of the player at a seat."""
        ...

    def card(self, token: int, /) -> str:
        """Return a card's name, or what stands for an unseen one: `R14`, `R?`."""
        ...

    def phrase(self, token: int, /) -> str:
        """Return a card for a sentence: `R14`, `a red card`."""
        ...
