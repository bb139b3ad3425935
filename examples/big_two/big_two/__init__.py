"""Big Two: be the first to play all your cards."""

from big_two.game import BigTwo

__all__ = ["BigTwo"]
