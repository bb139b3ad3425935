"""Observations as arrays of fixed size, for learners.

`Layout(game, seats, options)` assigns slots to features, `encode` fills an array from an
observation, `mask` marks the legal actions, `action_of` returns the action that a learner chose.
"""

from cardhub.learning.arrays.action_heads import ActionHead, ActionHeads
from cardhub.learning.arrays.feature_spec import Mask, Part, Row, Slots
from cardhub.learning.arrays.layout import Layout
from cardhub.learning.arrays.learner_actions import FACES, TOKENS, LegalActions
from cardhub.learning.arrays.recall_features import CURRENT, PERFECT

__all__ = [
    "CURRENT",
    "FACES",
    "PERFECT",
    "TOKENS",
    "ActionHead",
    "ActionHeads",
    "Layout",
    "LegalActions",
    "Mask",
    "Part",
    "Row",
    "Slots",
]
