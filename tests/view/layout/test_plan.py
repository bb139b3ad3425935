"""Regions and sizes of cards depend on the terminal and the shape of the table only."""

from collections.abc import Callable
from itertools import pairwise

import msgspec
import pytest
from tests.view.layout.drawn import drawn, lines_of, planned
from tests.view.layout.positions import POSITIONS, gamon, gargon, garner, hearts
from tests.view.layout.views import TableBuilder

from cardhub.view.layout.canvas import Box
from cardhub.view.layout.draw import draw
from cardhub.view.layout.plan import PlanOptions, TerminalSize, gap_rows, plan_changes, plan_of
from cardhub.view.layout.shape import CardSize, shape_of, sizes_of
from cardhub.view.view import AreaView, View

S, M, L, XL, XXL, XXXL = CardSize


def with_cards(view: View, region: str, count: int) -> View:
    """Return a view whose areas of a region have only `count` cards."""
    areas = tuple(
        msgspec.structs.replace(area, cards=area.cards[:count], count=count)
        if isinstance(area, AreaView) and area.region == region
        else area
        for area in view.areas
    )
    return msgspec.structs.replace(view, areas=areas)


def without(view: View, caption: str) -> View:
    """Return a view without the areas of a caption."""
    areas = tuple(
        area for area in view.areas if not (isinstance(area, AreaView) and area.caption == caption)
    )
    return msgspec.structs.replace(view, areas=areas)


@pytest.mark.parametrize(
    ("position", "size", "hand", "front"),
    [
        (gargon, (60, 20), M, S),
        (gargon, (80, 24), L, S),
        (gargon, (100, 30), L, M),
        (gargon, (120, 40), XXL, L),
        (gargon, (200, 50), XXXL, XL),
        (gamon, (60, 20), S, M),
        (gamon, (80, 24), M, M),
        (gamon, (120, 40), L, XL),
        (hearts, (80, 24), M, M),
        (hearts, (120, 40), L, XXL),
        (hearts, (200, 50), XXL, XXXL),
    ],
)
def test_cards_are_as_large_as_the_terminal_allows(
    position: Callable[..., object], size: tuple[int, int], hand: CardSize, front: CardSize
) -> None:
    sizes = planned(POSITIONS[position.__name__](), size).sizes
    assert (sizes.hand, sizes.front) == (hand, front)


@pytest.mark.parametrize(
    ("size", "site"), [((60, 20), S), ((80, 24), M), ((120, 40), L), ((200, 50), XXL)]
)
def test_sites_of_a_board_are_as_large_as_it_allows(size: tuple[int, int], site: CardSize) -> None:
    assert planned(garner(), size).sizes.site is site


@pytest.mark.parametrize(("size", "least"), [((120, 40), 24), ((200, 50), 32)])
def test_a_large_terminal_is_used_by_most_rows_of_the_table(
    size: tuple[int, int], least: int
) -> None:
    position = gargon()
    table, log = planned(position, size).box("hand"), planned(position, size).box("log")
    rows = [line[table.x : log.x] for line in lines_of(drawn(position, size))[1:-1]]
    assert sum(not row.isspace() for row in rows) >= least


@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30), (120, 40), (161, 50)])
def test_regions_lie_inside_the_terminal_and_beside_each_other(
    name: str, size: tuple[int, int]
) -> None:
    taken: set[tuple[int, int]] = set()
    for box in planned(POSITIONS[name](), size).regions.values():
        cells = {(x, y) for x in range(box.x, box.x + box.width) for y in _rows(box)}
        assert all(0 <= x < size[0] and 0 <= y < size[1] for x, y in cells)
        assert not cells & taken
        taken |= cells


def test_the_plan_is_the_same_with_any_number_of_cards() -> None:
    view, catalogue, _, _ = gargon()
    plans = [
        plan_of(shape_of(with_cards(view, region, count), catalogue), TerminalSize(80, 24))
        for region in ("hand", "front", "seat", "centre")
        for count in (0, 1, 3)
    ]
    assert all(plan == other for plan, other in pairwise(plans))


def test_cards_get_pictures_only_if_their_number_is_bounded() -> None:
    view, catalogue, _, _ = hearts()
    sizes = plan_of(shape_of(view, catalogue), TerminalSize(200, 50)).sizes
    assert max(sizes.hand, sizes.front) > XL
    areas = tuple(
        msgspec.structs.replace(area, room=0) if isinstance(area, AreaView) else area
        for area in view.areas
    )
    open_ended = msgspec.structs.replace(view, areas=areas)
    sizes = plan_of(shape_of(open_ended, catalogue), TerminalSize(200, 50)).sizes
    assert max(sizes.hand, sizes.front) <= XL


def test_a_shape_only_grows_during_a_game() -> None:
    view, catalogue, _, _ = gargon()
    shape = shape_of(view, catalogue)
    fewer = without(view, "discarded")
    assert shape_of(fewer, catalogue) != shape
    assert shape_of(fewer, catalogue, shape) == shape


def test_a_spectator_has_the_plan_of_the_seat_at_the_bottom() -> None:
    view, catalogue, _, _ = gargon()
    areas = tuple(
        msgspec.structs.replace(area, region="seat", look="row")
        if isinstance(area, AreaView) and area.region == "hand"
        else area
        for area in view.areas
    )
    spectator = msgspec.structs.replace(view, areas=areas, viewer=4, choices=())
    assert shape_of(spectator, catalogue) == shape_of(view, catalogue)


def test_changes_of_the_plan_are_found() -> None:
    view, catalogue, _, _ = gargon()
    fewer = without(view, "discarded")
    assert not [*plan_changes([view, fewer, view], catalogue)]
    size = TerminalSize(80, 24)
    ((number, changed, regions),) = plan_changes([fewer, view], catalogue, [size])
    assert (number, changed) == (1, size)
    assert "centre" in regions


def test_more_cards_than_declared_change_no_plan_once_seen() -> None:
    """A hand with room for 10 keeps its region with 14 cards, which stand closer."""
    table = TableBuilder(2)
    for value in range(20):
        table.face(str(value))
    table.area("hand", "hand", table.cards(map(str, range(20))), seat=0, look="hand", room=10)
    view, catalogue = table.view(), table.catalogue()
    plan = plan_of(shape_of(view, catalogue), TerminalSize(60, 20))
    fewer = plan_of(shape_of(with_cards(view, "hand", 3), catalogue), TerminalSize(60, 20))
    assert plan == fewer
    frame = draw(view, catalogue, plan)
    assert all(stop.box.width for stop in frame.stops if stop.region == "hand")


def test_spare_rows_go_around_the_middle_first() -> None:
    assert gap_rows(3, True) == {"actions": 1, "above": 1, "below": 1, "prompt": 0, "inside": 0}
    assert gap_rows(7, True) == {"actions": 2, "above": 1, "below": 1, "prompt": 1, "inside": 1}
    assert gap_rows(6, False) == {"actions": 2, "above": 2, "below": 1, "prompt": 1, "inside": 0}


def test_panes_come_at_100_and_160_columns_and_the_table_is_never_wider_than_112() -> None:
    assert planned(gargon(), (99, 30)).box("log") == Box(0, 0, 0, 0)
    assert planned(gargon(), (100, 30)).box("log").width == 30
    wide = planned(gargon(), (240, 50))
    assert (wide.box("standing").x, wide.box("hand").width) == (0, 112)
    shape = wide.shape
    alone = plan_of(shape, TerminalSize(240, 50), PlanOptions(has_log=False))
    assert not alone.box("log").height
    assert alone.box("detail").height


def test_a_pane_gives_way_to_a_hand_that_would_be_a_row_of_names_beside_it() -> None:
    """Six named cards need 72 columns; a terminal of 100 with a pane has only 70."""
    assert planned(gamon(), (100, 32)).sizes.hand is L
    assert not planned(gamon(), (100, 32)).box("log").height
    assert planned(gamon(), (118, 32)).box("log").height


def test_a_wider_terminal_never_has_smaller_cards_than_one_of_120_columns() -> None:
    for position in (gargon(), gamon(), hearts()):
        at_120 = planned(position, (120, 40))
        for width in range(121, 220, 3):
            plan = planned(position, (width, 40))
            assert plan.box("centre").width >= at_120.box("centre").width
            assert plan.sizes.hand >= at_120.sizes.hand
            assert plan.sizes.front >= at_120.sizes.front


def test_small_and_large_cards_are_a_persons_choice() -> None:
    shape = shape_of(*gargon()[:2])
    small = plan_of(shape, TerminalSize(200, 50), PlanOptions(cards="small"))
    assert (small.sizes.hand, small.sizes.front) == (M, M)
    large = plan_of(shape, TerminalSize(120, 40), PlanOptions(cards="large"))
    assert not large.box("log").height
    assert large.box("hand").width == 112


def test_a_hand_beside_a_board_grows_as_the_board_allows() -> None:
    table = TableBuilder(2)
    for value in range(12):
        table.face(f"A{value}")
    table.grid(3, 3, {4: "A1 A2"})
    table.area("hand", "hand", table.cards("A3 A4 A5"), seat=0, look="hand", room=3)
    shape = shape_of(table.view(), table.catalogue())
    sizes = [plan_of(shape, TerminalSize(*size)).sizes for size in ((60, 20), (80, 24), (120, 40))]
    assert [(size.site, size.hand) for size in sizes] == [(M, S), (L, S), (XXL, L)]


def test_controls_have_the_rows_that_a_screen_asks_for() -> None:
    shape = shape_of(*gargon()[:2])
    plan = plan_of(shape, TerminalSize(80, 24), PlanOptions(controls=3))
    assert plan.box("actions").height == 3


def test_a_replay_has_cards_in_front_of_seats_before_more_lines_of_its_log() -> None:
    shape = shape_of(gamon().view, gamon().catalogue)
    plan = plan_of(shape, TerminalSize(80, 24), PlanOptions(controls=3))
    assert plan.sizes.front == M
    assert plan.box("news").height == 1


def test_names_of_cards_make_them_wider_and_are_never_overlapped() -> None:
    named, plain = sizes_of(gamon().catalogue), sizes_of(hearts().catalogue)
    assert (plain.widths[M], plain.widths[L]) == (6, 8)
    assert (named.widths[M], named.widths[L], named.widths[XL]) == (12, 13, 22)
    assert named.overlapped(L) == 13
    assert (plain.overlapped(M), plain.overlapped(L)) == (4, 5)
    assert (named.is_largest_used, plain.is_largest_used) == (True, False)


def test_wide_characters_take_two_cells() -> None:
    table = TableBuilder(2, prompt="出牌：一张或两张")
    for label in ("竜王", "金将", "銀"):
        table.face(label, title=f"{label}の札", corner="九")
    table.players[1] = msgspec.structs.replace(table.players[1], name="東京太郎")
    table.area("手", "hand", table.cards("竜王 金将 銀"), seat=0, look="hand", room=3)
    table.area("trick", "front", table.cards("銀", head="九九九九九九"), seat=1, room=1, slots=1)
    view, catalogue = table.view(), table.catalogue()
    for size in ((60, 20), (80, 24), (121, 41)):
        frame = draw(view, catalogue, plan_of(shape_of(view, catalogue), TerminalSize(*size)))
        assert any("竜王" in line for line in lines_of(frame))


def _rows(box: Box) -> range:
    return range(box.y, box.y + box.height)


def test_at_80_by_24_four_lines_of_the_log_can_be_read_in_every_game() -> None:
    for build in POSITIONS.values():
        plan = planned(build(), (80, 24))
        log = plan.box("news") if plan.shape.board is None else plan.box("side")
        # Columns need the rows: few cards should be only counted.
        assert log.height >= (1 if plan.shape.columns else 4)


def test_gargon_fills_most_rows_of_a_large_terminal() -> None:
    size = (120, 40)
    plan, lines = planned(gargon(), size), lines_of(drawn(gargon(), size))
    # Neither the bars at the ends nor the panes beside the table count.
    rows = [line[: plan.box("own_line").width].strip() for line in lines[1:-1]]
    assert sum(map(bool, rows)) >= 24


def test_the_lines_above_a_table_are_the_newest_ones_with_their_marks() -> None:
    lines = lines_of(drawn(hearts(), (80, 24)))
    assert [line.strip() for line in lines[1:5]] == [
        "Anna plays 2♦",
        "• Bob takes Q♦ 10♦ 2♦ A♦",
        "• Bob plays 9♣",
        "• Chris plays K♠",
    ]
