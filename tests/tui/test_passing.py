"""Several people at one terminal."""

from typing import Any

import pytest
from tests.games.throws import PAPER, ROCK, Throws
from tests.tui.test_whole_games import assert_keeps_secrets

from cardhub.tui.dialogs import handover_screen
from cardhub.tui.dialogs.handover_screen import GRACE

HUMANS = ("Anna", "Bob")
# The number of a spectator at a table of three seats.
SPECTATOR = 3


async def test_a_screen_hides_the_first_deal_until_a_key_is_pressed(setting: Any) -> None:
    table = setting(humans=HUMANS, seats=3)
    async with table.running() as terminal:
        assert terminal.text.split()[:7] == ["Pass", "to", "Anna.", "Anna,", "press", "a", "key."]
        assert_keeps_secrets(terminal.text, table.referee, SPECTATOR)
        await terminal.pilot.pause(GRACE)
        await terminal.press("x")
        assert terminal.text.startswith("▸ Anna's turn")


async def test_the_next_person_sees_only_their_own_hand(setting: Any) -> None:
    table = setting(humans=HUMANS, seats=3)
    async with table.running() as terminal:
        await terminal.pilot.pause(GRACE)
        await terminal.press("x", "enter", "1")
        assert terminal.text.split()[:7] == ["Pass", "to", "Bob.", "Bob,", "press", "a", "key."]
        await terminal.pilot.pause(GRACE)
        await terminal.press("x")
        assert "Bob's turn" in terminal.text.splitlines()[0]
        assert terminal.board.texts.says_you is False
        assert_keeps_secrets(terminal.text, table.referee, 1)


async def test_keys_pressed_too_fast_do_not_show_the_table(
    setting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person who presses enter once too often must not see another hand."""
    monkeypatch.setattr(handover_screen, "GRACE", 60.0)
    table = setting(humans=HUMANS, seats=3)
    async with table.running() as terminal:
        await terminal.press("enter", "enter")
        assert "Pass to Anna" in terminal.text


async def test_the_handover_screen_can_be_left(setting: Any) -> None:
    table = setting(humans=HUMANS, seats=3)
    async with table.running() as terminal:
        await terminal.press("q")
    assert table.app.return_code == 0


async def test_the_table_can_be_hidden_at_any_moment(setting: Any) -> None:
    table = setting(humans=HUMANS, seats=3)
    async with table.running() as terminal:
        await terminal.pilot.pause(GRACE)
        await terminal.press("x", "H")
        assert "Pass to Anna." in terminal.text
        assert_keeps_secrets(terminal.text, table.referee, SPECTATOR)
        await terminal.pilot.pause(GRACE)
        await terminal.press("x")
        assert terminal.text.startswith("▸ Anna's turn")


async def test_another_person_may_look_at_their_own_cards_first(
    setting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = setting(humans=HUMANS, seats=3)
    async with table.running() as terminal:
        assert "To look at your own cards before your turn, press your key: 2 Bob" in terminal.text
        await terminal.pilot.pause(GRACE)
        await terminal.press("2")
        assert terminal.text.startswith("▸ BOB'S CARDS  Press any key to hide your cards")
        assert_keeps_secrets(terminal.text, table.referee, 1)
        await terminal.press("enter")
        assert "Pass to Anna." in terminal.text
        assert table.referee.action_count == 0
        monkeypatch.setattr(handover_screen, "GRACE", 60.0)
        await terminal.press("enter")  # too fast: it was meant for the look
        assert "Pass to Anna." in terminal.text


@pytest.mark.parametrize("key", ["L", "r"])
async def test_what_one_person_has_opened_is_closed_before_the_next_one(
    setting: Any, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bob's log and replay name his cards; he opened them while a bot was thinking."""
    monkeypatch.setattr(handover_screen, "GRACE", 0)
    table = setting(humans=HUMANS, seats=3, pace=60)
    async with table.running() as terminal:
        while not terminal.host.is_bots_turn:
            if "Pass to" in terminal.text:
                await terminal.press("x")
                await terminal.until(lambda: terminal.app.screen is terminal.screen)
            await terminal.act()
            await terminal.pilot.pause()
        await terminal.press(key)
        assert terminal.app.screen is not terminal.screen
        while terminal.host.is_bots_turn:
            terminal.host.request("step")
            await terminal.pilot.pause(0.01)
        await terminal.until_shown("Pass to Anna")
        await terminal.press("x")
        assert terminal.app.screen is terminal.screen
        assert terminal.text.startswith("▸ Anna's turn")
        assert_keeps_secrets(terminal.text, table.referee, 0)


async def test_a_single_person_has_no_screen_to_hide_the_table(setting: Any) -> None:
    table = setting(seats=3, pace=60)
    async with table.running() as terminal:
        await terminal.press("H")
        assert terminal.text.startswith("▸ YOUR TURN")


async def test_people_choose_at_the_same_time_one_after_another(setting: Any) -> None:
    """The terminal passes on after a choice, and nobody sees the choice of another person."""
    table = setting(Throws(), humans=HUMANS, seats=2)
    async with table.running((80, 24)) as terminal:
        for name, action in zip(HUMANS, (PAPER, ROCK), strict=True):
            await terminal.until_shown(f"Pass to {name}.")
            await terminal.pilot.pause(GRACE)
            await terminal.press("x")
            await terminal.until_shown(f"{name}'s turn")
            assert "You chose" not in terminal.text
            await terminal.press(str(action + 1))
        await terminal.until_shown("GAME OVER")
    assert [step.action for step in table.referee.observe(-1).history] == [PAPER, ROCK]


async def test_a_person_waits_for_a_bot_that_chooses_at_the_same_time(setting: Any) -> None:
    table = setting(Throws(), seats=2)
    async with table.running((80, 24)) as terminal:
        await terminal.until_shown("YOUR TURN")
        await terminal.press("1")
        await terminal.until_shown("GAME OVER")
    assert len(table.referee.observe(-1).history) == 2
