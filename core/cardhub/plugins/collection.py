"""Collections: games that are made on demand from a name with a prefix."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cardhub.game.game import Game
from cardhub.plugins.catalogue import check_word


@dataclass(frozen=True, slots=True)
class GameCollection:
    """A source of games by name: `openspiel:chess` is `chess` of the collection `openspiel`.

    `make` receives the whole name (`openspiel:chess`) and the part after the colon (`chess`). It
    returns a game with the whole name, or raises PluginError. Raises ValueError.
    """

    name: str
    summary: str
    make: Callable[[str, str], Game[Any]]

    def __post_init__(self) -> None:
        """Reject an invalid name and a `make` that is not callable."""
        check_word("collection", self.name)
        if not callable(self.make):
            raise ValueError(f"invalid make of collection {self.name!r}: {self.make!r}")
