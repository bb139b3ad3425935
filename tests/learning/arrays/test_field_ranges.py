"""Extents of fields follow from declarations; no game is played for them."""

from typing import Annotated, Any

import pytest
from tests.games.ladders import Ladders
from tests.learning.arrays.conftest import NAMES, game_named, layout_of

from cardhub import Actions, Game, IndexOf, Omitted, Range, Tokens
from cardhub.base.errors import LayoutError
from cardhub.learning.arrays import Layout
from holdem import Holdem
from kuhn import Kuhn
from kuhn.game import Table
from pig import Pig


class Notes(Table):
    """Kuhn poker with more fields."""

    turn: Annotated[int, Range(0, 40)]
    rest: Annotated[int, Range(3, 3)]
    token: Annotated[int, Omitted()]
    path: Annotated[list[int], IndexOf(5, most=3)]
    money: int
    is_late: bool


class Noted(Kuhn):
    """A game with declared and undeclared fields."""

    state_type = Notes


def shape_of(layout: Layout, name: str) -> tuple[int, ...]:
    """Return the shape of a part."""
    return layout.part(name).shape


@pytest.mark.parametrize("game", NAMES, indirect=True)
def test_no_game_is_played_for_a_layout(game: Game[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        pytest.fail("a rule was called")

    expected = layout_of(game).fingerprint
    for rule in ("apply", "legal", "random_action"):
        monkeypatch.setattr(type(game), rule, refuse)
    assert Layout(game).fingerprint == expected


def test_all_installed_games_declare_their_numbers() -> None:
    undeclared = [
        f"{name}.{part.name}"
        for name in NAMES
        if name not in ("magpie", "lanterns")
        for part in layout_of(game_named(name)).parts
        if "no range is declared" in part.meaning
    ]
    assert not undeclared


def test_declared_numbers_give_the_shapes_of_parts() -> None:
    layout = Layout(Noted())
    assert shape_of(layout, "turn_one_hot") == (41,)
    assert shape_of(layout, "path") == (4,)
    assert shape_of(layout, "path_one_hot") == (3, 5)
    assert layout.left_out == ("rest", "token")


def test_undeclared_numbers_have_one_slot_and_bools_are_flags() -> None:
    layout = Layout(Noted())
    assert shape_of(layout, "money") == (1,)
    assert "no range is declared" in layout.part("money").meaning
    assert layout.part("is_late").low == 0


def test_bounds_follow_the_seats_and_the_options_of_the_table() -> None:
    small = Layout(Holdem(), 2, options={"chips": 50})
    assert "0.5 is 100" in small.part("chips").meaning
    assert "0.5 is 600" in Layout(Holdem(), 6).part("chips").meaning
    assert shape_of(Layout(Pig(), 4), "banked") == (4,)


def test_a_list_of_unknown_length_is_refused_with_its_line_and_a_remedy() -> None:
    class Calls(Table):
        calls: list[int]

    class Called(Kuhn):
        state_type = Calls

    with pytest.raises(
        LayoutError, match=r"test_field_ranges.py:\d+: Calls.calls .* fix: calls: Annotated\[list"
    ):
        Layout(Called())


def test_a_place_that_is_no_zone_is_refused() -> None:
    with pytest.raises(
        TypeError, match=r"'turn' have the place 'stack', which is not a zone.*stacks"
    ):

        class Wrong(Ladders):
            actions = Actions(Tokens("turn", 12, place="stack"), Tokens("take", 12))
