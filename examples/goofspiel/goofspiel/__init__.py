"""Goofspiel: bids laid face down for prizes turned up one by one."""

from goofspiel.game import Goofspiel

__all__ = ["Goofspiel"]
