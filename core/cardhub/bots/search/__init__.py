"""Search for every game: written once against the contract, from observations alone."""

from cardhub.bots.search.entries import ISMCTS, PIMC

__all__ = ["ISMCTS", "PIMC"]
