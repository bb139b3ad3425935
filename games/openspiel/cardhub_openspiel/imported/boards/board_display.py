"""The display of an OpenSpiel game on a board: the board of its text as a grid, to be clicked."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from typing_extensions import override

from cardhub import Grid, Scene, Target
from cardhub_openspiel.imported.boards.board import Board
from cardhub_openspiel.imported.boards.board_game import BoardGame
from cardhub_openspiel.imported.openspiel_display import OpenSpielDisplay, lines_as_areas
from cardhub_openspiel.imported.openspiel_game import OpenSpielState
from cardhub_openspiel.imported.original import History, Original


class BoardDisplay(OpenSpielDisplay):
    """The board as a grid; the other lines of OpenSpiel's text stand below it."""

    game: BoardGame

    @override
    def scene(self, state: OpenSpielState, viewer: int) -> Scene:
        board = self.game.board.parse(self.game.original.sight(self.game.state_of(state), 0))
        if board is None:
            return super().scene(state, viewer)
        grid = Grid("board", board.rows, board.columns, self.game.board.stacks(board.cells))
        areas = [grid, *lines_as_areas("\n".join(board.other_lines))]
        points = action_targets(self.game.original, self.game.board, tuple(state.moves))
        return Scene(self.prompt(state, viewer), areas, points)


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
