"""Games of OpenSpiel at cardhub's table: `openspiel:tic_tac_toe`."""

from importlib.util import find_spec
from typing import Any

from cardhub.adapters import OPENSPIEL_MISSING
from cardhub.game.game import Game
from cardhub.plugins.hookspecs import hookimpl
from cardhub.plugins.registrations import GameCollection

SUMMARY = "Games of OpenSpiel, such as openspiel:tic_tac_toe."


def make(name: str, text: str) -> Game[Any]:
    """Return what OpenSpiel loads by `text`; raises PluginError or MissingLibraryError."""
    # OpenSpiel takes a second to load, and whoever lists plugins does not need it.
    from cardhub.adapters.openspiel_games.game import game_named

    return game_named(name, text)


@hookimpl
def register_collections() -> list[GameCollection]:
    """Offer whatever OpenSpiel has and cardhub's table can seat."""
    missing = "" if find_spec("pyspiel") else OPENSPIEL_MISSING
    return [GameCollection("openspiel", SUMMARY, make, missing)]
