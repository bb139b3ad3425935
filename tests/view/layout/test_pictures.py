"""Pictures on large cards: drawings as half-blocks, and pips."""

from typing import Any

import pytest
from tests.view.layout.drawn import lines_of
from tests.view.layout.positions import POSITIONS
from tests.view.layout.views import TableBuilder

from cardhub.model.cards.cards import ArtElement
from cardhub.model.game.game import Game
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.layout.canvas import ASCII_TABLE, COLOUR_TABLE, NARROW_TABLE, TableGlyphs
from cardhub.view.layout.draw import draw
from cardhub.view.layout.plan import TerminalSize, plan_of
from cardhub.view.layout.shape import CardSize, shape_of
from cardhub_gamon import Gamon
from cardhub_gargon import Gargon
from cardhub_garner import Garner
from spades import Spades

LARGE = (200, 50)
SQUARE = ArtElement("rect", {"x": "0", "y": "0", "width": "8", "height": "8"})


def drawing(*children: ArtElement, box: str = "0 0 8 8") -> ArtElement:
    """Return a drawing of eight by eight."""
    return ArtElement("svg", {"viewBox": box}, children)


def path(commands: str, **attributes: str) -> ArtElement:
    """Return a path; underscores of attributes stand for hyphens."""
    given = {name.replace("_", "-"): value for name, value in attributes.items()}
    return ArtElement("path", {"d": commands, **given})


def inside_of(art: ArtElement | None, glyphs: TableGlyphs = COLOUR_TABLE, **face: Any) -> list[str]:
    """Return the inside of the only card of a hand, which is large; `face`: its other fields."""
    table = TableBuilder(2)
    table.art = {} if art is None else {"drawing": art}
    table.ascii = {"♥": "H"}
    table.face("A1", art=tuple(table.art), **face)
    table.area("hand", "hand", table.cards(["A1"]), seat=0, look="hand", room=1)
    view, catalogue = table.view(), table.catalogue()
    plan = plan_of(shape_of(view, catalogue), TerminalSize(*LARGE))
    assert plan.sizes.hand is CardSize.XXXL
    frame = draw(view, catalogue, plan, glyphs=glyphs)
    x, y, width, height = next(stop.box for stop in frame.stops if stop.region == "hand")
    return [line[x + 1 : x + width - 1] for line in lines_of(frame)[y + 1 : y + height - 1]]


def picture_of(*children: ArtElement, glyphs: TableGlyphs = COLOUR_TABLE) -> list[str]:
    """Return the picture of a drawing of eight by eight: 18 columns and nine rows."""
    return [line.rstrip() for line in inside_of(drawing(*children), glyphs, short="")[1:10]]


def test_a_drawing_fills_the_card_with_half_blocks() -> None:
    assert picture_of(SQUARE) == ["█" * 18] * 9


@pytest.mark.parametrize(
    ("glyphs", "upper", "lower"),
    [(COLOUR_TABLE, "▀", "▄"), (NARROW_TABLE, "'", "."), (ASCII_TABLE, "'", ".")],
)
def test_half_a_cell_is_drawn_in_each_set_of_characters(
    glyphs: TableGlyphs, upper: str, lower: str
) -> None:
    half = 8 / 18
    assert picture_of(path(f"M0 0H8V{half:.3f}H0Z"), glyphs=glyphs) == [upper * 18] + [""] * 8
    rows = picture_of(path(f"M0 {half:.3f}h8v{half:.3f}h-8z"), glyphs=glyphs)
    assert rows == [lower * 18] + [""] * 8


@pytest.mark.parametrize(
    "commands",
    [
        "M0 0 8 0 8 8 0 8z",
        "m0 0h8v8h-8z",
        "M0 0L8 0C8 3 8 5 8 8S1 8 0 8Z",
        "M0 0Q4 0 8 0T8 8L0 8Z",
        "M0,0H8V8H0V0",
    ],
)
def test_each_command_of_a_path_is_followed(commands: str) -> None:
    assert picture_of(path(commands)) == ["█" * 18] * 9


def filled(rows: list[str]) -> float:
    """Return the part of a picture that is filled."""
    weights = {"█": 1.0, "▀": 0.5, "▄": 0.5}
    return sum(weights.get(cell, 0.0) for row in rows for cell in row) / (18 * 9)


@pytest.mark.parametrize(
    "shape",
    [
        ArtElement("circle", {"cx": "4", "cy": "4", "r": "4"}),
        ArtElement("ellipse", {"cx": "4", "cy": "4", "rx": "4", "ry": "4"}),
        path("M0 4a4 4 0 0 1 8 0 4 4 0 01-8 0"),
        path("M0 4A4 4 0 1 1 8 4A4 4 0 1 1 0 4Z"),
        path("M4 0a4 4 0 1 0 0 8 4 4 0 0 0 0-8"),
    ],
)
def test_circles_and_arcs_have_their_area(shape: ArtElement) -> None:
    assert filled(picture_of(shape)) == pytest.approx(0.785, abs=0.04)


def test_holes_stay_empty() -> None:
    inner = "M2 2V6H6V2Z"
    assert filled(picture_of(path(f"M0 0H8V8H0Z{inner}"))) == pytest.approx(0.75, abs=0.03)
    assert filled(picture_of(path("M0 0H8V8H0ZM2 2H6V6H2Z"))) == 1
    even_odd = path("M0 0H8V8H0ZM2 2H6V6H2Z", fill_rule="evenodd")
    assert filled(picture_of(even_odd)) == pytest.approx(0.75, abs=0.03)
    paper = path("M2 2H6V6H2Z", fill="var(--ch-paper)")
    assert filled(picture_of(SQUARE, paper)) == pytest.approx(0.75, abs=0.03)


def test_lines_have_their_width() -> None:
    line = ArtElement(
        "line", {"x1": "0", "y1": "4", "x2": "8", "y2": "4", "stroke": "#000", "stroke-width": "4"}
    )
    assert filled(picture_of(line)) == pytest.approx(0.5, abs=0.03)
    frame = path("M1 1H7V7H1Z", fill="none", stroke="currentColor", stroke_width="2")
    assert filled(picture_of(frame)) == pytest.approx(0.69, abs=0.06)


@pytest.mark.parametrize(
    "transform",
    [
        "translate(4 0)",
        "rotate(180 4 4)",
        "translate(8 0) scale(-1 1)",
        "matrix(1 0 0 1 4 0)",
        "skewX(0) skewY(0) translate(4)",
    ],
)
def test_transformations_move_what_they_enclose(transform: str) -> None:
    half = ArtElement("rect", {"width": "4", "height": "8"})
    rows = picture_of(ArtElement("g", {"transform": transform}, (half,)))
    assert filled(rows) == pytest.approx(0.5, abs=0.03)
    assert rows[4] == " " * 9 + "█" * 9


@pytest.mark.parametrize("game", [Gargon(), Gamon(), Garner()])
def test_every_drawing_of_the_games_can_be_seen(game: Game[Any]) -> None:
    for art in game.cards.drawings.values():
        rows = [line[:18] for line in inside_of(art, short="")[1:10]]
        assert 0.05 < filled(rows) < 0.8


def test_the_dragon_looks_as_reviewed() -> None:
    assert inside_of(Gargon().cards.drawings["dragon"], short="W9") == [
        "W9                ",
        "   ▄          ▄   ",
        "   ██▄▄   ▄▄▄██   ",
        "    █████████▀    ",
        "   ▀██████████▀   ",
        "  ▀██▄▀███▀▀▄█▀▀  ",
        "   ▀▀▀██████▀▀▀   ",
        "      ▀██▀█▀      ",
        "       ████       ",
        "        ▀▀        ",
        "                W9",
    ]


@pytest.mark.parametrize("rank", range(2, 11))
def test_a_number_card_has_as_many_pips_as_its_rank(rank: int) -> None:
    inside = inside_of(None, short=f"{rank}♥")
    corners = 2
    assert sum(line.count("♥") for line in inside) == rank + corners


def test_court_cards_have_their_letter_and_aces_one_pip() -> None:
    assert sum(line.count("K") for line in inside_of(None, short="K♥")) == 3
    assert sum(line.count("♥") for line in inside_of(None, short="A♥")) == 3


def test_a_card_without_picture_has_its_title_in_the_middle() -> None:
    inside = inside_of(None, title="Twelve")
    assert inside[5].split() == ["Twelve"]


def test_an_overlapped_card_keeps_its_detail_in_sight() -> None:
    view, catalogue, texts, _ = POSITIONS["gargon"]()
    plan = plan_of(shape_of(view, catalogue), TerminalSize(120, 40))
    frame = draw(view, catalogue, plan, texts)
    last = lines_of(frame)[plan.box("hand").y + plan.box("hand").height - 1]
    details = [face.detail for face in catalogue.faces]
    assert plan.sizes.hand is CardSize.XXL
    assert sum(last.count(detail) for detail in {*details} - {""}) == 7


def test_the_suits_of_a_deck_are_known_to_terminals_in_ascii() -> None:
    assert build_catalogue(Spades()).ascii == {"♣": "C", "♦": "D", "♠": "S", "♥": "H"}
