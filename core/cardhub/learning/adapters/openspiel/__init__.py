"""cardhub games in OpenSpiel; importing this package registers every installed game there.

`pyspiel.load_game("cardhub_gargon(players=4)")`, or `load("gargon", players=4)`. Needs the extra
`openspiel`; without it, importing this raises MissingLibraryError.
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
