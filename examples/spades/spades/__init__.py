"""Spades: two teams bid how many tricks they will take."""

from spades.game import Spades

__all__ = ["Spades"]
