"""Small, plain and colourless terminals."""

from typing import Any

import pytest

from cardhub.play.announcing.announcer import past_events


async def test_a_small_terminal_shows_the_required_size_and_can_be_left(setting: Any) -> None:
    table = setting(seats=5)
    async with table.running((50, 15)) as terminal:
        assert "60x20" in terminal.text
        assert "50x15" in terminal.text
        assert "left stack" not in terminal.text
        await terminal.press("q")
    assert table.app.return_code == 0


async def test_the_table_survives_a_change_of_size(setting: Any) -> None:
    table = setting(seats=5)
    async with table.running() as terminal:
        before = terminal.text
        for size in ((50, 15), (60, 20), (120, 40), (80, 24)):
            await terminal.pilot.resize_terminal(*size)
            await terminal.pilot.pause(0.1)
        await terminal.until(lambda: terminal.text == before)
        await terminal.press("enter")
        assert table.referee.action_count == 1


@pytest.mark.parametrize(("width", "is_shown"), [(99, False), (100, True)])
async def test_a_narrow_terminal_leaves_the_log_out(
    setting: Any, width: int, is_shown: bool
) -> None:
    table = setting(seats=5)
    async with table.running((width, 24)) as terminal:
        assert ("log" in terminal.board.plan.regions) is is_shown
        assert ("news" in terminal.board.plan.regions) is not is_shown


async def test_ascii_draws_the_board_with_ascii_only(setting: Any) -> None:
    table = setting(seats=5, glyphs="ascii")
    async with table.running() as terminal:
        assert terminal.text.isascii()
        await terminal.press("colon")
        assert "Type an action" in terminal.text
        assert terminal.text.isascii()


async def test_no_color_leaves_the_colours_to_the_terminal(
    setting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    table = setting(seats=5)
    async with table.running() as terminal:
        assert table.app.theme == "ansi-dark"
        assert "R14" in terminal.text
        assert all(style.color.is_default for style in terminal.styles if style.color)
        assert all(style.bgcolor.is_default for style in terminal.styles if style.bgcolor)


@pytest.mark.parametrize("size", [(80, 24), (20, 5)])
async def test_keys_do_not_act_on_a_hidden_table(setting: Any, size: tuple[int, int]) -> None:
    table = setting(seats=3)
    async with table.running() as terminal:
        await terminal.press("L" if size == (80, 24) else "end")
        await terminal.pilot.resize_terminal(*size)
        await terminal.pilot.pause()
        await terminal.press("e", "left", "1", "n")
        assert past_events(table.referee, 0) == []
        await terminal.press("escape")
        await terminal.pilot.resize_terminal(80, 24)
        await terminal.pilot.pause()
        await terminal.act()
        assert len(past_events(table.referee, 0)) == 1
