"""Search for every game: written once against the contract, from observations alone."""

from cardhub.bots.search.search_bot import ISMCTS, PIMC

__all__ = ["ISMCTS", "PIMC"]
