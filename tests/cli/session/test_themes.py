"""`cardhub themes`, and choosing one."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.shell_completion import ShellComplete
from click.testing import Result
from tests.cli.conftest import SAMPLES

from cardhub import Theme
from cardhub.cli.main import cli

Run = Callable[..., Result]


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Have tables opened nowhere, and return the themes they would have had."""
    themes: list[Any] = []

    def run_table(*_: Any, theme: Any, **__: Any) -> int:
        themes.append(theme)
        return 0

    monkeypatch.setattr("cardhub.cli.session.front_end.run_table", run_table)
    monkeypatch.setattr("cardhub.cli.session.front_end.is_terminal", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    return themes


def test_themes_are_listed_with_their_plugins(run: Run) -> None:
    themes = {
        theme["name"]: theme for theme in json.loads(run("themes", "--json", samples=True).stdout)
    }
    assert themes["textual-light"] | {"dark": False, "from": "Textual"} == themes["textual-light"]
    assert themes["dusk"] | {"dark": True, "summary": "blue before night"} == themes["dusk"]
    assert "dawn" in run("themes", samples=True).stdout


def test_a_theme_is_chosen_for_one_game_or_for_all(
    run: Run, shown: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    run("play", "gargon", "--theme", "dusk", samples=True)
    monkeypatch.setenv("CARDHUB_THEME", "dawn")
    run("resume", samples=True)
    run("resume", "--theme", "nord", samples=True)
    monkeypatch.setenv("CARDHUB_THEME", "")
    run("resume", samples=True)
    names = [theme.name if isinstance(theme, Theme) else theme for theme in shown]
    assert names == ["dusk", "dawn", "nord", None]


def test_a_mistyped_theme_gets_the_nearest_name(run: Run, home: Path) -> None:
    result = run("play", "gargon", "--theme", "dsuk", samples=True)
    assert (result.exit_code, result.stdout, (home / "games").exists()) == (2, "", False)
    assert "unknown theme 'dsuk'. Did you mean 'dusk'? Known: ansi-dark, " in result.stderr


def test_a_theme_that_textual_has_is_not_replaced(
    run: Run, tmp_path: Path, shown: list[Any]
) -> None:
    """The plugin's theme is left out, and the list of themes says so."""
    source = "from cardhub import Theme, hookimpl\n@hookimpl\ndef register_themes():\n"
    (tmp_path / "odd.py").write_text(source + "    return [Theme('nord', 'mine', '#000000')]\n")
    listed = run("--plugins-dir", tmp_path, "themes")
    assert "theme 'nord' of plugin 'odd' of " in listed.stderr
    assert "is ignored: the name belongs to Textual" in listed.stderr
    run("--plugins-dir", tmp_path, "play", "gargon", "--theme", "nord")
    assert shown == ["nord"]


def test_shells_complete_themes_and_formats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDHUB_PLUGINS_DIR", str(SAMPLES))
    shell = ShellComplete(cli, {}, "cardhub", "_CARDHUB_COMPLETE")

    def completed(*words: str, incomplete: str) -> list[str]:
        return [item.value for item in shell.get_completions(list(words), incomplete)]

    themes = completed("play", "gargon", "--theme", incomplete="d")
    assert themes == ["dark", "dawn", "dracula", "dusk"]
    assert completed("export", incomplete="t") == ["tally", "text"]
