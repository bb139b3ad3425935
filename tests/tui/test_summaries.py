"""The stop at the end of a round, and the summaries at the end of a game."""

from typing import Any

import pytest
from tests.games.magpie import Magpie, MagpieDisplay, Table
from textual import events
from typing_extensions import override

from cardhub import Names, Summary
from cardhub.tui.dialogs import dialog as summary_dialog
from cardhub.tui.dialogs.help_screen import HelpScreen
from cardhub.tui.table.play_screen import round_end_tag

TITLE = "The turn of "


class TurnMagpieDisplay(MagpieDisplay):
    """A game with a summary of each turn."""

    @override
    def summary(self, before: Table, action: int, after: Table, names: Names) -> Summary | None:
        if after.player == before.player:
            return None
        player = names.player(before.player)
        rows = [[names.player(seat), str(len(nest))] for seat, nest in enumerate(after.nest)]
        return Summary(f"{TITLE}{player}", rows)


class TurnMagpie(Magpie):
    """A game with a summary of each turn."""

    display_type = TurnMagpieDisplay


def shown(terminal: Any) -> list[str]:
    """Return the titles of the visible summaries, without the table around the box."""
    parts = [part for line in terminal.text.splitlines() for part in line.split("│")]
    return [part.strip() for part in parts if TITLE in part]


async def play_to_a_stop(terminal: Any) -> None:
    """Take marked actions until a summary is on the screen."""
    while not shown(terminal):
        await terminal.press("colon", "enter")
        await terminal.until(lambda: shown(terminal) or terminal.referee.seat == 0)
        await terminal.pilot.pause()


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_the_table_stops_at_the_end_of_a_round_until_a_key(
    setting: Any, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(summary_dialog, "GRACE", 60.0)
    table = setting(TurnMagpie(), seats=2, seed=3)
    async with table.running(size) as terminal:
        await play_to_a_stop(terminal)
        assert shown(terminal) == ["The turn of Anna"]
        # Not the prompt or the status of the turn that begins with the same step.
        await terminal.until(lambda: terminal.board.texts.turn == "THE TURN OF ANNA IS OVER")
        count = table.referee.action_count
        await terminal.press("x", "enter")
        assert shown(terminal) == ["The turn of Anna"]
        assert table.referee.action_count == count
        monkeypatch.setattr(summary_dialog, "GRACE", 0.0)
        await terminal.press("x")
        assert "The turn of Anna" not in shown(terminal)
        await terminal.until(lambda: table.referee.action_count > count)


@pytest.mark.parametrize("size", [(60, 20), (120, 40)])
async def test_the_box_of_a_stop_does_not_cut_the_line_of_keys(
    setting: Any, size: tuple[int, int]
) -> None:
    table = setting(TurnMagpie(), seats=2, seed=3)
    async with table.running(size) as terminal:
        await play_to_a_stop(terminal)
        *_, border, keys = terminal.text.splitlines()
        assert "╰" in border
        assert keys.startswith(" ? help")
        assert "╰" not in keys


async def test_the_question_mark_opens_help_in_front_of_a_stop(setting: Any) -> None:
    table = setting(TurnMagpie(), seats=2, seed=3)
    async with table.running() as terminal:
        await play_to_a_stop(terminal)
        count = table.referee.action_count
        await terminal.press("question_mark")
        assert isinstance(table.app.screen, HelpScreen)
        await terminal.press("escape")
        assert shown(terminal) == ["The turn of Anna"]
        assert table.referee.action_count == count


@pytest.mark.parametrize(
    ("title", "tag"),
    [
        ("Hand 3", "HAND 3 IS OVER"),
        ("Round 2: Anna wins one coin", "ROUND 2 IS OVER"),
        ("Anna fails with a bid of 3 and loses a disc", "ROUND OVER"),
    ],
)
def test_the_header_names_the_round_that_is_over(title: str, tag: str) -> None:
    assert round_end_tag(title) == tag


async def test_keys_pressed_faster_than_a_stop_closes_leave_the_table_alone(
    setting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second key arrives after the first one closed the stop."""
    monkeypatch.setattr(summary_dialog, "GRACE", 0.0)
    table = setting(TurnMagpie(), seats=2, seed=3)
    async with table.running() as terminal:
        await play_to_a_stop(terminal)
        *below, stop = table.app.screen_stack
        for _ in range(3):
            stop.post_message(events.Key("x", "x"))
        await terminal.until(lambda: not shown(terminal) or table.app.screen is not stop)
        await terminal.pilot.pause()
        assert table.app.screen_stack[: len(below)] == below
        assert table.app.return_code is None


async def test_a_stop_can_be_left(setting: Any) -> None:
    table = setting(TurnMagpie(), seats=2, seed=3)
    async with table.running() as terminal:
        await play_to_a_stop(terminal)
        await terminal.press("q")
    assert table.app.return_code == 0
    assert not table.referee.is_over


async def test_bots_alone_stop_for_a_time(setting: Any) -> None:
    table = setting(TurnMagpie(), humans=(), seats=2, seed=3, pace=0.1)
    async with table.running() as terminal:
        await terminal.until(lambda: shown(terminal) == ["The turn of Anna"])
        await terminal.until(lambda: shown(terminal) == ["The turn of Bob"])


async def test_bots_alone_without_a_pace_do_not_stop_and_the_result_lists_all_rounds(
    setting: Any,
) -> None:
    table = setting(TurnMagpie(), humans=(), seats=2, seed=3)
    async with table.running((80, 50)) as terminal:
        await terminal.until_shown("GAME OVER")
        await terminal.press("pagedown", "pagedown")
        titles = [line.strip("─ ") for line in terminal.text.splitlines() if TITLE in line]
        assert titles[:2] == ["The turn of Anna", "The turn of Bob"]


async def test_the_keys_of_a_long_result_are_in_sight_on_a_small_terminal(setting: Any) -> None:
    table = setting(TurnMagpie(), humans=(), seats=2, seed=3)
    async with table.running((60, 20)) as terminal:
        await terminal.until_shown("GAME OVER")
        await terminal.until_shown("enter again")
        assert "enter again" in terminal.text.splitlines()[-1]
        await terminal.press("end")
        assert "enter again" in terminal.text.splitlines()[-1]
