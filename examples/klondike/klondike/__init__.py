"""Klondike: the patience of seven columns."""

from klondike.game import Klondike

__all__ = ["Klondike"]
