"""Search bots for all games, which use only the contract of games and observations."""

from cardhub.bots.search.search_bot import ISMCTS, PIMC
from cardhub.bots.search.simulation import Playout

__all__ = ["ISMCTS", "PIMC", "Playout"]
