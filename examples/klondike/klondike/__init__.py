"""Klondike: the patience of seven columns, for one player."""

from klondike.game import Klondike

__all__ = ["Klondike"]
