"""Collections: games that are made when somebody names one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cardhub.game.game import Game
from cardhub.plugins.word import check_word


@dataclass(frozen=True, slots=True)
class GameCollection:
    """Games under one name: `openspiel:chess` is `chess` of the collection `openspiel`.

    `make` gets what people typed and what follows the colon in it, and returns a game called what
    they typed; it raises PluginError, saying what would have been right, if there is none. Raises
    ValueError.
    """

    name: str
    summary: str
    make: Callable[[str, str], Game[Any]]

    def __post_init__(self) -> None:
        """Refuse what nobody could type or call."""
        check_word("collection", self.name)
        if not callable(self.make):
            raise ValueError(f"collection {self.name!r} makes games with {self.make!r}")
