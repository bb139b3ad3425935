"""Columns: overlapped cards from top to bottom, compressed on low terminals."""

import pytest
from tests.view.layout.drawn import drawn, lines_of, planned
from tests.view.layout.positions import DrawnPosition, patience
from tests.view.layout.views import TableBuilder

from cardhub.view.layout.canvas import Frame
from cardhub.view.layout.draw import draw
from cardhub.view.layout.drawing.columns import shared_rows
from cardhub.view.layout.navigation import nearest, stop_at, stop_of
from cardhub.view.layout.plan import TerminalSize, plan_of
from cardhub.view.layout.shape import CardSize, shape_of
from cardhub.view.view import AreaView, Spot

SIZES = ((60, 20), (80, 24), (120, 40), (200, 50))


def spots_of(position: DrawnPosition, column: int) -> list[Spot]:
    """Return the spots of the cards of a column, which counts from 1."""
    index = next(
        n
        for n, area in enumerate(position.view.areas)
        if isinstance(area, AreaView) and area.caption == f"column {column}"
    )
    return [spot for spot in position.view.spots() if spot.kind == "card" and spot.area == index]


def row_of(frame: Frame, spot: Spot) -> str:
    """Return the text of the first row of a spot's stop."""
    stop = stop_of(frame.stops, spot)
    assert stop is not None
    return lines_of(frame)[stop.box.y][stop.box.x : stop.box.x + stop.box.width]


@pytest.mark.parametrize("size", SIZES)
def test_each_face_of_a_short_column_shows_its_name(size: tuple[int, int]) -> None:
    frame = drawn(patience(), size)
    king, queen, _ = spots_of(patience(), 1)
    assert "♥K" in row_of(frame, king)
    assert "♠Q" in row_of(frame, queen)


@pytest.mark.parametrize(
    ("size", "card"),
    [
        ((60, 20), CardSize.M),
        ((80, 24), CardSize.M),
        ((120, 40), CardSize.L),
        ((200, 50), CardSize.L),
    ],
)
def test_cards_of_columns_are_as_large_as_long_columns_allow(
    size: tuple[int, int], card: CardSize
) -> None:
    assert planned(patience(), size).sizes.column is card


def test_a_high_terminal_shows_every_card_of_a_long_column() -> None:
    frame = drawn(patience(), (120, 40))
    rows = [row_of(frame, spot) for spot in spots_of(patience(), 7)]
    assert all("#" in row for row in rows[:6])
    assert [row.strip("╭╮┏┓━─") for row in rows[6:-1]] == (
        ["♠K", "♥Q", "♣J", "♥10", "♠9", "♥8", "♣7", "♦6", "♠5", "♥4", "♣3"]
    )


def test_a_low_terminal_counts_the_backs_and_the_cards_in_the_middle() -> None:
    text = "\n".join(lines_of(drawn(patience(), (60, 20))))
    assert "╭ 6 ▒╮" in text
    assert "+8" in text
    assert "♣3" in text


def test_a_card_under_the_cursor_is_never_only_counted() -> None:
    position = patience()
    for spot in spots_of(position, 7)[6:]:
        frame = drawn(position._replace(cursor=spot), (60, 20))
        label = next(name for name, other in _named(position).items() if other == spot)
        assert label in "\n".join(lines_of(frame))


def _named(position: DrawnPosition) -> dict[str, Spot]:
    return {
        position.catalogue.faces[card.face].label: Spot("card", card.token, n)
        for n, area in enumerate(position.view.areas)
        if isinstance(area, AreaView)
        for card in area.cards
        if card.face is not None
    }


@pytest.mark.parametrize("size", SIZES)
def test_up_and_down_go_through_a_column(size: tuple[int, int]) -> None:
    position = patience()
    cards = spots_of(position, 1)
    stops = drawn(position, size).stops
    assert nearest(stops, cards[0], "down") == cards[1]
    assert nearest(stops, cards[1], "down") == cards[2]
    assert nearest(stops, cards[2], "up") == cards[1]


def test_up_goes_into_the_cards_that_are_only_counted() -> None:
    position = patience()
    cards = spots_of(position, 7)
    spot, seen = cards[-1], set[Spot]()
    while spot in cards and spot not in seen:
        seen.add(spot)
        spot = nearest(drawn(position._replace(cursor=spot), (60, 20)).stops, spot, "up") or spot
    assert set(cards[6:]) <= seen


def test_right_leads_from_a_last_card_to_the_next_column() -> None:
    position = patience()
    stops = drawn(position, (80, 24)).stops
    last = spots_of(position, 5)[-1]
    after = nearest(stops, last, "right")
    assert after is not None
    assert after in spots_of(position, 6)


@pytest.mark.parametrize("size", SIZES)
def test_a_click_picks_the_card_at_the_cell(size: tuple[int, int]) -> None:
    position = patience()
    stops = drawn(position, size).stops
    for spot in spots_of(position, 1):
        stop = stop_of(stops, spot)
        assert stop is not None
        clicked = stop_at(stops, stop.box.x + 1, stop.box.y)
        assert clicked is not None
        assert clicked.spot == spot


def test_an_empty_column_is_a_stop_as_high_as_the_others() -> None:
    position = patience()
    index = next(
        n
        for n, area in enumerate(position.view.areas)
        if isinstance(area, AreaView) and area.caption == "column 2"
    )
    stop = stop_of(drawn(position, (80, 24)).stops, Spot("area", 0, index))
    assert stop is not None
    assert stop.box.height > 3


@pytest.mark.parametrize("size", SIZES)
def test_columns_of_named_cards_on_narrow_terminals_are_rows_of_text(size: tuple[int, int]) -> None:
    table = TableBuilder(2)
    for name in ("Alchemist", "Bodyguard"):
        table.face(name, corner="7", text="Long.")
    for number in range(12):
        cards = table.cards(["Alchemist", "Bodyguard"] * 4)
        table.area(f"column {number}", "centre", cards, look="column")
    view, catalogue = table.view(), table.catalogue()
    plan = plan_of(shape_of(view, catalogue), TerminalSize(*size))
    frame = draw(view, catalogue, plan)
    assert {stop.spot for stop in frame.stops} >= {s for s in view.spots() if s.kind == "card"}
    assert all(len(line) == size[0] for line in lines_of(frame))


def test_rows_of_a_column_have_every_card_once_and_no_more_rows_than_there_are() -> None:
    for covered in range(20):
        for backs in range(covered + 1):
            for room in range(1, 12):
                for at in (None, *range(covered)):
                    rows = shared_rows(covered, backs, room, at)
                    assert [n for row in rows for n in row] == list(range(covered))
                    assert len(rows) <= room


def test_a_face_at_the_cursor_has_a_row_of_its_own_from_five_rows_on() -> None:
    for backs in range(8):
        for at in range(backs, 20):
            assert range(at, at + 1) in shared_rows(20, backs, 5, at)
