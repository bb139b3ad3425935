"""The cursor moves to the nearest stop, and waits at the nearest legal card."""

from itertools import pairwise

import pytest
from tests.view.layout.drawn import drawn
from tests.view.layout.positions import gamon, gargon, garner, hearts, patience
from tests.view.layout.views import TableBuilder

from cardhub.view.layout.canvas import Stop
from cardhub.view.layout.draw import draw
from cardhub.view.layout.navigation import (
    Direction,
    kept_spot,
    nearest,
    next_group,
    next_legal,
    next_region,
    stop_at,
    stop_of,
)
from cardhub.view.layout.plan import TerminalSize, plan_of
from cardhub.view.layout.shape import shape_of
from cardhub.view.view import Spot

SIZE = (80, 24)


def stops(table: TableBuilder) -> tuple[Stop, ...]:
    """Return the stops of a table."""
    view, catalogue = table.view(), table.catalogue()
    plan = plan_of(shape_of(view, catalogue), TerminalSize(*SIZE))
    return draw(view, catalogue, plan).stops


def test_arrows_reach_every_stop_of_a_table() -> None:
    for position in (gargon(), gamon(), garner(), hearts(), patience()):
        stops_seen = drawn(position, SIZE).stops
        reached = {stops_seen[0].spot}
        waiting = [stops_seen[0].spot]
        directions: tuple[Direction, ...] = ("left", "down", "up", "right")
        while waiting:
            spot = waiting.pop()
            for direction in directions:
                near = nearest(stops_seen, spot, direction)
                if near is not None and near not in reached:
                    reached.add(near)
                    waiting.append(near)
        assert {stop.spot for stop in stops_seen if stop.box.width} <= reached


def test_right_and_left_go_along_the_hand() -> None:
    stops_seen = drawn(gargon(), SIZE).stops
    hand = [stop.spot for stop in stops_seen if stop.region == "hand"]
    for spot, after in pairwise(hand):
        assert nearest(stops_seen, spot, "right") == after
        assert nearest(stops_seen, after, "left") == spot
    assert nearest(stops_seen, hand[-1], "right") == hand[-1]


def test_down_from_the_hand_are_the_buttons_and_up_the_own_line() -> None:
    stops_seen = drawn(gargon(), SIZE).stops
    spot = next(stop.spot for stop in stops_seen if stop.region == "hand")
    below = stop_of(stops_seen, nearest(stops_seen, spot, "down"))
    above = stop_of(stops_seen, nearest(stops_seen, spot, "up"))
    assert below is not None
    assert above is not None
    assert (below.region, above.region) == ("actions", "own_line")


def test_tab_goes_from_region_to_region_and_around() -> None:
    stops_seen = drawn(gargon(), SIZE).stops
    regions = list(dict.fromkeys(stop.region for stop in stops_seen))
    spot: Spot | None = stops_seen[0].spot
    seen = []
    for _ in regions:
        stop = stop_of(stops_seen, spot)
        assert stop is not None
        seen.append(stop.region)
        spot = next_region(stops_seen, spot)
    assert seen == regions
    assert spot == stops_seen[0].spot
    assert next_region(stops_seen, next_region(stops_seen, spot), -1) == spot


def test_n_goes_to_legal_spots_only() -> None:
    position = hearts()
    stops_seen = drawn(position, SIZE).stops
    first = next_legal(stops_seen, position.view, None)
    second = next_legal(stops_seen, position.view, first)
    assert [first, second] == [choice.spots[0] for choice in position.view.choices]
    assert next_legal(stops_seen, position.view, second) == first
    assert next_legal(stops_seen, position.view, first, -1) == second


def test_groups_of_a_board_follow_each_other() -> None:
    position = garner()
    assert next_group(position.view, None, None) == 0
    assert next_group(position.view, position.cursor, 0) == 0
    assert next_group(hearts().view, None, None) is None


def test_a_click_finds_the_stop_under_it() -> None:
    stops_seen = drawn(gargon(), SIZE).stops
    stop = stops_seen[-1]
    assert stop_at(stops_seen, stop.box.x, stop.box.y) == stop
    assert stop_at(stops_seen, 79, 0) is None


def test_a_click_in_the_log_finds_its_step() -> None:
    logged = drawn(gargon(), (120, 40)).logged
    assert {*logged.values()} == {0, 1, 2, 3}
    assert all(box.x >= 82 for box in logged)


@pytest.mark.parametrize("can_undo", [True, False])
def test_the_cursor_starts_on_a_legal_card_also_if_it_cannot_be_taken_back(can_undo: bool) -> None:
    table = TableBuilder(2)
    table.face("A")
    table.area("hand", "hand", table.cards("A"), seat=0, look="hand")
    table.choice("play", "A", [table.tokens["A"]], can_undo=can_undo)
    table.choice("pass", can_undo=False)
    start = kept_spot(stops(table), None, table.view(), is_placed=False)
    assert start == table.tokens["A"]


def test_the_cursor_never_starts_on_an_action_to_confirm() -> None:
    table = TableBuilder(2)
    table.face("A")
    table.area("hand", "hand", table.cards("A"), seat=0, look="hand")
    table.choice("fold", "A", [table.tokens["A"]], can_undo=False, tone="costly")
    assert kept_spot(stops(table), None, table.view(), is_placed=False) == Spot("seat", 0)
    table.choice("bow", can_undo=False, tone="costly")
    table.choice("call", can_undo=False)
    assert kept_spot(stops(table), None, table.view(), is_placed=False) == Spot("button", 2)


def test_of_buttons_the_cursor_starts_on_an_action_that_usually_comes_next() -> None:
    table = TableBuilder(2)
    table.choice("fold", can_undo=False)
    table.choice("call", can_undo=False, tone="primary")
    assert kept_spot(stops(table), None, table.view(), is_placed=False) == Spot("button", 1)


def test_the_cursor_goes_from_any_card_to_the_first_button_if_only_buttons_act() -> None:
    table = TableBuilder(2)
    table.face("A")
    table.area("hand", "hand", table.cards("A A A A A A"), seat=0, look="hand")
    for number in range(1, 5):
        table.choice("call", str(number))
    for before in stops(table):
        if before.region == "hand":
            spot = kept_spot(stops(table), before, table.view(), is_placed=False)
            assert spot == Spot("button", 0)


def test_the_cursor_goes_to_a_stack_if_only_stacks_and_buttons_act() -> None:
    table = TableBuilder(2)
    table.face("A")
    table.back("#")
    table.area("stack", "centre", table.cards("#? #? #?"), look="queue")
    table.area("hand", "hand", table.cards("A"), seat=0, look="hand")
    hand = next(stop for stop in stops(table) if stop.spot == table.tokens["A"])
    table.choice("take", "stack", [Spot("area", 0, 0)])
    table.choice("pass")
    assert kept_spot(stops(table), hand, table.view(), is_placed=False) == Spot("area", 0, 0)


def test_the_cursor_starts_in_the_hand_before_cards_of_the_table() -> None:
    """In a market above the hand, Enter would buy a card."""
    table = TableBuilder(2)
    for name in "ABC":
        table.face(name)
    table.area("market", "centre", table.cards("A"))
    table.area("hand", "hand", table.cards("B C"))
    for name in "ABC":
        table.choice("take", name, [table.tokens[name]])
    assert kept_spot(stops(table), None, table.view(), is_placed=False) == table.tokens["B"]


def test_a_legal_site_of_a_board_is_looked_at_first() -> None:
    table = TableBuilder(2)
    table.face("A")
    table.grid(1, 2, {0: "A"})
    for site in (0, 1):
        table.choice("take", str(site), [Spot("site", site, 0)])
    assert kept_spot(stops(table), None, table.view(), is_placed=False) == Spot("site", 0, 0)


def test_after_a_card_has_gone_the_cursor_goes_to_the_nearest_legal_one() -> None:
    position = hearts()
    seen = drawn(position, SIZE).stops
    legal = position.view.legal_spots()
    for before in seen:
        spot = kept_spot(seen, before, position.view, is_placed=False)
        assert spot in legal
        assert spot == before.spot or before.spot not in legal


def test_a_cursor_that_the_person_moved_stays_at_its_card() -> None:
    position = hearts()
    seen = drawn(position, SIZE).stops
    before = next(stop for stop in seen if stop.spot not in position.view.legal_spots())
    assert kept_spot(seen, before, position.view, is_placed=True) == before.spot
