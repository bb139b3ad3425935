"""Pages of rows as text, without Textual: columns, cursor, scrolling and search."""

import pytest

from cardhub.tui.home.menu.menu_drawing import (
    DrawnMenu,
    MenuPage,
    MenuRow,
    MenuSection,
    MenuState,
    draw_menu,
    section_of,
)
from cardhub.tui.home.menu.menu_screen import TypedLine
from cardhub.view.text.glyphs import GLYPHS, Glyphs, cells, is_ambiguous

SIZES = [(60, 20), (80, 24), (120, 40), (200, 50)]
FEW = MenuSection("go on", [MenuRow("a", "Gargon, round 9", "your turn", "c", detail="Go on.")])
MANY = MenuSection("play", [MenuRow(f"g{n}", f"Game {n}", "x" * 300, str(n)) for n in range(60)])
NOTE = MenuSection("", [MenuRow("note", "same as:", "cardhub play", is_stop=False)])
PAGE = MenuPage("cardhub", "2 games", [FEW, MANY, NOTE], [("↑↓", "move"), ("q", "quit")])


def lines(drawn: DrawnMenu) -> list[str]:
    """Return the rows of a drawn page as text."""
    return ["".join(run.text for run in row) for row in drawn.rows]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("glyphs", GLYPHS.values())
def test_a_page_fills_the_terminal_exactly(size: tuple[int, int], glyphs: Glyphs) -> None:
    drawn = lines(draw_menu(PAGE, MenuState("a"), *size, glyphs))
    assert len(drawn) == size[1]
    assert {cells(line) for line in drawn} == {size[0]}
    assert "".join(drawn).isascii() is (glyphs.name == "ascii")
    assert any(map(is_ambiguous, "".join(drawn))) is (glyphs.name == "unicode")


@pytest.mark.parametrize("size", [SIZES[0], SIZES[-1]])
def test_the_cursor_is_always_in_sight(size: tuple[int, int]) -> None:
    state = MenuState("a")
    for row in [*PAGE.stops, *reversed(PAGE.stops)]:
        drawn = draw_menu(PAGE, state._replace(cursor=row.id), *size)
        state = state._replace(first=drawn.first)
        marked = [y for y, line in enumerate(lines(drawn)) if "▸" in line]
        assert [drawn.stops[y] for y in marked] == [row.id]
    assert state.first == 0


def test_key_label_and_text_stand_in_columns() -> None:
    drawn = lines(draw_menu(PAGE, MenuState("a"), 80, 24))
    assert drawn[0].split() == ["cardhub", "2", "games"]
    assert "── go on ──" in drawn[1]
    assert drawn[2].startswith("   ▸ c  Gargon, round 9   your turn")
    assert "Go on." in drawn[-3]
    assert drawn[-1].startswith(" ↑↓ move  q quit")


def test_a_message_replaces_the_detail_and_a_typed_line_the_keys() -> None:
    drawn = lines(draw_menu(PAGE, MenuState("a", 0, "unknown command", ":xyz"), 80, 24))
    assert "unknown command" in drawn[-3]
    assert ":xyz" in drawn[-1]


def test_a_text_that_is_cut_is_whole_in_the_detail() -> None:
    text = " ".join(["tagline"] * 9)
    row = MenuRow("a", "Gargon", text, "1", detail="Enter starts.")
    page = MenuPage("cardhub", "", [MenuSection("play", [row])])
    drawn = lines(draw_menu(page, MenuState("a"), 80, 24))
    assert text not in drawn[3]
    assert [line.strip() for line in drawn[-3:-1]] == [text, "Enter starts."]
    assert text not in "".join(lines(draw_menu(page, MenuState("a"), 120, 24))[-3:])


def test_a_text_that_its_detail_repeats_is_not_said_twice() -> None:
    text = " ".join(["option"] * 9)
    row = MenuRow("a", "Gargon", text, "1", detail=f"{text} (true or false)")
    page = MenuPage("cardhub", "", [MenuSection("play", [row])])
    drawn = lines(draw_menu(page, MenuState("a"), 80, 24))
    assert " ".join("".join(drawn[-3:-1]).split()) == row.detail


def test_a_search_leaves_the_rows_with_the_text() -> None:
    page = PAGE.matching("GAME 5")
    assert [row.label for row in page.stops] == ["Game 5", *(f"Game {n}" for n in range(50, 60))]
    assert [section.title for section in page.sections] == ["play"]


def test_tab_goes_round_the_sections_with_rows_to_open() -> None:
    assert section_of(PAGE, "a", 1) == "g0"
    assert section_of(PAGE, "g7", 1) == "a"
    assert section_of(PAGE, "a", -1) == "g0"


def test_a_line_takes_printable_characters_until_it_is_complete() -> None:
    line = TypedLine(":", "re", print)
    assert line.press("p", "p") == "typing"
    line.add("lay 2\nrm")
    assert line.shown == ":replay 2"
    assert line.press("backspace", "\b") == "typing"
    assert line.text == "replay "
    assert line.press("enter", "\r") == "done"
    assert TypedLine("/", "", print).press("backspace", "\b") == "cancelled"
    assert TypedLine("/", "x", print).press("escape", "\x1b") == "cancelled"
