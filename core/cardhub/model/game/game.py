"""The contract for games, in three parts: the rules, hints for search, and the display.

A game subclasses `Game` and implements the abstract methods: `deal`, `legal`, `apply` and `scores`.
All other attributes and methods have defaults.
"""

from typing import Any

from cardhub.model.game.game_display import Display
from cardhub.model.game.game_hints import SearchHints
from cardhub.model.game.game_rules import Rules, S

__all__ = ["Display", "Game", "Rules", "S", "SearchHints"]


# Former names of the contract. The core no longer reads them, so a game must not define them.
RENAMED = {"outlook": "evaluate", "horizon": "playout_depth"}


# The parts derive from one another, as compiled classes have one base: `Rules` first, then
# `SearchHints`, `Display` and `Game`.
class Game(Display[S]):
    """A game: the rules, hints for search, and the display; the one class that authors subclass."""

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        for old, new in RENAMED.items():
            # Search would run without error, but without the game's evaluation.
            if hasattr(cls, old):
                raise TypeError(f"{cls.__name__}: `{old}` is now `{new}`. fix: rename it")
