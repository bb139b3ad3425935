"""OpenSpiel's games on the screen: boards are clicked, cards and words are chosen."""

from typing import Any

from tests.openspiel.hands.hand_games import named

from cardhub_openspiel.imported.named_games import game_named

SIZE = (100, 30)


async def test_a_click_on_a_cell_acts_there(setting: Any) -> None:
    table = setting(game_named("openspiel:tic_tac_toe", "tic_tac_toe"), seats=2)
    async with table.running(SIZE) as terminal:
        assert await terminal.my_turn()
        before = len(table.referee.observe(0).history)
        stops = (stop.spot for stop in terminal.legal_stops())
        middle = next(spot for spot in stops if (spot.kind, spot.key) == ("site", 4))
        if middle != terminal.board.cursor:
            await terminal.click(terminal.stop(middle))
        assert terminal.board.cursor == middle
        assert len(table.referee.observe(0).history) == before
        await terminal.click(terminal.stop(middle))
        await terminal.until(lambda: len(table.referee.observe(0).history) > before)
        assert table.referee.observe(0).history[before].action == 4


async def test_a_card_game_with_hidden_actions_is_played_by_keyboard_alone(setting: Any) -> None:
    game = named("euchre")
    table = setting(game, seats=game.seats.low)
    async with table.running(SIZE) as terminal:
        for _ in range(5):
            assert await terminal.my_turn()
            await terminal.act()
