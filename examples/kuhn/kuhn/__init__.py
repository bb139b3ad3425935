"""Kuhn poker: three cards, one bet."""

from kuhn.game import Kuhn

__all__ = ["Kuhn"]
