"""The help at the table: what is asked now, and the rules at the present phase."""

from typing import Any

import pytest
from tests.play.host.conftest import Table

from cardhub import Game
from cardhub.tui.dialogs.help_screen import cards_page, now_page, phase_line, words_page
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.text.glyphs import UNICODE
from cardhub_gamon import Gamon
from cardhub_gargon import Gargon
from cardhub_garner import Garner
from hearts import Hearts
from holdem import Holdem

PLACES = (
    (Gargon(), "laying", "**1. Laying.**"),
    (Gargon(), "fighting", "**2. Fighting, drawing.**"),
    (Gargon(), "drawing", "**2. Fighting, drawing.**"),
    (Gamon(), "prize", "**1. The prize.**"),
    (Gamon(), "calling", "**2. Turns: placing, calling, Gamon.**"),
    (Gamon(), "gamon", "**2. Turns: placing, calling, Gamon.**"),
    (Gamon(), "effect", "**3. Effects.**"),
    (Garner(), "lifting", "1. **Distribute** one number group"),
    (Garner(), "collecting", "2. **Collect** one whole suit group"),
    (Garner(), "leaving", "**Leaving.**"),
    (Hearts(), "passing", "1. Each player gets 13 cards, passes"),
)


@pytest.mark.parametrize(
    ("game", "phase", "start"), PLACES, ids=lambda value: value if isinstance(value, str) else ""
)
def test_the_rules_of_a_phase_are_found(game: Game[Any], phase: str, start: str) -> None:
    lines = game.display.rules().splitlines()
    assert lines[phase_line(lines, phase)].startswith(start)


def test_the_words_of_a_game_come_first() -> None:
    page = words_page(UNICODE, Holdem().display.rules().splitlines())
    assert page[0] == "# Words of this game"
    text = "\n".join(page)
    assert text.index("**Kicker**") < text.index("**Full house**") < text.index("# Marks")
    assert words_page(UNICODE, Hearts().display.rules().splitlines())[0] == "# Marks"


def test_rules_without_a_word_on_the_phase_open_at_their_beginning() -> None:
    assert phase_line(["# Game", "", "1. Lay a card."], "auction") == 0
    assert phase_line(["# Game", "", "1. Lay a card."], "") == 0


@pytest.mark.parametrize("key", ["question_mark", "f1"])
async def test_help_tells_what_is_asked_and_opens_the_rules_at_the_phase(
    setting: Any, key: str
) -> None:
    table = setting(seats=3, pace=60)
    async with table.running((80, 24)) as terminal:
        await terminal.press(key)
        assert "Lay 1 to 3 cards" in terminal.text
        await terminal.press("right")
        await terminal.until_shown("1. Laying.")
        rules = terminal.text.splitlines()
        (row,) = [number for number, line in enumerate(rules) if "1. Laying." in line]
        assert row <= 5
        await terminal.press("escape")
        assert "YOUR TURN" in terminal.text


def test_why_nothing_can_be_undone_is_a_sentence_with_one_full_stop() -> None:
    at = Table(people=(0, 1)).begin()
    model = at.host.model(0)
    why = model.table.why_no_undo
    assert why.endswith(".")
    page = now_page(model, model.view(), why)
    assert page[page.index("# Undo") + 2] == why
    assert page[page.index("# Seed") + 2] == model.seed()


def test_each_card_is_an_item_of_its_own_with_its_value() -> None:
    lines = cards_page(build_catalogue(Gamon()))
    assert "- Corsair, 3, +3 lie: +3 if the number called was not 3." in lines
    assert all(line.startswith("- ") for line in lines)
