"""Sheets as plain text."""

from collections.abc import Callable
from typing import Any

import pytest

from cardhub.game.initial_state import resolve_options
from cardhub.text import render, rules_with_options
from cardhub_gargon import Gargon


def test_no_line_ends_in_blanks_and_the_last_one_ends(table: Callable[..., Any]) -> None:
    """Files and screen readers get no superfluous blanks."""
    text = table().play(30).text()
    assert text.endswith("\n")
    assert all(line == line.rstrip() for line in text.splitlines())


def test_the_same_table_gives_the_same_bytes(table: Callable[..., Any]) -> None:
    """It does not depend on the order of sets or on earlier calls."""
    assert table().play(30).text() == table().play(30).text()


def test_legal_actions_are_numbered_on_request_instead_of_buttons(
    table: Callable[..., Any],
) -> None:
    """Number n is the n-th legal action, written as one types it."""
    late = table(seats=5)
    while len(late.sheet().buttons) < 2:
        late.play(1)
    sheet = late.sheet()
    text = render(sheet, numbered=True)
    for number, name in enumerate(sheet.choices, 1):
        assert f"{number}. {name}" in text
    assert "pass [" not in text
    assert "pass [" in render(sheet)


@pytest.mark.parametrize(("seats", "last"), [(3, 2), (5, 4)])
def test_an_option_tells_its_values_for_the_players_at_the_table(seats: int, last: int) -> None:
    """The range of `start` is that of the seats in use."""
    game = Gargon()
    text = rules_with_options(game, resolve_options(game, {}, seats), seats)
    assert f"- `start`: 0 (a seat from 0 to {last}). " in text
    assert "- `open_winnings`: off. " in text
