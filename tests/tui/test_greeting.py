"""The greeting in the log of a table, until the person acts."""

from typing import Any

from cardhub_gargon import Gargon
from hearts import Hearts

RULES = "Press ? for the rules and the keys."
LESSON = "New to Gargon? Your first hand with comments: cardhub learn gargon"


async def test_a_person_who_has_not_acted_reads_how_to_get_the_rules(setting: Any) -> None:
    async with setting(Gargon(), seats=3, seed=1).running() as terminal:
        await terminal.until_shown(RULES)
        assert LESSON in terminal.text
        await terminal.act()
        await terminal.until(lambda: RULES not in terminal.text)
        assert LESSON not in terminal.text


async def test_a_game_without_a_lesson_names_none(setting: Any) -> None:
    async with setting(Hearts(), seats=4, seed=1).running() as terminal:
        await terminal.until_shown(f"The fewest points win. {RULES}")
        assert "cardhub learn" not in terminal.text
