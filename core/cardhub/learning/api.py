"""The names that the package cardhub.learning exports: arrays, many tables, leagues and models."""

from cardhub.base.errors import LayoutError
from cardhub.learning.adapters.vector import BatchArrays, VectorEnv, table_spec, vector_env
from cardhub.learning.arrays import (
    CURRENT,
    FACES,
    PERFECT,
    TOKENS,
    ActionHead,
    ActionHeads,
    Layout,
    LegalActions,
    Mask,
    Part,
    Row,
    Slots,
)
from cardhub.learning.learn import Policy, save
from cardhub.learning.learn.league import League, LeagueRating, LeagueResult, Trainer, maskable_ppo

__all__ = [
    "CURRENT",
    "FACES",
    "PERFECT",
    "TOKENS",
    "ActionHead",
    "ActionHeads",
    "BatchArrays",
    "Layout",
    "LayoutError",
    "League",
    "LeagueRating",
    "LeagueResult",
    "LegalActions",
    "Mask",
    "Part",
    "Policy",
    "Row",
    "Slots",
    "Trainer",
    "VectorEnv",
    "maskable_ppo",
    "save",
    "table_spec",
    "vector_env",
]
