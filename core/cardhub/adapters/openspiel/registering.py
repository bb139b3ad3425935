"""Making cardhub games known to OpenSpiel."""

from collections.abc import Mapping
from typing import Any

from cardhub.adapters.openspiel.games import PREFIX, CardhubGame, game_type
from cardhub.adapters.openspiel_library import pyspiel
from cardhub.errors import PluginError
from cardhub.game.game import Game
from cardhub.plugins.discovery import find_plugins
from cardhub.table.settings import Value


def load(game: str | Game[Any], **parameters: Value) -> CardhubGame:
    """Return a game by its name, or a game object, as a pyspiel game.

    Parameters are `players`, `returns` and the game's options. Raises PluginError or OptionError.
    """
    found = find_plugins().game(game) if isinstance(game, str) else game
    name = register(found)
    CardhubGame(found, parameters)  # whatever is wrong is said better here than by OpenSpiel
    loaded: CardhubGame = pyspiel.load_game(name, parameters)
    return loaded


def register(game: Game[Any]) -> str:
    """Make a game known to OpenSpiel, if it is not yet, and return its name there."""
    name = PREFIX + game.name
    if name not in pyspiel.registered_names():
        pyspiel.register_game(game_type(game), _class_of(game))
    return name


def _class_of(game: Game[Any]) -> type[CardhubGame]:
    """Return a class that makes this game.

    OpenSpiel holds on to it until after Python has ended, when nothing can be freed any more. A
    class, unlike a function, refers to itself and is never freed.
    """

    class Registered(CardhubGame):
        def __init__(self, params: Mapping[str, Value] | None = None) -> None:
            super().__init__(game, params)

    return Registered


def register_installed() -> None:
    """Make all installed games known to OpenSpiel; whoever loads a broken one hears of it."""
    registry = find_plugins()
    for name in registry.game_names():
        try:
            register(registry.game(name))
        except PluginError:
            continue
