"""Big Two: three or four players race to play all their cards."""

from big_two.game import BigTwo

__all__ = ["BigTwo"]
