"""An OpenSpiel game on a board, as a cardhub game whose board can be clicked.

Pieces are face-up cards: there is one card for each piece and cell, and the scene shows the cards
of the pieces in OpenSpiel's text.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import ClassVar

from typing_extensions import override

from cardhub.model.game.scene import Grid, Scene, Target
from cardhub.model.table.settings import Settings
from cardhub_openspiel.imported.boards.board import Board
from cardhub_openspiel.imported.openspiel_game import (
    OpenSpielGame,
    OpenSpielState,
    lines_as_areas,
)
from cardhub_openspiel.imported.original import History, Original


class BoardGame(OpenSpielGame):
    """A game of OpenSpiel on a board of rows and columns."""

    board: ClassVar[Board]

    @override
    def pack(self, settings: Settings, seats: int) -> list[int]:
        return self.cards.all_copies()

    @override
    def deal(self, state: OpenSpielState) -> None:
        super().deal(state)
        state.reveal(state.stack)

    @override
    def scene(self, state: OpenSpielState, viewer: int) -> Scene:
        board = self.board.parse(self.original.sight(self._at(state), 0))
        if board is None:
            return super().scene(state, viewer)
        grid = Grid("board", board.rows, board.columns, self.board.stacks(board.cells))
        areas = [grid, *lines_as_areas("\n".join(board.other_lines))]
        points = action_targets(self.original, self.board, tuple(state.moves))
        return Scene(self._prompt(state, viewer), areas, points)


# Cached, because each viewer's scene needs it, and a board with hundreds of actions takes 40 ms.
@lru_cache(maxsize=64)
def action_targets(
    original: Original, board: Board, history: History
) -> Mapping[int, Sequence[Target]]:
    """Return the cells that each action of the player to act changes."""
    start, points = original.at(history), {}
    before = board.parse(original.sight(start, 0))
    drops = original.game.num_distinct_actions() == board.columns
    for action in () if before is None or start.is_chance_node() else start.legal_actions():
        after = board.parse(original.sight(start.child(action), 0))
        if before and after and (targets := board.targets(before.cells, after.cells)):
            points[int(action)] = board.column(before.cells, targets) if drops else targets
    return points
