"""cardhub games in OpenSpiel; the import of this package registers every installed game there.

Load a game by `pyspiel.load_game("cardhub_gargon(players=4)")` or `load("gargon", players=4)`. The
package needs the extra `openspiel` and raises MissingLibraryError without it.
"""

from cardhub.learning.adapters.openspiel.policy_bot import OpenSpielBot
from cardhub.learning.adapters.openspiel.pyspiel_game import (
    CardhubGame,
    load,
    register,
    register_installed,
)
from cardhub.learning.adapters.openspiel.pyspiel_state import CardhubState
from cardhub.learning.adapters.openspiel.tabular import tabular

register_installed()

__all__ = ["CardhubGame", "CardhubState", "OpenSpielBot", "load", "register", "tabular"]
