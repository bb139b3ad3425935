"""Four piles: all players together lay the numbers from 2 to 99 on four piles."""

from four_piles.game import FourPiles

__all__ = ["FourPiles"]
