"""Rebels: missions with hidden spies."""

from rebels.game import Rebels

__all__ = ["Rebels"]
