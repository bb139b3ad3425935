"""Networks that games ship: the bot `trained` and the level `expert`, at tables that have one."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hatchling.builders.wheel import WheelBuilder
from tests.kit.paths import ROOT
from tests.learning.train.test_network import save_network

from cardhub.base.errors import BotError, PluginError
from cardhub.bots.asking import ask
from cardhub.learning.arrays import Layout
from cardhub.learning.learn.model_bot import network_files, shipped_network
from cardhub.learning.learn.model_file import load
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.bot_files import warm_up
from cardhub.plugins.registry import PluginRegistry, find_plugins

GAME = """
from cardhub import Seats
from kuhn import Kuhn

class Tiny(Kuhn):
    name, seats = "tiny", Seats(2, 3)
    networks = ("networks/two.net",)
    levels = {"expert": "trained"}
"""


@pytest.fixture
def registry(tmp_path: Path) -> PluginRegistry:
    """Return a registry with a game that ships a network for two players, which always bets."""
    (tmp_path / "tiny.py").write_text(GAME)
    (tmp_path / "networks").mkdir()
    registry = find_plugins([tmp_path])
    layout = Layout(registry.game("tiny"), 2)
    save_network(layout, tmp_path / "networks" / "two.net", [-9, 0, -9, 0])
    return registry


def test_the_level_expert_plays_the_network(registry: PluginRegistry) -> None:
    assert registry.levels("tiny")["expert"] == "trained"
    warm_up(registry, "expert", "tiny")
    players = [Player("Anna", "expert"), Player("Bob", "random")]
    deal = set_up(registry.game("tiny"), players, {}, seed=1)
    deal.proceed()
    bot = registry.make_bot("expert", "tiny", Random(1))
    actions = Counter(ask(bot, deal.observe(0)).chosen() for _ in range(20))
    assert [deal.observe(0).labels().label(action) for action in actions] == ["bet"]


def test_a_network_guides_a_search(registry: PluginRegistry) -> None:
    warm_up(registry, "ismcts:20,net=expert", "tiny")
    bot = registry.make_bot("ismcts:20,net=expert", "tiny", Random(1))
    deal = set_up(registry.game("tiny"), [Player("Anna", "x"), Player("Bob", "x")], {}, seed=1)
    deal.proceed()
    assert ask(bot, deal.observe(0)).chosen() in deal.observe(0).legal()


def test_a_game_without_networks_has_neither_the_bot_nor_the_level(
    registry: PluginRegistry,
) -> None:
    assert not registry.has_bot("trained", "kuhn")
    assert "expert" not in registry.levels("kuhn")
    for spec in ("trained", "expert", "ismcts:net=trained"):
        with pytest.raises(PluginError, match="kuhn ships no network"):
            registry.settings_of(spec, "kuhn")


def test_another_table_is_refused(registry: PluginRegistry) -> None:
    with pytest.raises(BotError, match=r"tiny ships no network for 3 players, only for 2 players"):
        warm_up(registry, "trained", "tiny", 3)
    # A level has another bot there.
    warm_up(registry, "expert", "tiny", 3)


def test_a_missing_file_is_reported(registry: PluginRegistry, tmp_path: Path) -> None:
    (tmp_path / "networks" / "two.net").unlink()
    with pytest.raises(BotError, match=r"two\.net cannot be read"):
        warm_up(registry, "expert", "tiny")


def test_shipped_networks_fit_their_games_and_are_in_the_wheel() -> None:
    registry = find_plugins()
    builder = WheelBuilder(str(ROOT))
    in_wheel = {Path(file.path) for file in builder.recurse_included_files()}
    shipped = {
        name: [*network_files(registry.game(name))] for name in ("gamon", "gargon", "garner")
    }
    assert all(shipped.values())
    assert not [path for path in in_wheel if path.suffix == ".training"]
    for name, paths in shipped.items():
        game = registry.game(name)
        assert {*paths} <= in_wheel
        assert sum(path.stat().st_size for path in paths) < 1_000_000
        for path in paths:
            layout, _ = load(path, game)
            assert shipped_network(game, layout.seats, layout.settings) == path
