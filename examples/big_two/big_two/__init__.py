"""Big Two: three or four players try to be the first without cards."""

from big_two.game import BigTwo

__all__ = ["BigTwo"]
