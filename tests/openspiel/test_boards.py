"""OpenSpiel's board games: a grid whose cells belong to actions."""

import pytest

from cardhub import Grid, Observation, Scene
from cardhub.testing import check_game
from cardhub_openspiel.imported.boards.board_text import board_in
from cardhub_openspiel.imported.hands.hand_checks import dealt
from cardhub_openspiel.imported.named_games import game_named
from cardhub_openspiel.imported.openspiel_game import OpenSpielGame, OpenSpielState


def named(text: str) -> OpenSpielGame:
    """Return a game of OpenSpiel."""
    return game_named(f"openspiel:{text}", text)


def board(game: OpenSpielGame, state: OpenSpielState) -> tuple[Scene, list[str]]:
    """Return the scene and the rows of its board, with a point for each empty cell."""
    seen = Observation(game, state, 0)
    scene, labels = seen.scene(), seen.labels()
    (grid,) = (area for area in scene.areas if isinstance(area, Grid))
    cells = [labels.card(stack[-1]) if stack else "." for stack in grid.stacks]
    rows = range(0, len(cells), grid.columns)
    return scene, ["".join(cells[row : row + grid.columns]) for row in rows]


def sites(scene: Scene, action: int) -> list[int | str]:
    """Return the cells of an action."""
    return [target.key for target in scene.targets(action) if target.kind == "site"]


def after(game: OpenSpielGame, *labels: str) -> OpenSpielState:
    """Return the state after actions with these labels."""
    state = dealt(game, 1)
    for label in labels:
        seen = Observation(game, state, state.seat)
        game.apply(state, seen.labels().parse(label, seen.legal()))
    return state


def test_an_action_that_places_a_piece_belongs_to_its_cell() -> None:
    """Tic-tac-toe: nine cells, nine actions, and no buttons."""
    game = named("tic_tac_toe")
    scene, rows = board(game, after(game, "(1,1)", "(0,0)"))
    assert rows == ["o..", ".x.", "..."]
    assert {action: sites(scene, action) for action in (1, 5, 8)} == {1: [1], 5: [5], 8: [8]}


def test_a_disc_belongs_to_the_empty_cells_of_its_column() -> None:
    """Connect four: an action is a column, in which two discs lie."""
    game = named("connect_four")
    state = after(game, "3", "3")
    assert sites(board(game, state)[0], 3) == [row * 7 + 3 for row in range(4)]


def test_a_placement_that_turns_pieces_over_belongs_to_one_cell() -> None:
    """Othello: all turned discs change, the action is where the new one lies."""
    game = named("othello")
    state = dealt(game, 1)
    seen = Observation(game, state, state.seat)
    action = seen.labels().parse("d3", seen.legal())
    assert sites(board(game, state)[0], action) == [2 * 8 + 3]


def test_a_move_belongs_to_its_cells_and_rows_are_numbered_as_openspiel_does() -> None:
    """Breakthrough: row 7 is the seventh of the grid, and a7a6 begins there."""
    game = named("breakthrough")
    state = dealt(game, 1)
    scene, rows = board(game, state)
    assert rows[0] == rows[1] == "w" * 8
    assert rows[6] == rows[7] == "b" * 8
    action = Observation(game, state, 0).labels().parse("a7a6", game.legal(state))
    assert sites(scene, action) == [5 * 8, 6 * 8]


def test_the_board_of_chess_is_read_from_its_notation() -> None:
    """The digits of a rank are empty cells."""
    game = named("chess")
    rows = board(game, after(game, "e4"))[1]
    assert rows[0] == "RNBQKBNR"
    assert rows[3] == "....P..."


@pytest.mark.parametrize(
    "text", ["connect_four", "breakthrough(rows=5,columns=4)", "checkers", "hex(board_size=4)"]
)
def test_a_game_on_a_board_keeps_the_promises_of_the_contract(text: str) -> None:
    """Every action can be reached on the screen, and plain text shows the board."""
    check_game(named(text), games=1)


def test_a_text_without_a_board_of_rows_and_columns_stays_a_text() -> None:
    """Numbers, frames and words are not cells."""
    assert board_in("Scores: 0 0, Turn total: 0\nCurrent player: 0") is None
    assert board_in("0 2 4 0\n0 0 0 0\n2 0 0 0") is None
    assert board_in("+---+\n|...|\n|...|\n+---+") is None
    assert not any(isinstance(area, Grid) for area in lines("pig"))


def lines(text: str) -> list[object]:
    """Return the areas of a game at its start."""
    game = named(text)
    return list(Observation(game, dealt(game, 1), 0).scene().areas)
