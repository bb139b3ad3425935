"""Roses and skulls: bid how many roses you can turn up."""

from roses.game import Roses

__all__ = ["Roses"]
