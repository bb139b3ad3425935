"""Actions of people at the table, and the messages shown to them."""

from typing import Any

import pytest
from tests.games.magpie import Magpie

from cardhub.tui.table_screen.board import Board
from cardhub.tui.table_screen.event_log import EventLog
from cardhub.tui.table_screen.table_messages import Pointed


async def test_the_top_line_names_the_seat_to_act_and_its_prompt(setting: Any) -> None:
    """A permanent prompt, with names."""
    table = setting(seats=3, pace=60)
    async with table.running() as terminal:
        assert terminal.text.startswith("Your turn, Anna: start the round with 1 to 3 cards")
        await terminal.press("enter", "1")
        assert terminal.text.startswith("Waiting for Bob (random): lay 1 card, or pass")


async def test_an_action_is_typed_with_completion(setting: Any) -> None:
    """Tab completes the marked action; enter takes it."""
    table = setting(seats=3, pace=60)
    async with table.running() as terminal:
        await terminal.press("colon")
        assert "Type an action" in terminal.text
        await terminal.press("r", "1", "4")
        assert "lay R14" in terminal.text
        assert "lay B4" not in terminal.text
        await terminal.press("tab")
        assert terminal.app.screen.query_one("Input").value == "lay R14"
        await terminal.press("enter")
        assert "laid 1 R14*" in terminal.text


async def test_a_typed_text_that_can_mean_several_actions_takes_none(setting: Any) -> None:
    """Nothing is guessed; an action marked by the arrow keys, or listed alone, is meant."""
    table = setting(seats=3, pace=60)
    async with table.running() as terminal:
        await terminal.press("colon", *"lay", "enter")
        assert "'lay' could be lay " in terminal.text
        assert "laid" not in terminal.text
        await terminal.press("down", "enter")
        assert "laid 1" in terminal.text
        await terminal.press("colon", *"r14", "enter")
        assert "laid 2" in terminal.text


async def test_a_typed_illegal_action_is_refused_with_the_legal_ones(setting: Any) -> None:
    """The box stays open and names the legal actions."""
    table = setting(seats=3)
    async with table.running() as terminal:
        await terminal.press("colon", *"dance", "enter")
        assert "'dance' is not legal now." in terminal.text
        assert "Legal: lay" in terminal.text
        await terminal.press("escape")
        assert "Type an action" not in terminal.text
        assert table.referee.seat == 0


async def test_a_card_with_several_actions_asks_which(setting: Any) -> None:
    """A card of Magpie is hidden or dropped."""
    table = setting(Magpie(), humans=("Anna", "Bob")[:1], seats=2)
    async with table.running() as terminal:
        await terminal.my_turn()
        while table.referee.observe(0).state.phase != 2:
            await terminal.press("1")
        await terminal.press("n", "enter")
        assert "Type an action" in terminal.text
        listed = [x for x in terminal.text.splitlines() if "│ hide" in x or "│ drop" in x]
        assert len(listed) == 2


async def test_undo_takes_back_the_own_action(setting: Any) -> None:
    """A card laid face down has revealed no information."""
    table = setting(seats=3)
    async with table.running() as terminal:
        await terminal.press("enter")
        assert "hand 9" in terminal.text
        await terminal.press("u")
        assert "laid" not in terminal.text.splitlines()[7]
        assert "Anna takes that back" in terminal.text


async def test_undo_beyond_the_floor_is_refused_and_says_why(setting: Any) -> None:
    """Before the first action, undo is refused."""
    table = setting(seats=3)
    async with table.running() as terminal:
        await terminal.press("u")
        assert "Anna cannot take anything back" in terminal.text


async def test_undo_while_a_bot_thinks_makes_its_answer_count_no_more(setting: Any) -> None:
    """The answer of a cancelled turn is dropped."""
    table = setting(seats=3, pace=0.3)
    async with table.running() as terminal:
        await terminal.press("enter", "1")
        assert table.referee.seat == 1
        await terminal.press("u")
        await terminal.pilot.pause(0.5)
        assert table.referee.seat == 0
        assert len(table.referee.observe(0).state.laid[1]) == 0


async def test_the_table_shows_through_behind_a_dialog(setting: Any) -> None:
    """The background of a dialog is translucent."""
    async with setting().running() as terminal:
        await terminal.press("question_mark")
        assert 0 < terminal.app.screen.styles.background.a < 1


@pytest.mark.parametrize("key", ["question_mark", "f1"])
async def test_help_shows_keys_and_rules(setting: Any, key: str) -> None:
    """Offline and in the game, on two keys, as many terminals keep F1 for themselves."""
    table = setting(seats=3)
    async with table.running() as terminal:
        await terminal.press(key)
        await terminal.until_shown("move the cursor")
        await terminal.press("end")
        await terminal.pilot.pause(0.2)
        assert "move the cursor" not in terminal.text
        assert "zero_tie_draw: off" in terminal.text
        await terminal.press("escape")
        assert "Your turn" in terminal.text


@pytest.mark.parametrize(
    "keys", [("right", "down", "left", "up"), ("l", "j", "h", "k")], ids=["arrows", "hjkl"]
)
async def test_the_cursor_moves_by_arrows_and_by_hjkl(setting: Any, keys: tuple[str, ...]) -> None:
    """Right and left follow the cards, up and down the lines."""
    table = setting(seats=3)
    async with table.running() as terminal:
        start = terminal.board.cursor
        right, down, left, up = keys
        await terminal.press(right)
        second = terminal.board.cursor
        assert second != start
        await terminal.press(left)
        assert terminal.board.cursor == start
        await terminal.press(up)
        assert terminal.board.cursor not in (start, second)
        await terminal.press(down)
        assert terminal.board.cursor == start


async def test_the_spot_at_the_cursor_is_explained(setting: Any) -> None:
    """Titles and texts need not be known by heart."""
    table = setting(seats=5)
    async with table.running() as terminal:
        text = " ".join(terminal.text.split())
        assert "Dragon 0, ×2. Doubles the amulets of its colour. (Anna: hand) [lay W0]" in text


async def test_a_long_explanation_opens_in_full(setting: Any) -> None:
    """It is clipped below the board, and shown in full in a dialog."""
    table = setting(seats=3)
    text = " ".join(f"word{n}" for n in range(60))
    async with table.running((60, 20)) as terminal:
        terminal.app.screen.post_message(Pointed(text))
        await terminal.pilot.pause()
        assert "(e: all)" in terminal.text
        assert "word59" not in terminal.text
        terminal.app.screen.post_message(Pointed(text, is_opened=True))
        await terminal.pilot.pause()
        assert "word59" in terminal.text


async def test_the_spot_under_the_mouse_is_explained(setting: Any) -> None:
    """One need not move the cursor to read about a card."""
    table = setting(seats=5)
    async with table.running() as terminal:
        stop = next(s for s in terminal.board.stops if s.is_legal and s.start > 10)
        await terminal.pilot.hover(terminal.board, offset=(stop.start + 1, stop.line))
        await terminal.pilot.pause()
        assert "B4 Pegasus 4, 3● (Anna: hand) [lay B4]" in terminal.text


async def test_the_footer_can_be_clicked(setting: Any) -> None:
    """Who has only a mouse finds the keys there."""
    table = setting(seats=3)
    async with table.running() as terminal:
        await terminal.pilot.click("Footer", offset=(3, 0))
        await terminal.until_shown("move the cursor")


async def test_the_log_names_players_and_can_fill_the_screen(setting: Any) -> None:
    """Names, not pronouns; L shows only the log, escape goes back."""
    table = setting(seats=3, pace=60)
    async with table.running((60, 20)) as terminal:
        await terminal.press("enter")
        assert "Anna lays" not in terminal.text
        await terminal.press("L")
        assert "Anna lays" in terminal.text
        assert terminal.app.screen.query_one(EventLog).has_focus
        await terminal.press("escape")
        assert terminal.app.screen.query_one(Board).has_focus
        assert "left stack" in terminal.text


async def test_tab_goes_to_the_log_and_back(setting: Any) -> None:
    """The log is scrolled with the same keys once it has the focus."""
    table = setting(seats=3)
    async with table.running() as terminal:
        await terminal.press("tab")
        assert terminal.app.screen.query_one(EventLog).has_focus
        await terminal.press("tab")
        assert terminal.app.screen.query_one(Board).has_focus


async def test_bots_act_no_faster_than_their_pace_until_skipped(setting: Any) -> None:
    """A full stop has them act at once until it is a person's turn."""
    table = setting(seats=3, pace=60)
    async with table.running() as terminal:
        await terminal.press("enter", "1")
        await terminal.pilot.pause(0.2)
        assert table.referee.seat == 1
        await terminal.press("full_stop")
        await terminal.my_turn()
        assert terminal.text.startswith("Your turn, Anna")


async def test_bots_can_be_paused_and_followed_step_by_step(setting: Any) -> None:
    """Who watches sets the pace: p stops and goes on, a full stop is one action."""
    table = setting(humans=(), seats=3, pace=0)
    async with table.running() as terminal:
        await terminal.press("p")
        assert terminal.text.startswith("Paused: p to go on, . for one step.")
        await terminal.pilot.pause(0.1)
        done = len(table.referee.observe(3).history)
        await terminal.pilot.pause(0.1)
        assert len(table.referee.observe(3).history) == done
        await terminal.press("full_stop")
        await terminal.pilot.pause(0.1)
        assert len(table.referee.observe(3).history) == done + 1
        await terminal.press("p")
        await terminal.until(lambda: table.referee.is_over)


async def test_the_pace_can_be_changed(setting: Any) -> None:
    """Plus is faster, minus slower; the new pace is said."""
    table = setting(seats=3, pace=0.6)
    async with table.running() as terminal:
        await terminal.press("minus")
        assert "0.9 s" in terminal.text
        await terminal.press("plus", "plus", "plus", "plus")
        assert "0.0 s" in terminal.text


async def test_cards_that_changed_since_the_own_action_are_marked(setting: Any) -> None:
    """The bots' changes are marked."""
    table = setting(seats=3)
    async with table.running() as terminal:
        await terminal.press("enter", "1")
        await terminal.my_turn()
        rows = [x for x in terminal.text.splitlines() if x.startswith(("  Bob", "  Chris"))]
        assert all("*" in row for row in rows)


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_leaving_needs_no_question(setting: Any, key: str) -> None:
    """The game is on disk already."""
    table = setting(seats=3)
    async with table.running() as terminal:
        await terminal.press(key)
    assert table.app.return_code == 0
