"""Doppelkopf: two pairs who find each other in play."""

from doppelkopf.game import Doppelkopf

__all__ = ["Doppelkopf"]
