"""cardhub's games in OpenSpiel; the import of this package registers every installed game there."""

from cardhub_openspiel.exported.pyspiel_game import (
    CardhubGame,
    load,
    register,
    register_installed,
)
from cardhub_openspiel.exported.pyspiel_state import CardhubState
from cardhub_openspiel.exported.tabular import tabular

register_installed()

__all__ = ["CardhubGame", "CardhubState", "load", "register", "tabular"]
