"""Kuhn poker: two players, three cards, one bet."""

from kuhn.game import Kuhn

__all__ = ["Kuhn"]
