"""Games of OpenSpiel at cardhub's table: `openspiel:tic_tac_toe`."""

from typing import Any

from cardhub.game.game import Game
from cardhub.plugins.hookspecs import hookimpl
from cardhub.plugins.registrations import GameCollection


def make(name: str, text: str) -> Game[Any]:
    """Return what OpenSpiel loads by `text`; raises PluginError or MissingLibraryError."""
    # OpenSpiel takes a second to load, and whoever lists plugins does not need it.
    from cardhub.adapters.openspiel_games.game import game_named

    return game_named(name, text)


@hookimpl
def register_collections() -> list[GameCollection]:
    """Offer whatever OpenSpiel has and cardhub's table can seat."""
    return [GameCollection("openspiel", "Games of OpenSpiel, such as openspiel:tic_tac_toe.", make)]
