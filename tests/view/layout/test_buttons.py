"""People press buttons by typing digits, and a digit never means another button's label."""

import pytest
from tests.view.layout.views import TableBuilder

from cardhub.view.layout.buttons import find_press, numbered
from cardhub.view.layout.draw import draw
from cardhub.view.layout.plan import TerminalSize, plan_of
from cardhub.view.layout.shape import shape_of
from cardhub.view.view import Spot


def table_of(*actions: str) -> TableBuilder:
    """Return a table with buttons of verbs and labels."""
    table = TableBuilder(2)
    for action in actions:
        verb, _, label = action.partition(" ")
        table.choice(verb, label)
    return table


def numbers(*actions: str) -> dict[str, int | None]:
    """Return the numbers of buttons by their names."""
    return {button.choice.name: button.number for button in numbered(table_of(*actions).view())}


def test_buttons_are_numbered_in_their_order() -> None:
    assert numbers("fold", "call", "raise") == {"fold": 1, "call": 2, "raise": 3}


def test_a_label_that_is_a_number_is_typed_as_it_is() -> None:
    typed_by = numbers("call 2", "call 3", "call 4", "pass", "bluff")
    assert typed_by == {"call 2": 2, "call 3": 3, "call 4": 4, "pass": 1, "bluff": 5}


def test_a_label_that_occurs_twice_is_typed_for_the_first_button_only() -> None:
    typed_by = numbers("call 2", "call 3", "raise 2", "raise 4", "pass")
    assert typed_by == {"call 2": 2, "call 3": 3, "raise 2": None, "raise 4": 4, "pass": 1}


def test_the_amount_of_a_single_button_is_not_its_number() -> None:
    assert numbers("fold", "call 15", "raise") == {"fold": 1, "call 15": 2, "raise": 3}


def test_a_digit_acts_at_once_where_no_other_number_begins_with_it() -> None:
    view = table_of(*(f"call {n}" for n in range(1, 10))).view()
    pressed = find_press(view, "7")
    assert pressed is not None
    assert (pressed.choice.name, pressed.is_final) == ("call 7", True)
    assert find_press(view, "0") is None


@pytest.mark.parametrize(
    ("typed", "name", "is_final"),
    [("0", "bid 0", True), ("1", "bid 1", False), ("12", "bid 12", True), ("4", "bid 4", True)],
)
def test_more_than_nine_buttons_take_a_second_digit(typed: str, name: str, is_final: bool) -> None:
    """`1` points at bid 1 and waits, because bids from 10 to 13 begin with it."""
    pressed = find_press(table_of(*(f"bid {n}" for n in range(14))).view(), typed)
    assert pressed is not None
    assert (pressed.choice.name, pressed.is_final) == (name, is_final)


def rows(table: TableBuilder, cursor: Spot | None = None) -> list[str]:
    """Return the rows of the buttons at 60 columns."""
    view, catalogue = table.view(), table.catalogue()
    plan = plan_of(shape_of(view, catalogue), TerminalSize(60, 20))
    frame = draw(view, catalogue, plan, cursor=cursor)
    box = plan.box("actions")
    return [
        "".join(run.text for run in row).strip() for row in frame.rows[box.y : box.y + box.height]
    ]


def test_the_verb_stands_once_before_several_buttons() -> None:
    assert rows(table_of("call 1", "call 2", "pass"))[0] == "call   1   2   3) pass"


def test_a_key_cannot_be_read_as_the_amount_behind_it() -> None:
    assert rows(table_of("fold", "call 1"), Spot("button", 1))[0] == "1) fold  [2) call 1]"


def test_buttons_that_lack_room_come_into_sight_with_the_cursor() -> None:
    table = table_of(*(f"name some-long-word-{n}" for n in range(12)))
    first, last = rows(table), rows(table, Spot("button", 11))
    assert "word-0" in first[0]
    assert first[-1].endswith("…")
    assert "word-11" in " ".join(last)
    assert last[0].endswith("…")


def test_an_area_without_a_caption_of_its_own_is_a_button() -> None:
    table = TableBuilder(2)
    table.area("row", "front", seat=1, room=3)
    table.area("pile", "centre", count=5)
    table.choice("take", "row", [Spot("area", 0, 0)])
    table.choice("take", "pile", [Spot("area", 0, 1)])
    assert [button.choice.name for button in numbered(table.view())] == ["take row"]
