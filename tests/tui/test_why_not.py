"""Reasons why an action is not legal: by Enter, click, key and typed action."""

from typing import Any

import pytest

from cardhub.view.layout.canvas import Stop
from cardhub_garner import Garner

REASON = "three cards need at least two colours."


def stop_of(terminal: Any, token: int) -> Stop:
    """Return the stop of a card."""
    stops: tuple[Stop, ...] = terminal.board.frame.stops
    return next(s for s in stops if (s.spot.kind, s.spot.key) == ("card", token))


async def lay_two_of_a_colour(terminal: Any) -> int:
    """Lay two cards of one colour; return the token of a third card of it in hand."""
    state = terminal.referee.observe(0).state
    by_colour: dict[int, list[int]] = {}
    for token in state.hand[0]:
        by_colour.setdefault(state.back[token], []).append(token)
    first, second, third, *_ = max(by_colour.values(), key=len)
    for token in (first, second):
        await click(terminal, token)
    return third


async def click(terminal: Any, token: int) -> None:
    """Click a card twice: point at it, then act."""
    for _ in range(2):
        await terminal.click(stop_of(terminal, token))


@pytest.mark.parametrize("key", ["enter", "w"])
async def test_a_card_that_cannot_be_laid_gives_the_reason(setting: Any, key: str) -> None:
    table = setting(seats=3, seed=2, pace=60)
    async with table.running() as terminal:
        third = await lay_two_of_a_colour(terminal)
        name = table.referee.observe(0).labels().card(third)
        await click(terminal, third)
        assert f"You cannot lay {name}: {REASON}" in terminal.detail
        await terminal.press("left")
        assert f"You cannot lay {name}" not in terminal.detail
        await terminal.press("right")
        assert not terminal.detail.startswith("You cannot")
        await terminal.press(key)
        assert f"You cannot lay {name}: {REASON}" in terminal.detail
        assert len(table.referee.observe(0).state.laid[0]) == 2


async def test_a_typed_action_that_is_illegal_gives_the_reason(setting: Any) -> None:
    table = setting(seats=3, seed=2, pace=60)
    async with table.running() as terminal:
        third = await lay_two_of_a_colour(terminal)
        name = table.referee.observe(0).labels().card(third)
        await terminal.press("colon", *name.casefold(), "enter")
        assert f"You cannot lay {name}: {REASON}" in terminal.text
        assert "Type an action" in terminal.text


async def test_the_key_tells_what_can_be_done_where_something_can(setting: Any) -> None:
    table = setting(seats=3, seed=2, pace=60)
    async with table.running() as terminal:
        name = table.referee.observe(0).labels().card(terminal.board.cursor.key)
        await terminal.press("w")
        assert f"Your choices here: lay {name}." in terminal.detail
        await terminal.press("enter", "1", "w")
        assert "It is not your turn." in terminal.detail


async def test_a_card_that_is_chosen_in_the_turn_of_another_player_says_so(setting: Any) -> None:
    table = setting(seats=3, seed=2, pace=60)
    async with table.running() as terminal:
        await terminal.press("enter", "1", "home", "end")
        assert terminal.board.cursor.kind == "card"
        await terminal.press("enter")
        assert terminal.detail == "It is not your turn."


async def test_an_area_for_looking_only_is_described(setting: Any) -> None:
    table = setting(Garner(), seats=2, seed=2, pace=60)
    async with table.running(size=(80, 30)) as terminal:
        await terminal.press("end", "enter")
        assert terminal.detail.startswith("lifted")
        await terminal.press("w")
        assert "There is nothing to do here. Your choices now: lift one of" in terminal.detail
