"""Doppelkopf: two pairs of partners, who find each other in play."""

from doppelkopf.game import Doppelkopf

__all__ = ["Doppelkopf"]
