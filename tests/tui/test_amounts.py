"""The number field for an amount at the table."""

from typing import Any

from textual.widgets import Input

from cardhub.tui.dialogs.amount_box import AmountBox
from holdem import Holdem
from holdem.table import RAISE

TABLE = {"game": Holdem(), "seats": 2, "options": {"hands": 1}}


def actions(terminal: Any) -> list[int]:
    """Return the actions so far."""
    return [step.action for step in terminal.referee.observe(0).history]


async def open_field(terminal: Any) -> Input:
    """Choose the raise of the first turn, and return the field."""
    await terminal.my_turn()
    await terminal.press("3")
    assert isinstance(terminal.app.screen, AmountBox)
    return terminal.app.screen.query_one(Input)


async def test_typed_digits_replace_the_least_amount_and_enter_takes_it(setting: Any) -> None:
    async with setting(**TABLE).running() as terminal:
        field = await open_field(terminal)
        assert field.value == "4"
        await terminal.press("3", "7", "enter")
        await terminal.until(lambda: RAISE.action(37) in actions(terminal))


async def test_arrows_change_the_amount_and_letters_choose_shortcuts(setting: Any) -> None:
    async with setting(**TABLE).running() as terminal:
        field = await open_field(terminal)
        await terminal.press("up", "up", "down")
        assert field.value == "5"
        await terminal.press("pageup")
        assert field.value == "14"
        await terminal.press("c")
        assert field.value == "100"
        await terminal.press("up")
        assert field.value == "100"


async def test_digits_go_to_the_field_if_the_focus_is_on_a_shortcut(setting: Any) -> None:
    async with setting(**TABLE).running() as terminal:
        field = await open_field(terminal)
        await terminal.press("tab")
        assert not field.has_focus
        await terminal.press("3", "7")
        assert field.value == "37"
        await terminal.press("tab", "shift+tab", "1")
        assert field.value == "1"
        await terminal.press("2", "enter")
        await terminal.until(lambda: RAISE.action(12) in actions(terminal))


async def test_an_all_in_is_confirmed_and_a_smaller_raise_is_not(setting: Any) -> None:
    async with setting(**TABLE).running() as terminal:
        await open_field(terminal)
        await terminal.press("c", "enter")
        await terminal.until(lambda: "Raise to 100?" in terminal.text)
        assert RAISE.action(100) not in actions(terminal)
        await terminal.press("enter")
        await terminal.until(lambda: RAISE.action(100) in actions(terminal))


async def test_an_amount_out_of_range_is_explained_and_escape_goes_back(setting: Any) -> None:
    async with setting(**TABLE).running() as terminal:
        await open_field(terminal)
        await terminal.press("3", "enter")
        assert "The amount must be from 4 to 100." in terminal.text
        await terminal.press("escape")
        assert terminal.app.screen is terminal.screen


async def test_tab_completes_a_range_to_the_word_before_its_amount(setting: Any) -> None:
    async with setting(**TABLE).running() as terminal:
        await terminal.my_turn()
        await terminal.press("colon", "r", "tab")
        field = terminal.app.screen.query_one(Input)
        assert field.value == "raise "
        await terminal.press("1", "2", "enter")
        await terminal.until(lambda: RAISE.action(12) in actions(terminal))


async def test_a_wrong_text_is_answered_in_one_line_of_choices(setting: Any) -> None:
    async with setting(**TABLE).running() as terminal:
        await terminal.my_turn()
        await terminal.press("colon", *"allin", "enter")
        text = " ".join(part.strip(" │") for part in terminal.text.splitlines())
        assert "'allin' is not one of the choices. Did you mean 'all-in'?" in text
        assert "Choices: fold, call 1, raise to 4–100" in text
        assert "raise to 5" not in text


async def test_the_box_for_typing_takes_an_amount(setting: Any) -> None:
    async with setting(**TABLE).running() as terminal:
        await terminal.my_turn()
        await terminal.press("colon", *"raise", "space", *"12", "enter")
        await terminal.until(lambda: RAISE.action(12) in actions(terminal))
