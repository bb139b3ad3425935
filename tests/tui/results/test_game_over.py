"""The end of a game at its table: its result opens and leads to replays and the next game."""

from pathlib import Path

import pytest
from tests.kit.waiting import until_holds

from cardhub.play.host.opening import NewGame, Opener
from cardhub.play.host.scheduler import LoopScheduler
from cardhub.play.host.table_host import Host
from cardhub.play.seating import Player
from cardhub.plugins.registry import find_plugins
from cardhub.tui.app import TableApp
from cardhub.tui.replay.screen import ReplayScreen
from cardhub.tui.results.screen import ResultScreen
from cardhub.tui.table.watch_screen import WatchScreen

PLAYERS = [Player("Anna", "random"), Player("Bob", "random")]


async def test_a_finished_game_leads_to_result_replay_and_the_same_deal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDHUB_HOME", str(tmp_path))
    opened: list[Host] = []
    opener = Opener(find_plugins(), LoopScheduler(), pace=0, is_inline=True)
    new = NewGame("kuhn", PLAYERS, seed=7, record=tmp_path / "game.jsonl")
    host = opener.start(new)
    app = TableApp(host, on_opened=opened.append)
    async with app.run_test(size=(80, 24)) as pilot:
        await until_holds(lambda: isinstance(app.screen, ResultScreen))
        await pilot.press("r")
        await until_holds(lambda: isinstance(app.screen, ReplayScreen))
        assert isinstance(app.screen, ReplayScreen)
        assert app.screen.replay.last == host.step
        await pilot.press("q")
        await until_holds(lambda: isinstance(app.screen, ResultScreen))
        await pilot.press("s")
        await until_holds(lambda: opened and app.screen is not app.screen_stack[0])
        [following] = opened
        assert isinstance(app.screen, WatchScreen | ResultScreen)
        assert [player.name for player in following.players] == ["Bob", "Anna"]
        assert (following.game, following.seed_text) == ("kuhn", "seed 7")
    following.close()
    host.close()
