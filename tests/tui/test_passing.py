"""Several people at one terminal."""

from typing import Any

from tests.tui.test_whole_games import assert_keeps_secrets

from cardhub.tui.dialogs.handover_screen import GRACE

HUMANS = ("Anna", "Bob")


async def test_a_screen_hides_the_first_deal_until_a_key_is_pressed(setting: Any) -> None:
    """No card of a hand is visible while the terminal is handed over."""
    table = setting(humans=HUMANS, seats=3)
    async with table.running() as terminal:
        assert terminal.text.split() == ["Pass", "to", "Anna.", "Anna,", "press", "a", "key."]
        await terminal.pilot.pause(GRACE)
        await terminal.press("x")
        assert terminal.text.startswith("▸ Anna’s turn")


async def test_the_next_person_sees_only_their_own_hand(setting: Any) -> None:
    """Between two people the screen is blank; then the other's faces are gone."""
    table = setting(humans=HUMANS, seats=3)
    async with table.running() as terminal:
        await terminal.pilot.pause(GRACE)
        await terminal.press("x", "enter", "1")
        assert terminal.text.split() == ["Pass", "to", "Bob.", "Bob,", "press", "a", "key."]
        await terminal.pilot.pause(GRACE)
        await terminal.press("x")
        assert "Bob’s turn" in terminal.text.splitlines()[0]
        assert terminal.board.texts.says_you is False
        assert_keeps_secrets(terminal.text, table.referee, 1)


async def test_keys_pressed_too_fast_do_not_show_the_table(setting: Any) -> None:
    """Who presses enter once too often must not see another's hand."""
    table = setting(humans=HUMANS, seats=3)
    async with table.running() as terminal:
        await terminal.press("enter", "enter")
        assert "Pass to Anna" in terminal.text


async def test_the_handover_screen_can_be_left(setting: Any) -> None:
    """The game is saved without showing a hand."""
    table = setting(humans=HUMANS, seats=3)
    async with table.running() as terminal:
        await terminal.press("q")
    assert table.app.return_code == 0
