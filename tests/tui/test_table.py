"""Actions of people at the table, and the messages shown to them."""

from random import Random
from typing import Any

import pytest
from tests.games.magpie import Magpie

from cardhub.play.host.saved.preferences import Confirming, Preferences
from cardhub.play.table_messages import BeatView
from cardhub.tui import keys as key_repeat
from cardhub.tui.dialogs.dialog import MessageDialog
from cardhub.tui.dialogs.log_screen import LogScreen
from cardhub_gamon import Gamon
from cardhub_gargon import Gargon
from cardhub_gargon.table import DRAWING
from leduc import Leduc
from leduc.game import LeducDisplay


async def test_the_top_line_names_the_seat_to_act_and_its_prompt(setting: Any) -> None:
    table = setting(seats=3, pace=60)
    async with table.running() as terminal:
        assert terminal.text.startswith("▸ YOUR TURN  Lay 1 to 3 cards")
        await terminal.press("enter", "1")
        assert terminal.text.startswith("  Bob's turn  Lay 1 card, or pass")


async def test_an_action_is_typed_with_completion(setting: Any) -> None:
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
        assert "Anna lays R14" in terminal.text


async def test_a_typed_text_that_can_mean_several_actions_takes_none(setting: Any) -> None:
    table = setting(seats=3, pace=60)
    async with table.running() as terminal:
        await terminal.press("colon", *"lay", "enter")
        assert "'lay' could be lay " in terminal.text
        assert table.referee.action_count == 0
        await terminal.press("down", "enter")
        assert table.referee.action_count == 1
        await terminal.press("colon", *"r14", "enter")
        assert table.referee.action_count == 2


async def test_a_typed_illegal_action_is_refused_with_the_legal_ones(setting: Any) -> None:
    table = setting(seats=3)
    async with table.running() as terminal:
        await terminal.press("colon", *"dance", "enter")
        assert "'dance' is not one of the choices" in terminal.text
        assert "Choices: lay" in terminal.text
        await terminal.press("escape")
        assert "Type an action" not in terminal.text
        assert table.referee.seat == 0


async def test_a_card_with_several_actions_asks_which(setting: Any) -> None:
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
    table = setting(seats=3)
    async with table.running() as terminal:
        await terminal.press("enter")
        assert len(table.referee.observe(0).state.hand[0]) == 9
        await terminal.press("u")
        assert len(table.referee.observe(0).state.hand[0]) == 10
        assert "Anna takes back the last action" in terminal.text


async def test_undo_beyond_the_floor_is_refused_and_says_why(setting: Any) -> None:
    table = setting(seats=3)
    async with table.running() as terminal:
        await terminal.press("u")
        assert "You have not acted yet" in terminal.text


async def test_undo_while_a_bot_thinks_makes_its_answer_count_no_more(setting: Any) -> None:
    table = setting(seats=3, pace=2)
    async with table.running() as terminal:
        await terminal.press("enter", "1")
        assert table.referee.seat == 1
        await terminal.press("u")
        await terminal.pilot.pause(2.2)
        assert table.referee.seat == 0
        assert len(table.referee.observe(0).state.laid[1]) == 0


async def test_the_table_shows_through_behind_a_dialog(setting: Any) -> None:
    async with setting().running() as terminal:
        await terminal.press("question_mark")
        assert 0 < terminal.app.screen.styles.background.a < 1


@pytest.mark.parametrize(
    "keys", [("right", "down", "left", "up"), ("l", "j", "h", "k")], ids=["arrows", "hjkl"]
)
async def test_the_cursor_moves_by_arrows_and_by_hjkl(setting: Any, keys: tuple[str, ...]) -> None:
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


async def test_the_spot_at_the_cursor_is_explained_with_its_consequence(setting: Any) -> None:
    table = setting(seats=5)
    async with table.running() as terminal:
        assert "Dragon 0 · W0 · ×2 Doubles the amulets of its colour." in terminal.detail
        assert "Enter: lay." in terminal.detail
        assert "Then you may lay another card" in terminal.detail


async def test_a_card_is_drawn_at_any_card_of_a_stack(setting: Any) -> None:
    table = setting(seats=3, seed=2, pace=60)
    rng, referee = Random(1), table.referee
    while referee.seat or referee.observe(0).state.phase != DRAWING:
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
        referee.proceed()
    async with table.running() as terminal:
        await terminal.until(lambda: "Enter: take" in terminal.detail)
        stack = terminal.board.cursor
        assert stack.kind == "area"
        stops = terminal.board.frame.stops
        card = [s.spot for s in stops if (s.spot.kind, s.spot.area) == ("card", stack.area)][5]
        terminal.board.point_at(card)
        await terminal.until(lambda: "Enter: take" in terminal.detail)
        await terminal.press("w")
        await terminal.until(lambda: "take" in terminal.detail and "Enter" not in terminal.detail)
        assert "You cannot" not in terminal.detail
        count = table.referee.action_count
        await terminal.press("enter")
        assert table.referee.action_count > count


async def test_after_a_beat_the_card_at_the_cursor_is_described_again(setting: Any) -> None:
    table = setting(seats=3, pace=60)
    async with table.running() as terminal:
        await terminal.until(lambda: "Enter: lay." in terminal.detail)
        view = terminal.screen.session.view()
        terminal.screen._draw_beat(BeatView(step=1, seconds=60.0, view=view))
        terminal.screen.refresh_table()
        await terminal.until(lambda: "Enter: lay." in terminal.detail)


async def test_a_long_explanation_opens_in_full(setting: Any) -> None:
    table = setting(seats=3)
    text = " ".join(f"word{n}" for n in range(60))
    async with table.running((60, 20)) as terminal:
        terminal.screen.say(text)
        await terminal.pilot.pause()
        assert "… e" in terminal.text
        assert "word59" not in terminal.text
        assert "e read all" in terminal.text.splitlines()[-1]
        await terminal.press("e")
        assert "word59" in terminal.text


async def test_the_key_that_reads_all_is_in_the_footer_only_while_a_text_is_cut(
    setting: Any,
) -> None:
    table = setting(seats=3)
    async with table.running() as terminal:
        terminal.screen.say("word " * 60)
        await terminal.pilot.pause()
        assert terminal.text.splitlines()[-1].startswith(" e read all  ? help")
        await terminal.pilot.click(terminal.board, offset=(1, 23))
        await terminal.until(lambda: isinstance(terminal.app.screen, MessageDialog))
        await terminal.press("escape")
        terminal.screen.say("word")
        await terminal.pilot.pause()
        assert "read all" not in terminal.text


async def test_the_spot_under_the_mouse_is_explained(setting: Any) -> None:
    table = setting(seats=5)
    async with table.running() as terminal:
        before = terminal.board.cursor
        stop = terminal.legal_stops()[2]
        await terminal.pilot.hover(terminal.board, offset=(stop.box.x + 1, stop.box.y + 1))
        await terminal.pilot.pause()
        assert "Pegasus 4 · B4 · 3●" in terminal.detail
        assert terminal.board.cursor == before


async def test_a_click_points_and_a_second_one_acts(setting: Any) -> None:
    table = setting(seats=3, pace=60)
    async with table.running() as terminal:
        stop = terminal.legal_stops()[3]
        await terminal.click(stop)
        assert terminal.board.cursor == stop.spot
        assert table.referee.action_count == 0
        await terminal.click(terminal.stop(stop.spot))
        assert table.referee.action_count == 1


@pytest.mark.parametrize("width", [60, 80, 120])
async def test_the_footer_is_whole_and_can_be_clicked(setting: Any, width: int) -> None:
    table = setting(seats=3)
    async with table.running((width, 24)) as terminal:
        footer = terminal.text.splitlines()[-1]
        assert "q leave" in footer
        assert len(footer) <= width
        await terminal.pilot.click(terminal.board, offset=(footer.index("help"), 23))
        await terminal.until_shown("Your task")
        await terminal.press("escape")
        await terminal.pilot.click(terminal.board, offset=(footer.index("leave"), 23))
        await terminal.pilot.pause()
    assert table.app.return_code == 0


async def test_the_log_names_players_and_can_fill_the_screen(setting: Any) -> None:
    table = setting(seats=3, pace=60)
    async with table.running((60, 20)) as terminal:
        await terminal.press("enter", "L")
        assert isinstance(terminal.app.screen, LogScreen)
        assert "Anna lays" in terminal.text
        await terminal.press("escape")
        assert "left stack" in terminal.text


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_step_of_the_log_is_shown_until_any_key(
    setting: Any, size: tuple[int, int]
) -> None:
    table = setting(seats=3)
    async with table.running(size) as terminal:
        await terminal.press("enter", "1")
        assert await terminal.my_turn()
        count = table.referee.action_count
        if size[0] < 100:
            await terminal.press("L", "home", "enter")
        else:
            box = next(iter(terminal.board.frame.logged))
            await terminal.pilot.click(terminal.board, offset=(box.x + 5, box.y))
        await terminal.until_shown("▸ STEP ")
        assert not terminal.screen.shown_view.choices
        await terminal.press("enter")
        assert terminal.text.startswith("▸ YOUR TURN")
        terminal.screen.show_step(0)
        await terminal.until_shown("▸ THE DEAL")
        await terminal.press("enter")
        assert table.referee.action_count == count


async def test_tab_goes_through_the_regions(setting: Any) -> None:
    table = setting(seats=3)
    async with table.running() as terminal:
        seen = list[str]()
        for _ in range(8):
            stop = terminal.stop(terminal.board.cursor)
            seen.append(stop.region)
            await terminal.press("tab")
        assert len(set(seen)) >= 3
        assert seen[0] in seen[1:]


async def test_bots_act_no_faster_than_their_pace_until_skipped(setting: Any) -> None:
    table = setting(seats=3, pace=60)
    async with table.running() as terminal:
        await terminal.press("enter", "1")
        await terminal.pilot.pause(0.2)
        assert table.referee.seat == 1
        await terminal.press("full_stop")
        await terminal.my_turn()
        assert "YOUR TURN" in terminal.text


async def test_the_pace_can_be_changed(setting: Any) -> None:
    table = setting(seats=3, pace=0.6)
    async with table.running() as terminal:
        await terminal.press("minus")
        assert "0.9 s" in terminal.text
        await terminal.press("plus", "plus", "plus", "plus")
        assert "0.0 s" in terminal.text


async def test_cards_that_changed_since_the_own_action_are_marked(setting: Any) -> None:
    table = setting(seats=3)
    async with table.running() as terminal:
        await terminal.press("enter", "1")
        await terminal.my_turn()
        assert terminal.text.count("•") >= 2
        assert any(line.startswith("  •") for line in terminal.text.splitlines()[1:5])


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_leaving_needs_no_question(setting: Any, key: str) -> None:
    table = setting(seats=3)
    async with table.running() as terminal:
        await terminal.press(key)
    assert table.app.return_code == 0


async def test_two_quick_presses_act_twice(setting: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_repeat, "REPEAT_EVERY", 60.0)
    table = setting(seats=3, pace=60)
    async with table.running() as terminal:
        await terminal.press("enter", "enter")
        assert table.referee.action_count == 2


class CostlyLeducDisplay(LeducDisplay):
    """Leduc with a confirmation of each call."""

    needs_confirmation = ("call",)


class CostlyLeduc(Leduc):
    """Leduc with a confirmation of each call."""

    display_type = CostlyLeducDisplay


async def test_a_costly_action_is_confirmed(setting: Any) -> None:
    table = setting(CostlyLeduc(), seats=2, pace=60)
    async with table.running() as terminal:
        count = table.referee.action_count
        await terminal.press("colon", *"call", "enter")
        assert "This cannot be undone." in terminal.text
        await terminal.press("escape")
        assert table.referee.action_count == count
        await terminal.press("colon", *"call", "enter", "enter")
        assert table.referee.action_count == count + 1


@pytest.mark.parametrize(("confirms", "is_asked"), [("always", True), ("never", False)])
async def test_a_person_can_have_all_final_actions_confirmed_or_none(
    setting: Any, confirms: Confirming, is_asked: bool
) -> None:
    game = Leduc() if is_asked else CostlyLeduc()
    table = setting(game, seats=2, pace=60, preferences=Preferences(confirms=confirms))
    async with table.running() as terminal:
        count = table.referee.action_count
        await terminal.press("colon", *"call", "enter")
        assert ("This cannot be undone." in terminal.text) is is_asked
        assert table.referee.action_count == count + (not is_asked)


async def test_the_question_before_an_action_says_its_consequence(setting: Any) -> None:
    table = setting(CostlyLeduc(), seats=2, pace=60)
    async with table.running() as terminal:
        await terminal.press("colon", *"call", "enter")
        assert "You add no chips. This cannot be undone." in terminal.text


async def test_passing_in_gargon_and_crying_gamon_need_no_confirmation(setting: Any) -> None:
    for game, name in ((Gargon(), "pass"), (Gamon(), "gamon")):
        assert name in {group.verb for group in game.actions.groups}
        assert name not in game.display.needs_confirmation
