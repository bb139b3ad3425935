"""Hints at the table."""

from threading import Event
from typing import Any

import pytest
from tests.kit.scripted_bot import ScriptedBot

from cardhub.base.writing import capitalized
from cardhub.bots import Rated
from cardhub.model.hidden.observation import Observation
from cardhub.play.announcing.announcer import past_events
from cardhub.play.table_model import TableModel
from cardhub.tui.dialogs import handover_screen
from cardhub.tui.dialogs.log_screen import LogScreen
from cardhub.tui.table.hint_panel import HintPanel
from cardhub.view.view import AreaView, LogLine, View
from cardhub_garner import Garner
from hearts import Hearts

Seen = Observation[Any]


class Helper:
    """An adviser that rates the last action best; it may wait until it is interrupted."""

    def __init__(self, *, waits: bool = False) -> None:
        self._let_go = Event()
        if not waits:
            self._let_go.set()
        self.asked: list[Seen] = []

    def choose(self, observation: Seen, /) -> int:
        """Return the last legal action."""
        return observation.legal()[-1]

    def advise(self, observation: Seen, /) -> list[Rated]:
        """Return a rating for each legal action, after `interrupt` if it waits."""
        self.asked.append(observation)
        self._let_go.wait(60)
        legal = observation.legal()[::-1]
        return [Rated(action, 100 - n, 0.5 - n / 10) for n, action in enumerate(legal)]

    def interrupt(self) -> None:
        """Release a waiting `advise`."""
        self._let_go.set()


def new_lines(session: TableModel) -> list[LogLine]:
    """Return the new lines of the log, except lines about hints."""
    return [line for line in session.log() if line.is_new and line.kind != "hint"]


def new_cards(view: View) -> list[int]:
    """Return the tokens of cards that are marked as changed."""
    areas = [area for area in view.areas if isinstance(area, AreaView)]
    return [card.token for area in areas for card in area.cards if card.is_new]


async def hint_shown(terminal: Any) -> None:
    """Ask for a hint and wait for it."""
    await terminal.press("i")
    await terminal.until_shown("Hint by the helper bot")


async def test_a_hint_is_in_the_words_of_the_game_without_numbers(setting: Any) -> None:
    table = setting(seats=3, adviser=Helper())
    async with table.running() as terminal:
        seen = table.referee.observe(0)
        await hint_shown(terminal)
        best = seen.legal()[-1]
        labels = seen.labels(["Anna", "Bob", "Chris"])
        text = " ".join(terminal.text.replace("│", " ").split())
        name = labels.notation(best)
        assert f"1. {capitalized(name)}: {seen.game.display.hint(seen.state, best, labels)}" in text
        assert "About as good as “lay " in text
        assert "%" not in text


async def test_the_numbers_behind_a_hint_are_behind_a_key(setting: Any) -> None:
    table = setting(seats=3, adviser=Helper())
    async with table.running() as terminal:
        await hint_shown(terminal)
        await terminal.press("I")
        assert " 75 %" in terminal.text
        assert "0 % is lost, 100 % is won" in terminal.text
        await terminal.press("I")
        assert "%" not in terminal.text
        assert "About as good as " in terminal.text


def drawn_cards(terminal: Any) -> list[list[str]]:
    """Return the rows of each card in the hand, as they are on the screen."""
    rows = terminal.text.splitlines()
    boxes = [stop.box for stop in terminal.board.frame.stops if stop.region == "hand"]
    return [
        [row[box.x : box.x + box.width] for row in rows[box.y : box.y + box.height]]
        for box in boxes
    ]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_numbers_of_a_hint_hide_no_points_of_a_card(
    setting: Any, size: tuple[int, int]
) -> None:
    table = setting(Hearts(), seats=4, adviser=Helper())
    async with table.running(size) as terminal:
        before = drawn_cards(terminal)
        assert any("●" in rows[-1] for rows in before)
        await hint_shown(terminal)
        after = drawn_cards(terminal)
        assert [rows[0][1:] + rows[-1] for rows in after] == [
            rows[0][1:] + rows[-1] for rows in before
        ]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_hint_has_the_numbers_of_its_actions_at_the_cards(
    setting: Any, size: tuple[int, int]
) -> None:
    """The marks go with the hint."""
    table = setting(seats=3, adviser=Helper())

    def numbers(terminal: Any) -> list[str]:
        """Return the upper left corners of all cards in the hand."""
        return [rows[0][0] for rows in drawn_cards(terminal)]

    async with table.running(size) as terminal:
        assert not {"1", "2", "3"} & set(numbers(terminal))
        await hint_shown(terminal)
        assert {"1", "2", "3"} <= set(numbers(terminal))
        await terminal.press("i")
        assert not {"1", "2", "3"} & set(numbers(terminal))


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (120, 40)])
async def test_a_hint_leaves_the_hand_in_sight(setting: Any, size: tuple[int, int]) -> None:
    table = setting(seats=5, adviser=Helper())
    async with table.running(size) as terminal:
        await hint_shown(terminal)
        panel = terminal.screen.query_one(HintPanel).region
        plan = terminal.board.plan
        over = plan.box("log" if size[0] >= 100 else "fronts")
        assert panel.y == over.y or panel.bottom == plan.box("own_line").y
        assert panel.right == over.x + over.width
        assert panel.x >= over.x
        assert panel.bottom <= terminal.board.plan.box("own_line").y
        assert terminal.board.has_focus
        await terminal.press("enter")
        assert table.referee.observe(0).history[0].seat == 0
        assert "Hint by the helper bot" not in terminal.text


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_a_hint_about_a_board_leaves_the_board_in_sight(
    setting: Any, size: tuple[int, int]
) -> None:
    table = setting(Garner(), seats=2, adviser=Helper())
    async with table.running((100, 30)) as terminal:
        await hint_shown(terminal)
        await terminal.pilot.resize_terminal(*size)
        await terminal.pilot.pause()
        panel = terminal.screen.query_one(HintPanel).region
        board = terminal.board.plan.box("board")
        assert panel.x >= board.x + board.width or panel.y >= board.y + board.height
        assert "1. Lift " in terminal.text
        assert "Hint by the helper" in terminal.text


async def test_a_hint_does_not_hide_the_answer_to_a_key(setting: Any) -> None:
    table = setting(Garner(), seats=2, adviser=Helper())
    async with table.running((60, 20)) as terminal:
        for key, answer in (("w", "Your choices here"), ("F", "Turns with only one choice")):
            await hint_shown(terminal)
            assert "Hint by the helper" in terminal.text
            await terminal.press(key)
            assert answer in terminal.text
            assert "Hint by the helper" not in terminal.text


async def test_one_key_each_leads_to_the_log_a_hint_and_the_table(setting: Any) -> None:
    table = setting(seats=3, adviser=Helper())
    async with table.running((60, 20)) as terminal:
        await terminal.press("L")
        assert isinstance(terminal.app.screen, LogScreen)
        await hint_shown(terminal)
        assert terminal.app.screen is terminal.screen
        await terminal.press("L")
        assert "Hint by" not in terminal.text
        assert "asks for a hint" in terminal.text
        await terminal.press("L")
        assert "Hint by" not in terminal.text
        assert "▸ YOU" in terminal.text


@pytest.mark.parametrize("key", ["i", "escape"])
async def test_a_hint_can_be_put_away(setting: Any, key: str) -> None:
    table = setting(seats=3, adviser=Helper())
    async with table.running() as terminal:
        await hint_shown(terminal)
        await terminal.press(key)
        assert "Hint by the helper bot" not in terminal.text
        assert "Anna asks for a hint" in terminal.text


async def test_a_hint_is_marked_as_such(setting: Any) -> None:
    table = setting(seats=3, adviser=Helper())
    async with table.running() as terminal:
        await hint_shown(terminal)
        await terminal.press("i")
        await hint_shown(terminal)
    hints = [event for event in past_events(table.referee, 0) if event.kind == "hint"]
    assert [event.lines for event in hints] == [("Anna asks for a hint",)] * 2
    assert not any(event.kind == "hint" for event in past_events(table.referee, 1))


async def test_marks_of_changed_cards_outlast_a_hint(setting: Any) -> None:
    table = setting(seats=3, adviser=Helper())
    async with table.running() as terminal:
        await terminal.press("enter", "1")
        await terminal.my_turn()
        session = terminal.screen.session
        lines, cards = new_lines(session), new_cards(session.view())
        assert lines
        assert cards
        await hint_shown(terminal)
        assert new_lines(session) == lines
        assert new_cards(session.view()) == cards


async def test_a_hint_can_be_waited_for_or_not(setting: Any) -> None:
    helper = Helper(waits=True)
    table = setting(seats=3, adviser=helper)
    async with table.running() as terminal:
        await terminal.press("i")
        await terminal.until_shown("thinking ·")
        await terminal.press("right")
        await terminal.press("i")
        assert "thinking" not in terminal.text
        await terminal.pilot.pause(0.1)
        assert "Hint by" not in terminal.text
    assert past_events(table.referee, 0) == []


async def test_who_acts_waits_for_no_hint(setting: Any) -> None:
    """The answer would be about another state."""
    helper = Helper(waits=True)
    table = setting(seats=3, adviser=helper)
    async with table.running() as terminal:
        await terminal.press("i", "enter")
        assert table.referee.action_count == 1
        await terminal.pilot.pause(0.1)
        assert "Hint" not in terminal.text.rpartition("\n")[0]
    assert [event.kind for event in past_events(table.referee, 0)] == ["action"]


async def test_a_hint_can_be_had_at_once(setting: Any) -> None:
    table = setting(seats=3, adviser=Helper(waits=True))
    async with table.running() as terminal:
        await terminal.press("i")
        await terminal.until_shown("thinking ·")
        await terminal.press("full_stop")
        await terminal.until_shown("Hint by the helper bot")


async def test_a_bot_without_ratings_gives_hints_too(setting: Any) -> None:
    table = setting(seats=3)
    async with table.running() as terminal:
        await hint_shown(terminal)
        assert "1. Lay " in terminal.text
        assert "tries" not in terminal.text
        assert "%" not in terminal.text


async def test_a_hint_that_fails_says_why(setting: Any) -> None:
    table = setting(seats=3, adviser=ScriptedBot(ValueError("no idea [/what]")))
    async with table.running() as terminal:
        await terminal.press("i")
        await terminal.until_shown("No hint: helper failed")
        assert "no idea" in terminal.text
        assert "[/what]" in terminal.text
        await terminal.press("enter")
        assert table.referee.action_count == 1
    assert all(event.kind != "hint" for event in past_events(table.referee, 0))


async def test_a_hint_knows_no_more_than_who_asks(setting: Any) -> None:
    """The bot gets only the viewer's observation."""
    helper = Helper()
    table = setting(seats=3, adviser=helper)
    async with table.running() as terminal:
        await hint_shown(terminal)
    (seen,) = helper.asked
    assert seen.seat == 0
    assert seen.information_state() == table.referee.observe(0).information_state()


async def test_there_is_no_hint_out_of_turn(setting: Any) -> None:
    helper = Helper()
    table = setting(seats=3, pace=60, adviser=helper)
    async with table.running() as terminal:
        await terminal.press("enter", "1")
        await terminal.press("i")
        assert "It is not your turn." in terminal.text
    assert helper.asked == []


async def test_the_next_person_does_not_see_the_hint(
    setting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handover_screen, "GRACE", 0)
    table = setting(humans=("Anna", "Bob"), seats=3, adviser=Helper())
    async with table.running() as terminal:
        await terminal.until_shown("Pass to Anna")
        await terminal.press("x")
        await hint_shown(terminal)
        await terminal.press("enter", "1")
        await terminal.until_shown("Pass to Bob")
        await terminal.press("x")
        assert terminal.text.startswith("▸ Bob's turn")
        assert "Hint by" not in terminal.text
        assert "asks for a hint" not in terminal.text


async def test_ascii_is_enough_for_a_hint(setting: Any) -> None:
    table = setting(seats=3, glyphs="ascii", adviser=Helper(waits=True))
    async with table.running() as terminal:
        await terminal.press("i")
        await terminal.until_shown("thinking .")
        assert terminal.text.isascii()
        await terminal.press("full_stop")
        await terminal.until_shown("Hint by the helper bot:")
        assert terminal.text.isascii()
