"""Roses and skulls: players bid how many roses they can turn up without a skull."""

from roses.game import Roses

__all__ = ["Roses"]
