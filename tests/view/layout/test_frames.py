"""Every frame has exactly the cells of its terminal, and a stop for every spot of an action."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from tests.view.layout.drawn import drawn
from tests.view.layout.positions import POSITIONS
from tests.view.layout.views import TableBuilder

from big_two import BigTwo
from cardhub import Game
from cardhub.play.referee import Referee
from cardhub.play.seating import seat_players
from cardhub.play.setup import set_up
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.layout.canvas import ASCII_TABLE, COLOUR_TABLE, Frame
from cardhub.view.layout.draw import draw
from cardhub.view.layout.drawing.table_painter import TableTexts
from cardhub.view.layout.plan import TerminalSize, plan_changes, plan_of
from cardhub.view.layout.shape import shape_of
from cardhub.view.text.glyphs import cells
from cardhub.view.view import View
from cardhub_gamon import Gamon
from cardhub_gargon import Gargon
from cardhub_garner import Garner
from four_piles import FourPiles
from gin_rummy import GinRummy
from goofspiel import Goofspiel
from hearts import Hearts
from pig import Pig
from roses import Roses
from spades import Spades

SIZES = ((60, 20), (80, 24), (99, 30), (118, 33), (160, 45), (220, 60))
GAMES: list[type[Game[Any]]] = [
    *(Gargon, Gamon, Garner, Hearts, FourPiles, GinRummy, Goofspiel, Roses),
]
NAMES = ("Anna", "Bob", "Chris", "David", "Eva", "Finn")
POSITIONS_OF_A_GAME = 40
# Views of one seat in one game, and the actions between them.
POSITIONS_OF_A_SEAT, STEPS_BETWEEN = 60, 2


def views(game: Game[Any]) -> Iterator[View]:
    """Yield the views of the seat to act and of a spectator in a random game."""
    seats = game.seats.default
    referee: Referee[Any] = set_up(game, seat_players([], seats, "random"), {}, 5)
    referee.proceed()
    rng = Random(5)
    for _ in range(POSITIONS_OF_A_GAME):
        yield build_view(referee.observe(max(referee.seat, 0)), NAMES[:seats])
        if referee.is_over:
            return
        yield build_view(referee.observe(seats), NAMES[:seats])
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
        referee.proceed()


@pytest.mark.parametrize("game", [*GAMES, BigTwo, Spades, Pig], ids=lambda game: game.__name__)
def test_no_region_moves_and_no_card_changes_its_size_during_a_random_game(
    game: type[Game[Any]],
) -> None:
    rules = game()
    seats = rules.seats.default
    referee: Referee[Any] = set_up(rules, seat_players([], seats, "random"), {}, 3)
    referee.proceed()
    rng = Random(3)
    seen: list[View] = []
    while not referee.is_over and len(seen) < POSITIONS_OF_A_SEAT:
        seen.append(build_view(referee.observe(0), NAMES[:seats]))
        for _ in range(STEPS_BETWEEN):
            if not referee.is_over:
                referee.apply(rng.choice(referee.observe(referee.seat).legal()))
                referee.proceed()
    assert not [*plan_changes(seen, build_catalogue(rules))]


def test_the_standing_has_the_number_of_the_same_cards_once() -> None:
    table = TableBuilder(2)
    table.face("A")
    table.seat(1, score="7 points", badges=("won 2",))
    table.area("won", "seat", table.cards("A A"), seat=1)
    view, catalogue = table.view(), table.catalogue()
    frame = draw(view, catalogue, plan_of(shape_of(view, catalogue), TerminalSize(200, 50)))
    text = "\n".join("".join(run.text for run in row) for row in frame.rows)
    standing = [line[:36].strip() for line in text.splitlines()]
    assert "won 2" in standing


def check(frame: Frame) -> None:
    """Check rows, runs and stops of a frame."""
    assert len(frame.rows) == frame.height
    for row in frame.rows:
        assert sum(cells(run.text) for run in row) == frame.width
    taken: set[tuple[int, int]] = set()
    for stop in frame.stops:
        x, y, width, height = stop.box
        assert 0 <= x <= x + width <= frame.width, stop
        assert 0 <= y <= y + height <= frame.height, stop
        covered = {(column, row) for column in range(x, x + width) for row in range(y, y + height)}
        assert not covered & taken, stop
        taken |= covered


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.__name__)
def test_frames_of_random_games_fill_their_terminal_and_reach_every_action(
    game: type[Game[Any]],
) -> None:
    """Stops are inside the frame, do not overlap, and each action has one."""
    rules = game()
    catalogue = build_catalogue(rules)
    texts = TableTexts(title="a title", detail="some words " * 30, news="news " * 30)
    for number, view in enumerate(views(rules)):
        size = TerminalSize(*SIZES[number % len(SIZES)])
        glyphs = ASCII_TABLE if number % 4 == 0 else COLOUR_TABLE
        plan = plan_of(shape_of(view, catalogue), size)
        cursor = view.choices[-1].spots[0] if view.choices else None
        frame = draw(view, catalogue, plan, texts, cursor, glyphs=glyphs)
        check(frame)
        stops = {stop.spot for stop in frame.stops}
        assert {spot for choice in view.choices for spot in choice.spots} <= stops


@pytest.mark.parametrize("name", POSITIONS)
def test_frames_of_fixed_positions_fill_terminals_of_any_size(name: str) -> None:
    position = POSITIONS[name]()
    for width in range(60, 240, 23):
        check(drawn(position, (width, 20 + width % 37)))


@pytest.mark.parametrize("size", [(59, 24), (80, 19), (20, 5), (1, 1)])
def test_a_terminal_that_is_too_small_shows_the_size_needed(size: tuple[int, int]) -> None:
    frame = drawn(POSITIONS["gargon"](), size)
    check(frame)
    text = " ".join("".join(run.text for run in row) for row in frame.rows)
    assert size[0] < 40 or "60x20" in text
    assert frame.stops == ()
