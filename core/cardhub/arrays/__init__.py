"""Observations as arrays of fixed size, for learners.

`Layout(game, seats, options)` assigns slots to features, `encode` fills an array from an
observation, `mask` marks the legal actions.
"""

from cardhub.arrays.feature_spec import Part, Slots
from cardhub.arrays.layout import Layout, Mask

__all__ = ["Layout", "Mask", "Part", "Slots"]
