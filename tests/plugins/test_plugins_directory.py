"""Files and packages of a plugins directory work like installed plugins."""

import os
import sys
from pathlib import Path

import pytest

from cardhub.base.errors import PluginError
from cardhub.play import Table
from cardhub.plugins.groups import GAMES, PLUGINS
from cardhub.plugins.registry import find_plugins, plugins_with
from kuhn import Kuhn


def test_a_file_is_a_game_of_its_name(folder: Path, game_source: str) -> None:
    """No package and no entry point are needed; the import happens on first use."""
    (folder / "higher.py").write_text(game_source)
    path, modules = sys.path[:], set(sys.modules)
    registry = find_plugins([folder])
    assert "higher" in registry.game_names()
    assert set(sys.modules) == modules
    assert registry.game("higher").title == "Higher"
    assert ("higher" not in sys.modules, sys.path) == (True, path)


def test_a_package_is_a_game_of_its_name(folder: Path, game_source: str) -> None:
    package = folder / "higher"
    package.mkdir()
    (package / "__init__.py").write_text('"""High."""\nfrom .game import Higher\n')
    (package / "game.py").write_text(game_source)
    registry = find_plugins([folder])
    assert [d.summarize() for d in registry.declared(GAMES) if d.name == "higher"] == ["High."]
    assert registry.game("higher").title == "Higher"


def test_programs_have_the_plugins_of_the_directories_that_the_variable_names(
    folder: Path, game_source: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A game that the command knows can be played from Python without being installed."""
    (folder / "higher.py").write_text(game_source)
    assert "higher" not in find_plugins().game_names()
    monkeypatch.setenv("CARDHUB_PLUGINS_DIR", os.pathsep.join([str(folder), str(tmp_path)]))
    assert "higher" in find_plugins().game_names()
    assert "higher" not in find_plugins([]).game_names()
    assert Table("higher", 2, seed=1).game.title == "Higher"
    assert "higher" in plugins_with(Kuhn()).game_names()


def test_the_error_for_a_package_that_imports_itself_absolutely_has_the_remedy(
    folder: Path,
) -> None:
    """The directory is not on the import path, so it cannot hide installed modules."""
    package = folder / "higher"
    package.mkdir()
    (package / "__init__.py").write_text("from higher.game import Higher")
    with pytest.raises(PluginError, match=r"No module named 'higher'.* relatively: from"):
        find_plugins([folder]).game("higher")


def test_a_file_of_bots_is_a_plugin_for_any_game(
    folder: Path, game_source: str, bots_source: str
) -> None:
    """The group of a file follows from the hooks in its source, without an import."""
    (folder / "higher.py").write_text(game_source)
    (folder / "shower.py").write_text(bots_source)
    registry = find_plugins([folder])
    assert "shower" not in registry.game_names()
    assert "shower" in [declared.name for declared in registry.declared(PLUGINS)]
    assert list(registry.bots_for("higher")) == sorted([*find_plugins().bots_for("kuhn"), "shower"])


def test_a_file_with_a_game_and_its_bots_is_both(
    folder: Path, game_source: str, bots_source: str
) -> None:
    """One file is enough for a game with an opponent."""
    (folder / "higher.py").write_text(game_source + bots_source)
    registry = find_plugins([folder])
    assert registry.game("higher").title == "Higher"
    assert list(registry.bots_for("higher")) == sorted([*find_plugins().bots_for("kuhn"), "shower"])


def test_a_broken_file_is_listed_and_is_an_error_when_named(folder: Path) -> None:
    """The message names the directory and, for a SyntaxError, the line."""
    (folder / "odd.py").write_text("x = (\n")
    registry = find_plugins([folder])
    assert "odd" in registry.game_names()
    with pytest.raises(
        PluginError, match=r"plugin 'odd' of .*plugins cannot .*SyntaxError.*line 1"
    ):
        registry.game("odd")


def test_a_file_with_the_name_of_one_of_cardhubs_games_is_ignored(folder: Path) -> None:
    """A game in a directory never replaces one of cardhub, and does not break it."""
    (folder / "gargon.py").write_text("raise SystemExit(9)")
    registry = find_plugins([folder])
    assert registry.game("gargon").title == "Gargon"
    (warning,) = registry.clashes()
    assert warning == f"game 'gargon' of {folder} is ignored: the name belongs to cardhub"


def test_other_files_are_not_plugins(folder: Path, game_source: str) -> None:
    """Notes, caches and folders without `__init__.py` are ignored."""
    (folder / "notes.txt").write_text("")
    (folder / "empty").mkdir()
    (folder / "not-a-name.py").write_text("")
    (folder / "higher.py").write_text(game_source)
    plugins = find_plugins([folder, folder])
    assert [d.name for d in plugins.declared(GAMES) if d.distribution == str(folder)] == ["higher"]
    assert plugins.clashes() == []
