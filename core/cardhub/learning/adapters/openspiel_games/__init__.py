"""Games of OpenSpiel in cardhub, `openspiel:tic_tac_toe`, and its policies as bots."""

from importlib.util import find_spec
from typing import Any

from cardhub.bots import BotEntry
from cardhub.learning.adapters import OPENSPIEL_MISSING
from cardhub.learning.adapters.openspiel_policy import OPENSPIEL_POLICY
from cardhub.model.game.game import Game
from cardhub.plugins.hookspecs import hookimpl
from cardhub.plugins.registrations import GameCollection

SUMMARY = "Games of OpenSpiel, such as openspiel:tic_tac_toe."


def make(name: str, text: str) -> Game[Any]:
    """Return OpenSpiel's game `text`; raises PluginError or MissingLibraryError."""
    # Imported late, because OpenSpiel takes a second to load and plugins are listed often.
    from cardhub.learning.adapters.openspiel_games.named_games import game_named

    return game_named(name, text)


@hookimpl
def register_collections() -> list[GameCollection]:
    """Register the collection of OpenSpiel's games."""
    missing = "" if find_spec("pyspiel") else OPENSPIEL_MISSING
    return [GameCollection("openspiel", SUMMARY, make, missing)]


@hookimpl
def register_bots() -> list[BotEntry]:
    """Register the bot `policy`."""
    return [OPENSPIEL_POLICY]
