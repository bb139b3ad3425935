"""The examples at the terminal."""

from typing import Any

import pytest
from tests.examples.test_examples import GAMES

from cardhub.plugins.registry import find_plugins

# Options of a single deal, for games of many.
SHORT = {"gin_rummy": {"single": True}, "spades": {"target": 0}}


@pytest.mark.parametrize("name", GAMES)
async def test_a_person_plays_a_plugin_at_the_table(setting: Any, name: str) -> None:
    """The first turns and the last ones are played, up to the result."""
    game = find_plugins().game(name)
    seats = game.seats.low
    for left in (None, 3 * seats):
        table = setting(game, seats=seats, seed=4, options=SHORT.get(name), left=left)
        async with table.running() as terminal:
            turns = 0
            while (turns < 3 or left is not None) and await terminal.my_turn():
                await terminal.act()
                turns += 1
            if left is not None:
                await terminal.until_shown("GAME OVER")
                assert table.referee.scoring.unit in terminal.text
        assert turns or left is not None


def below_the_news(terminal: Any) -> str:
    """Return the text below the first lines of the log: a greeting and the news."""
    return "\n".join(terminal.text.splitlines()[3:])


async def test_the_cards_of_a_deal_are_not_marked_as_changed(setting: Any) -> None:
    table = setting(find_plugins().game("spades"), seats=4, seed=4)
    async with table.running() as terminal:
        await terminal.my_turn()
        assert "•" not in below_the_news(terminal)
        await terminal.act()
        while "•" not in below_the_news(terminal):
            await terminal.my_turn()
            await terminal.act()
