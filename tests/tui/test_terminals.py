"""Small, plain and colourless terminals."""

from typing import Any

import pytest

from cardhub.play.events import past_events


async def test_a_small_terminal_shows_the_required_size_and_can_be_left(setting: Any) -> None:
    """Below 60x20 a notice is shown instead of the table."""
    table = setting(seats=5)
    async with table.running((50, 15)) as terminal:
        assert "60x20" in terminal.text
        assert "50x15" in terminal.text
        assert "left stack" not in terminal.text
        await terminal.press("q")
    assert table.app.return_code == 0


async def test_the_table_survives_a_change_of_size(setting: Any) -> None:
    """After a small size the table is shown again."""
    table = setting(seats=5)
    async with table.running() as terminal:
        before = terminal.text
        for size in ((50, 15), (60, 20), (120, 40), (80, 24)):
            await terminal.pilot.resize_terminal(*size)
            await terminal.pilot.pause(0.3)
        assert terminal.text == before
        await terminal.press("enter")
        assert "hand 9" in terminal.text


@pytest.mark.parametrize(("width", "is_shown"), [(69, False), (70, True)])
async def test_a_narrow_terminal_leaves_the_log_out(
    setting: Any, width: int, is_shown: bool
) -> None:
    """Below 70 columns the board needs the room."""
    table = setting(seats=5)
    async with table.running((width, 24)) as terminal:
        await terminal.pilot.pause()
        assert bool(table.app.screen.query_one("#log").display) is is_shown


async def test_ascii_draws_the_board_with_ascii_only(setting: Any) -> None:
    """Frames too; the details of Gargon's cards are mapped."""
    table = setting(seats=5, ascii_only=True)
    async with table.running() as terminal:
        assert terminal.text.isascii()
        await terminal.press("colon")
        assert "Type an action" in terminal.text
        assert terminal.text.isascii()


async def test_no_color_leaves_the_colours_to_the_terminal(
    setting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same text, with legal cards marked in it, and no colour of our own."""
    plain = setting(seats=5)
    async with plain.running() as terminal:
        expected = terminal.text
    monkeypatch.setenv("NO_COLOR", "1")
    table = setting(seats=5)
    async with table.running() as terminal:
        assert table.app.theme == "ansi-dark"
        assert terminal.text == expected
        assert "[R14]" in terminal.text
        assert all(style.color.is_default for style in terminal.styles if style.color)
        assert all(style.bgcolor.is_default for style in terminal.styles if style.bgcolor)


@pytest.mark.parametrize("size", [(80, 24), (20, 5)])
async def test_keys_do_not_act_on_a_hidden_table(setting: Any, size: tuple[int, int]) -> None:
    """While the log or the notice hides the table, keys do not act on it."""
    table = setting(seats=3)
    async with table.running() as terminal:
        await terminal.press("end", "L")
        await terminal.pilot.resize_terminal(*size)
        table.app.screen.show_table(has_failed=False)
        await terminal.pilot.pause()
        terminal.board.focus()
        await terminal.press("enter", "e", "left", "1", "n")
        assert past_events(table.referee, 0) == []
        await terminal.pilot.resize_terminal(80, 24)
        await terminal.press("escape")
        await terminal.press("enter")
        assert len(past_events(table.referee, 0)) == 1
