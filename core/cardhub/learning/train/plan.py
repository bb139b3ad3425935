"""What determines a training: the table, the seed and the teacher. It needs no PyTorch."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cardhub.learning.arrays import Layout
from cardhub.learning.train.network import SMALL_ARRAY
from cardhub.model.game.game import Game
from cardhub.model.table.settings import Value

# How many of the last actions a network also sees in a small game.
HISTORY = 12


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """The parameters of a training: with the number of updates they determine its result.

    `teacher`: the spec of the bot whose games come first, or "" for self-play alone.
    """

    game: str
    players: int
    seed: int
    options: Mapping[str, Value] = field(default_factory=dict)
    teacher: str = ""


def training_layout(game: Game[Any], players: int, options: Mapping[str, Value]) -> Layout:
    """Return the layout of a network for a game.

    In a small game the last actions are included, because a mixed strategy depends on them.
    """
    layout = Layout(game, players, options)
    if layout.size > SMALL_ARRAY:
        return layout
    return Layout(game, players, options, history=HISTORY)
