"""Pig for stakes: two dice, a stake for every turn, and a seven that loses it all."""

from pig.game import Pig

__all__ = ["Pig"]
