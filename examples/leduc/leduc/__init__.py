"""Leduc poker: two players, six cards, two rounds of betting."""

from leduc.game import Leduc

__all__ = ["Leduc"]
