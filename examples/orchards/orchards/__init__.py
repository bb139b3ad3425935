"""Orchards: a small deck-building game."""

from orchards.game import Orchards

__all__ = ["Orchards"]
