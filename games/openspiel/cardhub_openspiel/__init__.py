"""cardhub's games in OpenSpiel, OpenSpiel's games in cardhub, and its policies as bots.

Load a game by `pyspiel.load_game("cardhub_gargon(players=4)")` or `load("gargon", players=4)`. The
names below need the extra `openspiel` and raise MissingLibraryError without it; their first use
registers every installed game with OpenSpiel.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from cardhub.model.game.game import Game
from cardhub.plugins.hookspecs import hookimpl
from cardhub.plugins.registrations import GameCollection
from cardhub_openspiel.library import OPENSPIEL_MISSING
from cardhub_openspiel.policies import OpenSpielBot

if TYPE_CHECKING:
    from cardhub_openspiel.exported import CardhubGame, CardhubState, load, register, tabular

__all__ = ["CardhubGame", "CardhubState", "OpenSpielBot", "load", "register", "tabular"]

SUMMARY = "Games of OpenSpiel, such as openspiel:tic_tac_toe."


def __getattr__(name: str) -> Any:
    # Imported late, because OpenSpiel takes a second to load and plugins are listed often.
    if name not in __all__:
        raise AttributeError(f"module 'cardhub_openspiel' has no attribute {name!r}")
    from cardhub_openspiel import exported

    return getattr(exported, name)


def make(name: str, text: str) -> Game[Any]:
    """Return OpenSpiel's game `text`; raises PluginError or MissingLibraryError."""
    from cardhub_openspiel.imported.named_games import game_named

    return game_named(name, text)


@hookimpl
def register_collections() -> list[GameCollection]:
    """Register the collection of OpenSpiel's games."""
    missing = "" if find_spec("pyspiel") else OPENSPIEL_MISSING
    return [GameCollection("openspiel", SUMMARY, make, missing)]
