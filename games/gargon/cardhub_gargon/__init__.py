"""Gargon: 3 to 5 magicians fight for amulets behind card backs that all can see."""

from cardhub_gargon.game import Gargon

__all__ = ["Gargon"]
