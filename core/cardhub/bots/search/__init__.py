"""Search for every game: written once against the contract, from observations alone."""

from cardhub.bots.search.search_bot import ISMCTS, PIMC
from cardhub.bots.search.simulation import Playout

__all__ = ["ISMCTS", "PIMC", "Playout"]
