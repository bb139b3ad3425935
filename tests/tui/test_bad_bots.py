"""Bots that fail at the table."""

from typing import Any

import pytest
from tests.kit.scripted_bot import ScriptedBot

from cardhub.base.errors import CardhubError, HiddenFaceError, SceneError


async def test_a_bot_that_raises_is_named_and_the_game_lives_on(setting: Any) -> None:
    """The text of its error is not shown, because it may quote cards."""
    table = setting(seats=3, bot=ScriptedBot(ValueError("no idea [/what]")))
    async with table.running() as terminal:
        await terminal.press("enter", "1")
        await terminal.until_shown("Bob (random) failed")
        assert "The bot Bob (random) raised an exception." in terminal.text
        assert "no idea" not in terminal.text
        assert table.referee.seat == 1
        await terminal.pilot.click("#retry")
        assert await terminal.my_turn()


async def test_a_bot_that_answers_illegally_is_named(setting: Any) -> None:
    """The legal actions are not listed, because they reveal the bot's hand."""
    table = setting(seats=3, bot=ScriptedBot(-7))
    async with table.running() as terminal:
        await terminal.press("enter", "1")
        await terminal.until_shown("Bob (random) failed")
        assert "The bot Bob (random) answered with an illegal action." in terminal.text
        assert "legal:" not in terminal.text.casefold()


async def test_the_exit_code_says_that_a_bot_failed_and_the_result_tells_why(setting: Any) -> None:
    table = setting(seats=3, bot=ScriptedBot(ValueError("tired")))
    async with table.running() as terminal:
        await terminal.press("enter", "1")
        await terminal.until_shown("Bob (random) failed")
        await terminal.press("q")
    assert table.app.return_code == 3
    fault = table.app.return_value
    assert str(fault) == "ValueError: tired"
    assert fault.fault == "exception"
    assert "Traceback" in fault.details


async def test_a_failure_that_was_looked_past_can_be_tried_again(setting: Any) -> None:
    table = setting(seats=3, bot=ScriptedBot(ValueError("tired")))
    async with table.running() as terminal:
        await terminal.press("enter", "1")
        await terminal.until_shown("Bob (random) failed")
        await terminal.press("escape")
        assert terminal.text.startswith("▸ Bob (random) failed")
        assert "Press . to try again, or q to leave" in terminal.text
        await terminal.press("full_stop")
        assert await terminal.my_turn()


@pytest.mark.parametrize("answer", [None, 1.0, [1]])
async def test_a_bot_that_answers_with_no_action_is_named(setting: Any, answer: object) -> None:
    table = setting(seats=3, bot=ScriptedBot(answer), pace=0.2)
    async with table.running() as terminal:
        await terminal.press("enter", "1")
        await terminal.until_shown("Bob (random) failed")
        assert "answered with an illegal action" in terminal.text
        await terminal.pilot.click("#retry")
        assert await terminal.my_turn()


async def test_a_bot_that_ends_the_program_only_fails(setting: Any) -> None:
    table = setting(seats=3, bot=ScriptedBot(SystemExit("enough")))
    async with table.running() as terminal:
        await terminal.press("enter", "1")
        await terminal.until_shown("Bob (random) failed")
        assert "raised an exception" in terminal.text


async def test_a_broken_table_shows_no_cards(setting: Any) -> None:
    """Tracebacks must not show values of variables: the referee's variables contain all cards."""
    table = setting(seats=3)
    async with table.running():
        try:
            hand = [f"the face of card {number}" for number in range(3)]
            raise LookupError(f"one of {len(hand)}")
        except LookupError:
            # Textual calls this private method for errors in the app, and prints the renderables.
            table.app._fatal_error()
        text = "".join(
            segment.text for part in table.app._exit_renderables for segment in part.segments
        )
        table.app._exit_renderables.clear()
    assert "LookupError: one of 3" in text
    assert "face of card 2" not in text


@pytest.mark.parametrize("kind", [SceneError, HiddenFaceError])
async def test_an_error_of_the_game_is_shown_without_a_traceback(
    setting: Any, kind: type[Exception]
) -> None:
    """Its message names the game's line and the remedy, which a traceback would hide."""
    table = setting(seats=3)
    async with table.running():
        try:
            raise kind("game.py:7: area 'won' shows tokens [99]. fix: list others")
        except CardhubError:
            table.app._fatal_error()
        segments = [s.text for part in table.app._exit_renderables for s in part.segments]
        table.app._exit_renderables.clear()
    text = " ".join("".join(segments).split())
    assert text.startswith("Error: game.py:7: area 'won' shows tokens [99]")
    assert "Traceback" not in text
