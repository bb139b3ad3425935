"""Spades: bid how many tricks your team takes."""

from spades.game import Spades

__all__ = ["Spades"]
