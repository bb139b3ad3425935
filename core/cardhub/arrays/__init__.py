"""Observations as arrays of fixed size, for learners.

`Layout(game, seats, options)` says which slot holds what, `encode` fills an array from an
observation, `mask` tells the legal actions.
"""

from cardhub.arrays.layout import Layout, Mask
from cardhub.arrays.parts import Part, Slots

__all__ = ["Layout", "Mask", "Part", "Slots"]
