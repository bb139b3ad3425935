"""A whole game at the table on the screen."""

from random import Random

import pytest
from tests.tui.conftest import Setting

from cardhub.tui import keys as key_repeat
from cardhub_gamon import Gamon, RuleOfThumb


@pytest.fixture(autouse=True)
def quick_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat quick presses of a key as separate presses, not as a held key."""
    monkeypatch.setattr(key_repeat, "REPEAT_AFTER", 0.0)


async def test_a_whole_game_at_80_by_24() -> None:
    setting = Setting(Gamon(), seats=2, seed=4, bot=RuleOfThumb(Random(1)))
    moments = 0
    async with setting.running() as terminal:
        while await terminal.my_turn():
            if "Gamon, or believe?" in terminal.text:
                moments += 1
                assert " gamon" in terminal.text
                assert " believe" in terminal.text
            await terminal.act()
        await terminal.until_shown("GAME OVER")
    assert setting.referee.is_over
    assert moments > 5


async def test_a_cards_text_is_shown_on_focus() -> None:
    setting = Setting(Gamon(), seats=2, seed=5)
    async with setting.running() as terminal:
        await terminal.my_turn()
        await terminal.act()
        await terminal.until_shown("Place a card face down")
        texts = [card.text for card in Gamon().cards.faces if card.title in terminal.text]
        assert any(text.split(".")[0][:40] in terminal.text for text in texts if text)
