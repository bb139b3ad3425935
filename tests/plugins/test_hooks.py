"""The return values of hooks, and the errors for invalid ones."""

from collections.abc import Callable
from pathlib import Path

import click
import pytest

from cardhub.base.errors import PluginError
from cardhub.plugins.groups import GAMES, PLUGINS
from cardhub.plugins.loading import add_commands
from cardhub.plugins.registry import find_plugins

Install = Callable[..., Path]
HOOK = "from cardhub import hookimpl\n@hookimpl\n"

# Bots of cardhub itself, and of the plugins that come with it.
BUILT_IN = [*find_plugins().bots_for("kuhn")]


@pytest.mark.parametrize(
    ("hook", "reason"),
    [
        (HOOK + "def register_gamez(): return []", "unknown hook 'register_gamez'"),
        (HOOK + "def register_games(rng): return []", "'rng'} are declared in the hookimpl but"),
        (
            HOOK + "def register_games(): return 5",
            "register_games returned 5, not a list of Game objects",
        ),
        (HOOK + "def register_games(): return [int]", "<class 'int'>, which is no Game"),
        (HOOK + "def register_games(): 1 / 0", "failed in register_games: ZeroDivisionError"),
        (HOOK + "def register_bots(): return ['rule']", "'rule', which is no BotEntry"),
        (HOOK + "def register_bots(): return 'rule'", "'rule', not a list of BotEntry objects"),
        (HOOK + "def register_bots(): pass", "returned None, not a list of BotEntry objects"),
        (HOOK + "def register_bots():\n    yield 1 / 0", "in register_bots: ZeroDivisionError"),
        ("def register_games(): return []", "register_games is missing the @hookimpl decorator"),
        (HOOK + "def register_commands(cli): pass", "only called in the group cardhub.plugins"),
        (HOOK + "def register_themes(): return []", "only called in the group cardhub.plugins"),
        (HOOK + "def register_exporters(): return []", "only called in the group cardhub.plugins"),
    ],
)
def test_a_wrong_hook_is_an_error_with_the_name_of_the_plugin(
    install: Install, game_source: str, hook: str, reason: str
) -> None:
    """Errors of pluggy look like errors of cardhub's checks."""
    install("strange", {GAMES: {"higher": "hooked"}}, hooked=f"{game_source}\n{hook}")
    with pytest.raises(PluginError) as error:
        find_plugins().game("higher")
    assert str(error.value).startswith("plugin 'higher' of strange 1.0")
    assert reason in str(error.value)


@pytest.mark.parametrize(
    ("hook", "line"),
    [
        ("def register_bots(): return 5", 2),
        ("def register_bots(): return [5]", 2),
        ("def register_bots():\n    return [int('five')]", 4),
        ("def register_bots(): return []\n1 / 0", 4),
        ("def register_bots(:", 3),
    ],
)
def test_an_error_says_in_which_line_of_the_plugin(install: Install, hook: str, line: int) -> None:
    """The message has `file:line`, which editors can open."""
    site = install("strange", {PLUGINS: {"odd": "odd_plugin"}}, odd_plugin=HOOK + hook)
    (listed,) = (listing for listing in find_plugins().listed() if listing.declared.name == "odd")
    assert f"({site / 'odd_plugin.py'}:{line})" in listed.error


def test_the_line_is_the_plugins_own_even_if_a_library_raised(install: Install) -> None:
    """The innermost frame of the plugin is shown, not the frame of the library it called."""
    source = "import json\nfrom cardhub import hookimpl\njson.loads('{')\n"
    site = install("strange", {PLUGINS: {"odd": "odd_plugin"}}, odd_plugin=source)
    (listed,) = (listing for listing in find_plugins().listed() if listing.declared.name == "odd")
    assert f"({site / 'odd_plugin.py'}:3)" in listed.error


def test_a_class_instead_of_a_game_is_explained(install: Install, game_source: str) -> None:
    """Returning the class is the most likely mistake; the message has the remedy."""
    hook = HOOK + "def register_games(): return [Higher]"
    install("strange", {GAMES: {"higher": "hooked"}}, hooked=f"{game_source}\n{hook}")
    with pytest.raises(PluginError, match="return an object, not the class"):
        find_plugins().game("higher")


def test_an_entry_point_to_another_object_is_an_error(install: Install, game_source: str) -> None:
    """The message shows the repr of the imported object."""
    install("strange", {GAMES: {"higher": "hooked:BACK"}}, hooked=game_source)
    with pytest.raises(PluginError, match=r"hooked:BACK is Back\(.*neither a module"):
        find_plugins().game("higher")


def test_games_of_a_common_plugin_are_refused(install: Install, game_source: str) -> None:
    """Games are looked up by entry point; the message names the right group."""
    hook = HOOK + "def register_games(): return [Higher()]"
    install("strange", {PLUGINS: {"any": "hooked"}}, hooked=f"{game_source}\n{hook}")
    listed = next(x for x in find_plugins().listed() if x.declared.name == "any")
    assert listed.plugin is None
    assert "register_games is only called in the group cardhub.games" in listed.error


def test_a_module_may_stand_in_both_groups(
    install: Install, game_source: str, bots_source: str
) -> None:
    """A game that also brings commands declares its module twice; its bots count once."""
    commands = HOOK + "def register_commands(cli):\n    cli.command('hello')(lambda: None)"
    groups = {GAMES: {"higher": "both"}, PLUGINS: {"higher-commands": "both"}}
    install("strange", groups, both=f"{game_source}\n{bots_source}\n{commands}")
    registry = find_plugins()
    assert registry.game("higher").name == "higher"
    assert list(registry.bots_for("higher")) == sorted([*BUILT_IN, "shower"])
    cli = click.Group("cli")
    for plugin in registry.common_plugins():
        add_commands(plugin, cli)
    assert list(cli.commands) == ["hello"]


def test_a_broken_plugin_is_one_line_of_a_listing(
    install: Install, game_source: str, bots_source: str
) -> None:
    """All other plugins are listed with their hooks, games and bots."""
    groups = {GAMES: {"higher": "good", "odd": "bad"}, PLUGINS: {"shower": "bots"}}
    install("strange", groups, good=game_source, bad="1 / 0", bots=bots_source)
    listed = {x.declared.name: x for x in find_plugins().listed()}
    assert "ZeroDivisionError" in listed["odd"].error
    good, bots = listed["higher"].plugin, listed["shower"].plugin
    assert good is not None
    assert bots is not None
    assert ([g.name for g in good.games], good.hooks) == (["higher"], ())
    assert ([b.name for b in bots.bots], bots.hooks) == (["shower", "picky"], ("register_bots",))
