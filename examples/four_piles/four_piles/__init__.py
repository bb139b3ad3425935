"""Four piles: together, lay 2 to 99 on four piles."""

from four_piles.game import FourPiles

__all__ = ["FourPiles"]
