"""Pig for stakes: two dice, and a seven loses it all."""

from pig.game import Pig

__all__ = ["Pig"]
