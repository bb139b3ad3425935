"""Themes and formats of plugins."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cardhub import Exporter, Theme
from cardhub.base.errors import PluginError
from cardhub.plugins.groups import PLUGINS
from cardhub.plugins.registry import find_plugins

Install = Callable[..., Path]
HOOKS = """
from cardhub import Exporter, Theme, hookimpl
@hookimpl
def register_themes():
    return [{themes}]
@hookimpl
def register_exporters():
    return [{exporters}]
"""


def source(themes: str = "", exporters: str = "") -> str:
    """Return the source of a plugin with these themes and formats."""
    return HOOKS.format(themes=themes, exporters=exporters)


def test_themes_and_formats_are_found_by_name(install: Install) -> None:
    """Each has the plugin that registers it; cardhub's own formats are found the same way."""
    dusk, odd = "Theme('dusk', 'dim', '#112233')", "Exporter('odd', 'is odd', str)"
    install("strange", {PLUGINS: {"odd": "odd_plugin"}}, odd_plugin=source(dusk, odd))
    registry = find_plugins()
    theme, declared = registry.themes(()).get("dusk")
    assert (theme.primary, declared.origin) == ("#112233", "strange 1.0")
    origins = {exporter.name: declared.origin for exporter, declared in registry.exporters()}
    assert origins["odd"] == "strange 1.0"
    assert origins["text"].startswith("cardhub ")


def test_the_same_name_twice_is_an_error_when_named(install: Install) -> None:
    both = "Theme('dusk', 'dim', '#112233')", "Exporter('odd', 'is odd', str)"
    groups = {PLUGINS: {"one": "one_plugin", "two": "two_plugin"}}
    install("strange", groups, one_plugin=source(*both), two_plugin=source(*both))
    themes, formats = find_plugins().themes(()), find_plugins().exporters()
    with pytest.raises(PluginError, match=r"theme 'dusk' is claimed twice: by plugin 'one'.*'two'"):
        themes.get("dusk")
    with pytest.raises(PluginError, match=r"format 'odd' is claimed twice: .* fix: leave one out"):
        formats.get("odd")
    assert len(themes.clashes()) == len(formats.clashes()) == 1
    assert {"csv", "text"} <= {exporter.name for exporter, _ in formats}


@pytest.mark.parametrize(
    ("hooks", "reason"),
    [
        (source("5"), "register_themes returned 5, which is no Theme"),
        (source("Theme"), "which is no Theme: return an object, not the class"),
        (
            source(exporters="str"),
            "which is no Exporter: return an object",
        ),
        (source("*2 * [Theme('a', '', '#112233')]"), "it registers the theme 'a' 2 times"),
        (source("", "*2 * [Exporter('a', '', str)]"), "it registers the format 'a' 2 times"),
        (source("Theme('a', '', 'blue')"), "primary of theme 'a' is 'blue', not a colour such as"),
        (source("1 / 0"), "failed in register_themes: ZeroDivisionError"),
    ],
)
def test_a_wrong_hook_leaves_other_plugins_usable(
    install: Install, hooks: str, reason: str
) -> None:
    """The warning names the plugin and the cause; formats of other plugins still work."""
    install("strange", {PLUGINS: {"odd": "odd_plugin"}}, odd_plugin=hooks)
    registry = find_plugins()
    assert {"csv", "text"} <= {exporter.name for exporter, _ in registry.exporters()}
    (warning,) = registry.warnings()
    assert warning.startswith("plugin 'odd' of strange 1.0")
    assert reason in warning
    with pytest.raises(PluginError, match=r"unknown format 'odd'(.|\n)*plugin 'odd' of strange"):
        registry.exporters().get("odd")  # it may be the one that had it


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"name": "two words"}, "invalid theme name 'two words': use letters, digits, - and _"),
        ({"name": "--theme"}, "invalid theme name '--theme'"),
        (
            {"accent": "#12345"},
            "accent of theme 'dusk' is '#12345', not a colour such",
        ),
        ({"background": 0}, "background of theme 'dusk' is 0, not a colour"),
        ({"cards": {"rde": "#112233"}}, "cards have no colour 'rde'. Did you mean 'red'? Colours:"),
        ({"cards": {"red": "reddish"}}, "red of theme 'dusk' is 'reddish', not a colour"),
    ],
)
def test_a_theme_is_checked_when_it_is_made(values: dict[str, Any], reason: str) -> None:
    """The traceback then shows the wrong line of the plugin."""
    with pytest.raises(ValueError, match=reason.replace("?", r"\?").replace("#", r"\#")):
        Theme(**({"name": "dusk", "summary": "dim", "primary": "#112233"} | values))


def test_a_format_is_checked_when_it_is_made() -> None:
    """The name has to be a word, and `export` callable."""
    with pytest.raises(ValueError, match="invalid format name"):
        Exporter("", "", str)
    with pytest.raises(ValueError, match="export of format 'odd': 'text' is not a function"):
        Exporter("odd", "", "text")  # type: ignore[arg-type]  # what is to be refused


def test_only_plugins_that_could_have_a_theme_are_imported_for_one(install: Install) -> None:
    """A plugin whose source does not contain the hook's name is not imported."""
    slow = "raise SystemExit(9)\ndef register_bots(): ..."
    points = {"slow": "slow_plugin", "all": "all_plugin", "dusk": "dusk_plugin"}
    modules = {"slow_plugin": slow, "all_plugin": "from dusk_plugin import *\n"}
    dusk = source("Theme('dusk', 'dim', '#112233')")
    install("strange", {PLUGINS: points}, **modules, dusk_plugin=dusk)
    registry = find_plugins()
    loaded = registry.common_plugins("register_themes")
    assert [plugin.declared.name for plugin in loaded] == ["all", "dusk"]
    assert registry.warnings() == []
