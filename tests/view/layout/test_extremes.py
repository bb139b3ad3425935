"""Tables beyond what any game needs are still drawn within their terminal."""

import re

import pytest
from tests.view.layout.drawn import lines_of
from tests.view.layout.test_frames import check
from tests.view.layout.views import TableBuilder

from cardhub.model.game.scene import Counter
from cardhub.view.layout.canvas import Box, Canvas, Frame, Run, Style, column, cut_lines, rule
from cardhub.view.layout.draw import draw
from cardhub.view.layout.drawing.table_painter import TableTexts
from cardhub.view.layout.plan import TerminalSize, plan_of
from cardhub.view.layout.shape import shape_of
from cardhub.view.view import LogLine, Spot

SIZES = ((60, 20), (80, 24), (120, 40), (200, 50))


def frame_of(table: TableBuilder, size: tuple[int, int], cursor: Spot | None = None) -> Frame:
    """Return the checked frame of a table; every action has a stop."""
    view, catalogue = table.view(), table.catalogue()
    plan = plan_of(shape_of(view, catalogue), TerminalSize(*size))
    log = [LogLine(step=1, seat=0, kind="action", text="x" * 300)]
    texts = TableTexts(title="t" * 300, detail="d" * 3000, log=log, scroll=7)
    frame = draw(view, catalogue, plan, texts, cursor)
    check(frame)
    stops = {stop.spot for stop in frame.stops}
    assert {spot for choice in view.choices for spot in choice.spots} <= stops
    return frame


@pytest.mark.parametrize("size", SIZES)
def test_eight_seats_with_long_names_and_large_hands(size: tuple[int, int]) -> None:
    table = TableBuilder(8)
    table.back("#")
    for value in range(60):
        table.face(f"card{value}")
    for seat in range(8):
        table.seat(seat, score="1234567890 points", badges=("a very long badge",) * 4)
        table.area("hand", "seat", table.cards(["#?"] * 40), seat=seat)
        table.area("laid", "front", table.cards(["#?"] * 9), seat=seat, slots=12)
    hand = [f"card{value}" for value in range(60)]
    table.area("hand", "hand", table.cards(hand), seat=0, look="hand")
    for name in hand:
        table.choice("play", name, [table.tokens[name]])
    for cursor in (None, table.tokens["card0"], table.tokens["card59"]):
        frame_of(table, size, cursor)


@pytest.mark.parametrize("size", SIZES)
def test_twenty_piles_and_forty_buttons(size: tuple[int, int]) -> None:
    table = TableBuilder(
        2, counters=tuple(Counter(caption="x" * 30, value=99, pips=20) for _ in range(5))
    )
    for value in range(20):
        table.face(f"R{value}")
        table.area(
            f"pile {value}", "centre", table.cards([f"R{value}"] * 9), look="pile", note="n" * 99
        )
    for value in range(40):
        table.choice("a verb of many words", f"some object {value}")
    for action in (0, 39):
        text = "\n".join(lines_of(frame_of(table, size, Spot("button", action))))
        assert f"some object {action}" in text


@pytest.mark.parametrize("size", SIZES)
def test_a_board_that_is_larger_than_the_terminal(size: tuple[int, int]) -> None:
    table = TableBuilder(5)
    table.face("Z9")
    table.face("A1")
    table.grid(30, 40, {0: "A1", 1199: "Z9 Z9 Z9 Z9 Z9 Z9 Z9 Z9 Z9"})
    for site in (0, 600, 1199):
        table.choice("put", str(site), [Spot("site", site, 0)])
    assert "A1" in "\n".join(lines_of(frame_of(table, size, Spot("site", 0, 0))))
    assert "Z9" in "\n".join(lines_of(frame_of(table, size, Spot("site", 1199, 0))))


@pytest.mark.parametrize("size", SIZES)
def test_a_table_without_cards(size: tuple[int, int]) -> None:
    table = TableBuilder(1)
    table.choice("roll")
    frame_of(table, size)


@pytest.mark.parametrize(
    ("count", "columns"), [(10, [["line 1"]]), (18, [["line 1", "line 12"]])], ids=["few", "many"]
)
def test_text_is_read_from_top_to_bottom(count: int, columns: list[list[str]]) -> None:
    """OpenSpiel's text is a drawing in characters; more lines than rows make columns."""
    table = TableBuilder(2)
    for number in range(count):
        table.area(" ", "centre", note=f"line {number + 1}")
    # A blank line keeps its row and needs no column.
    table.area(" ", "centre", note=" ")
    table.area("laid", "centre", room=1)
    rows = lines_of(frame_of(table, (60, 20)))
    texts = [re.findall(r"line \d+", row) for row in rows]
    assert [text for text in texts if text][:1] == columns
    below = [text[0] for text in texts if text]
    assert below == [f"line {number + 1}" for number in range(len(below))]
    assert sum(map(len, texts)) == count
    assert any("laid" in row for row in rows)


def test_a_canvas_cuts_text_at_its_edges() -> None:
    canvas = Canvas(6, 2)
    canvas.write(3, 0, "abcdef")
    canvas.write(0, 1, "竜王竜")
    canvas.write(1, 1, "x")
    canvas.write(5, 1, "王")
    canvas.write(-1, 0, "no")
    canvas.write(0, 9, "no")
    assert ["".join(run.text for run in row) for row in canvas.rows()] == ["   abc", " x王竜"]


def test_neighbours_of_one_style_are_one_run() -> None:
    canvas = Canvas(6, 1)
    bold = Style(is_bold=True)
    canvas.write(0, 0, "ab", bold)
    canvas.write(2, 0, "cd", bold)
    canvas.fill(Box(4, 0, 2, 1), Style(), ".")
    assert canvas.rows() == ((Run("abcd", bold), Run("..")),)


def test_lines_that_lack_room_end_with_a_mark() -> None:
    assert cut_lines(["one", "two", "three"], 2, 7, "…") == ["one", "two th…"]
    assert cut_lines(["one"], 2, 7, "…") == ["one"]
    assert cut_lines(["one"], 0, 7, "…") == []


@pytest.mark.parametrize("width", [1, 5, 12, 40])
def test_rules_and_columns_have_exactly_their_width(width: int) -> None:
    for left, right in (("Bob", "won 9"), ("", ""), ("竜王", ""), ("", "9")):
        runs = rule(width, left, right, "─", Style("line"))
        assert sum(_cells(run.text) for run in runs) == width
    assert _cells(column("竜王竜王", width, "…")) == width
    assert column("9", 3, is_right=True) == "  9"


def _cells(text: str) -> int:
    return sum(2 if char in "竜王" else 1 for char in text)
