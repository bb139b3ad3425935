"""Find a game that is given by name or as an object."""

from typing import Any

from cardhub.model.game.game import Game
from cardhub.plugins.registry import find_plugins


def named_game(game: str | Game[Any]) -> Game[Any]:
    """Return the installed game of this name, or the game itself; raises PluginError."""
    return find_plugins().game(game) if isinstance(game, str) else game
