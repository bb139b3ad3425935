"""Names of cardhub's games, bots and levels are reserved: a plugin that claims one loses it."""

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from cardhub.bots import RandomBot
from cardhub.plugins.bot_index import ADVISER, STAND_INS, USUAL
from cardhub.plugins.groups import GAMES, PLUGINS
from cardhub.plugins.registry import find_plugins

Install = Callable[..., Path]
OWN_GAMES = ("gargon", "gamon", "garner")
CLAIMS = """
from cardhub import BotEntry, Exporter, GameCollection, hookimpl

def fail(*arguments):
    raise SystemExit("claimed")

@hookimpl
def register_bots():
    return [BotEntry(name, "claims it", fail) for name in {names}]

@hookimpl
def register_exporters():
    return [Exporter("csv", "claims it", fail)]

@hookimpl
def register_collections():
    return [GameCollection("openspiel", "claims it", fail)]
"""


@pytest.fixture
def claiming(install: Install) -> None:
    """Install a plugin that claims names of cardhub's bots, formats and collections."""
    names = ("random", "ismcts", "rule", *STAND_INS, "thief")
    source = CLAIMS.format(names=names)
    install("thief", {PLUGINS: {"thief": "thief_plugin"}}, thief_plugin=source)


@pytest.mark.usefixtures("claiming")
@pytest.mark.parametrize("game", OWN_GAMES)
def test_bots_and_levels_of_cardhub_play_though_a_plugin_claims_their_names(game: str) -> None:
    registry = find_plugins()
    assert isinstance(registry.make_bot("random", game, Random(1)), RandomBot)
    assert {*registry.levels(game), ADVISER} >= {*USUAL}
    assert registry.default_bot(game) == "rule"
    origin = registry.origin("rule", game)
    assert origin is not None
    assert origin.is_own


@pytest.mark.usefixtures("claiming")
def test_names_of_cardhub_are_found_without_an_import_of_other_plugins() -> None:
    registry = find_plugins()
    for spec in ("random", "rule", "ismcts:30", *USUAL):
        for game in OWN_GAMES:
            registry.settings_of(spec, game)
            assert len(list(registry.parts(spec, game))) > 0
            registry.default_hint(game)
    assert "thief_plugin" not in sys.modules
    assert registry.has_bot("thief", "gargon")
    assert "thief_plugin" in sys.modules


@pytest.mark.usefixtures("claiming")
def test_a_plugin_that_claims_names_of_cardhub_keeps_its_other_bots_and_is_a_warning() -> None:
    registry = find_plugins()
    assert registry.has_bot("thief", "gargon")
    ignored = "of plugin 'thief' of thief 1.0 is ignored: the name belongs to"
    owners = dict.fromkeys(STAND_INS, "the levels")
    owners |= dict.fromkeys(("random", "rule", "ismcts"), "cardhub")
    expected = sorted(f"bot {name!r} {ignored} {owner}" for name, owner in owners.items())
    assert registry.bot_clashes("gargon") == expected
    (status,) = (status for status in registry.listed() if status.declared.name == "thief")
    assert status.error == ""
    assert [s.declared.name for s in registry.listed() if s.declared.is_own and s.error] == []


@pytest.mark.usefixtures("claiming")
def test_formats_and_collections_of_cardhub_belong_to_cardhub() -> None:
    registry = find_plugins()
    exporters, collections = registry.exporters(), registry.collections()
    assert exporters.get("csv")[1].is_own
    assert collections.get("openspiel")[1].is_own
    for warning in (*exporters.clashes(), *collections.clashes()):
        assert warning.endswith("is ignored: the name belongs to cardhub")
    assert len(exporters.clashes()) == len(collections.clashes()) == 1


@pytest.mark.parametrize("game", OWN_GAMES)
def test_a_game_of_cardhub_is_played_though_a_plugin_claims_its_name(
    install: Install, game: str
) -> None:
    points = {GAMES: {game: "thief_game"}, PLUGINS: {"formats": "thief_game"}}
    install("thief", points, thief_game="raise SystemExit(9)")
    registry = find_plugins()
    assert registry.game(game).name == game
    assert registry.exporters().get("text")[1].is_own
    warning = f"game {game!r} of thief 1.0 is ignored: the name belongs to cardhub"
    assert warning in registry.clashes()
    statuses = [s for s in registry.listed() if s.declared.distribution == "thief"]
    assert [s.error.endswith("the name belongs to cardhub") for s in statuses] == [True, True]
    assert "thief_game" not in sys.modules


def test_the_rule_bot_of_a_game_belongs_to_the_games_own_plugin(
    install: Install, game_source: str
) -> None:
    bot = """
from cardhub import BotEntry, hookimpl
from cardhub.bots import RandomBot
@hookimpl
def register_bots():
    return [BotEntry("rule", "{}", RandomBot)]
"""
    groups = {GAMES: {"higher": "higher_game"}}
    install("strange", groups, higher_game=game_source + bot.format("its own"))
    install("thief", {PLUGINS: {"thief": "thief_plugin"}}, thief_plugin=bot.format("claims it"))
    registry = find_plugins()
    assert registry.bot("rule", "higher").summary == "its own"
    (warning,) = registry.bot_clashes("higher")
    assert warning.endswith("is ignored: the name belongs to the game 'higher'")


def test_a_plugin_without_bots_is_not_imported_for_a_game(
    install: Install, game_source: str
) -> None:
    commands = "import click\n@hookimpl\ndef register_commands(cli): pass\n"
    groups = {GAMES: {"higher": "higher_game"}, PLUGINS: {"tools": "slow_tools"}}
    install("strange", groups, higher_game=game_source, slow_tools=commands)
    registry = find_plugins()
    assert "shower" not in registry.bots_for("higher")
    registry.levels("higher")
    assert "slow_tools" not in sys.modules
