"""The board of an OpenSpiel game: its cells, its pieces as cards, and the cells of actions."""

from dataclasses import dataclass
from random import Random

from cardhub import Card, Cards, Target
from cardhub_openspiel.imported.boards.board_text import (
    BoardText,
    board_in,
    board_of_size,
)
from cardhub_openspiel.imported.names import BACK
from cardhub_openspiel.imported.original import Original, random_step

# Possible characters of an empty cell, in order of preference.
EMPTY = ".-+_"
# The label of the card for all pieces that random play did not find.
OTHER = "(?)"
COLOURS = ("white", "yellow", "cyan", "red", "green", "violet", "blue", "grey")
SIDES = ("yellow", "blue")
# The number of random steps that search for pieces, and the largest numbers of pieces and cells.
STEPS, MOST_PIECES, MOST_CELLS = 1500, 16, 400
# An action that changes more cells has no targets, unless it places a single piece.
MOST_CHANGED = 4


@dataclass(frozen=True, slots=True)
class Board:
    """Rows, columns, the character of an empty cell, and the characters of the pieces."""

    rows: int
    columns: int
    empty: str
    pieces: str

    @property
    def size(self) -> int:
        """The number of cells."""
        return self.rows * self.columns

    @property
    def cards(self) -> Cards:
        """A deck for each piece and one for other pieces, each with a card for every cell."""
        cards = [
            Card(
                f"piece{number}",
                label,
                0,
                number,
                self.size,
                "",
                {},
                colour=self._colour(number, label),
                label=label,
            )
            for number, label in enumerate([*self.pieces, OTHER])
        ]
        return Cards(tuple(cards), (BACK,), tuple(f"deck {n}" for n in range(len(cards))))

    def _colour(self, number: int, label: str) -> str:
        """Return a piece's colour: its side's colour if the sides' letters differ in case."""
        if any(piece.isupper() and piece.lower() in self.pieces for piece in self.pieces):
            return SIDES[label.islower()] if label.isalpha() else COLOURS[0]
        return COLOURS[number % len(COLOURS)]

    def parse(self, text: str) -> BoardText | None:
        """Return the board in a text, or None if it has another size."""
        return board_of_size(text, self.rows, self.columns)

    def stacks(self, cells: str) -> list[list[int]]:
        """Return the cards on each cell."""
        return [self._stack(cell, number) for number, cell in enumerate(cells)]

    def _stack(self, cell: str, number: int) -> list[int]:
        if cell == self.empty:
            return []
        piece = self.pieces.index(cell) if cell in self.pieces else len(self.pieces)
        return [piece * self.size + number]

    def targets(self, before: str, after: str) -> list[Target]:
        """Return the cells of an action: the cell of a placed piece, or all cells that change."""
        changed = [n for n, cell in enumerate(before) if cell != after[n]]
        placed = [n for n in changed if before[n] == self.empty]
        is_move = any(after[n] == self.empty for n in changed)
        if len(placed) == 1 and not is_move:
            changed = placed
        return [Target("site", n) for n in changed] if len(changed) <= MOST_CHANGED else []

    def column(self, cells: str, targets: list[Target]) -> list[Target]:
        """Return the empty cells of the column into which a piece was dropped."""
        columns = {int(target.key) % self.columns for target in targets}
        empty = (n for n, cell in enumerate(cells) if cell == self.empty)
        return [Target("site", n) for n in empty if n % self.columns in columns]


def board_of(original: Original) -> Board | None:
    """Return the board of a game, found by random play, or None if there is no board.

    The game's text must show a board of the same size in all states, and an action must change a
    cell.
    """
    if not original.is_open:
        return None
    start = board_in(original.sight(original.game.new_initial_state(), 0))
    cells = _cells(original, start) if start else set()
    empty = next((character for character in EMPTY if character in cells), "")
    pieces = "".join(sorted(cells - {empty}))
    if start is None or not empty or len(pieces) > MOST_PIECES:
        return None
    return Board(start.rows, start.columns, empty, pieces)


def _cells(original: Original, start: BoardText) -> set[str]:
    """Return the characters of cells in random games; empty if a state does not show the board."""
    rng, characters, state = Random(0), set(start.cells), original.game.new_initial_state()
    changes = False
    for _ in range(STEPS if start.rows * start.columns <= MOST_CELLS else 0):
        board = board_of_size(original.sight(state, 0), start.rows, start.columns)
        if board is None:
            return set()
        characters |= set(board.cells)
        changes = changes or board.cells != start.cells
        if state.is_terminal():
            state = original.game.new_initial_state()
        else:
            state.apply_action(random_step(state, rng))
    return characters if changes else set()
