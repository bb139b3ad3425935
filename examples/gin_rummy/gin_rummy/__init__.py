"""Gin Rummy: collect sets and runs, and knock."""

from gin_rummy.game import GinRummy

__all__ = ["GinRummy"]
