"""The bots of a game, and how a bot is made."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from cardhub.base.errors import BotError, PluginError
from cardhub.bots import RandomBot
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.groups import GAMES, PLUGINS
from cardhub.plugins.registry import find_plugins

Install = Callable[..., Path]
# Bots of cardhub itself, and of the plugins that come with it.
BUILT_IN = [*find_plugins().bots_for("kuhn")]
RULE = """
from cardhub import BotEntry, hookimpl
from cardhub.bots import RandomBot
@hookimpl
def register_bots():
    return [BotEntry("rule", "by rule of thumb", RandomBot, ("higher",))]
"""


@pytest.fixture
def strange(install: Install, game_source: str, bots_source: str) -> None:
    """Install a game without bots, a game with a rule-based bot, and bots for any game."""
    plain = game_source.replace('"higher"', '"plain"')
    groups = {GAMES: {"higher": "game", "plain": "plain"}, PLUGINS: {"bots": "bots"}}
    install("strange", groups, game=game_source + RULE, plain=plain, bots=bots_source)


@pytest.mark.usefixtures("strange")
def test_a_game_has_its_own_bots_and_the_bots_for_any_game() -> None:
    registry = find_plugins()
    assert list(registry.bots_for("higher")) == sorted([*BUILT_IN, "rule", "shower"])
    assert list(registry.bots_for("plain")) == sorted([*BUILT_IN, "shower"])


@pytest.mark.usefixtures("strange")
def test_the_default_opponent_is_the_rule_of_thumb_if_there_is_one() -> None:
    registry = find_plugins()
    assert (registry.default_bot("higher"), registry.default_bot("plain")) == ("rule", "medium")


@pytest.mark.usefixtures("strange")
def test_a_bot_is_made_with_the_generator_it_is_given() -> None:
    """Two bots with equal seeds choose equal actions."""
    bot = find_plugins().make_bot("random", "higher", Random(1))
    game = find_plugins().game("higher")
    referee = set_up(game, [Player("Anna", "random"), Player("Bob", "random")], {}, 1)
    observation = referee.observe(0)
    assert isinstance(bot, RandomBot)
    assert bot.choose(observation) in observation.legal()


@pytest.mark.usefixtures("strange")
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (
            "showr",
            r"unknown bot 'showr'\. Did you mean 'shower'\? Bots for plain: cfr, cmd, file, hasty,",
        ),
        (
            "picky",
            r"bot 'picky' plays bridge, not plain\. Bots for plain: cfr, cmd, file, hasty, ismcts",
        ),
        ("rule", r"bot 'rule' plays .*higher.*, not plain\."),
    ],
)
def test_a_bot_that_cannot_be_had_is_explained(name: str, reason: str) -> None:
    """A typo gets a suggestion; for a bot of another game the message names that game."""
    with pytest.raises(PluginError, match=reason):
        find_plugins().make_bot(name, "plain", Random(1))


def test_a_broken_common_plugin_leaves_the_other_bots(
    install: Install, game_source: str, bots_source: str
) -> None:
    """The error for an unknown bot mentions it: the bot may be defined there."""
    groups = {GAMES: {"higher": "game"}, PLUGINS: {"bots": "bots", "bad": "bad"}}
    install("strange", groups, game=game_source, bots=bots_source, bad="1 / 0  # register_bots")
    registry = find_plugins()
    assert list(registry.bots_for("higher")) == sorted([*BUILT_IN, "shower"])
    assert len(registry.warnings()) == 1
    with pytest.raises(PluginError, match=r"unknown bot 'mcts'(.|\n)*'bad' of strange 1.0 cannot"):
        registry.bot("mcts", "higher")


def test_two_bots_of_one_name_are_an_error_when_named(
    install: Install, game_source: str, bots_source: str
) -> None:
    groups = {GAMES: {"higher": "game"}, PLUGINS: {"one": "bots", "two": "again"}}
    install("strange", groups, game=game_source, bots=bots_source, again=bots_source)
    with pytest.raises(PluginError, match=r"bot 'shower' is claimed twice: by plugin 'one'.*'two'"):
        find_plugins().bot("shower", "higher")
    assert list(find_plugins().bots_for("higher")) == BUILT_IN


def test_a_bot_that_cannot_be_made_is_the_bots_fault(install: Install, game_source: str) -> None:
    """The error names the bot and the cause."""
    bots = RULE.replace("RandomBot, (", "lambda rng: 1 / 0, (")
    install("strange", {GAMES: {"higher": "game"}}, game=game_source + bots)
    with pytest.raises(BotError, match="bot 'rule' cannot be made: ZeroDivisionError"):
        find_plugins().make_bot("rule", "higher", Random(1))
