"""An OpenSpiel game on a board, as a cardhub game whose board can be clicked.

Pieces are face-up cards: there is one card for each piece and cell, and the scene shows the cards
of the pieces in OpenSpiel's text.
"""

from typing import ClassVar

from typing_extensions import override

from cardhub import Settings
from cardhub_openspiel.imported.boards.board import Board
from cardhub_openspiel.imported.openspiel_game import (
    OpenSpielGame,
    OpenSpielState,
)


class BoardGame(OpenSpielGame):
    """A game of OpenSpiel on a board of rows and columns."""

    board: ClassVar[Board]
    display_type = ".board_display:BoardDisplay"

    @override
    def pack(self, settings: Settings, seats: int) -> list[int]:
        return self.cards.all_copies()

    @override
    def deal(self, state: OpenSpielState) -> None:
        super().deal(state)
        state.reveal(state.stack)
