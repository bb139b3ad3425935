"""A package that needs another version of cardhub is not imported, and says so."""

import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

import cardhub
from cardhub.base.errors import PluginError
from cardhub.plugins.groups import GAMES, PLUGINS
from cardhub.plugins.registry import find_plugins

Install = Callable[..., Path]
HERE = version("cardhub")


def test_cardhub_knows_its_version() -> None:
    assert cardhub.__version__ == HERE
    assert "__version__" in dir(cardhub)
    assert "__version__" not in cardhub.__all__


def test_the_version_is_read_when_it_is_asked_for() -> None:
    code = "import sys, cardhub; assert 'importlib.metadata' not in sys.modules; "
    code += "print(cardhub.__version__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == HERE


@pytest.mark.parametrize(
    "needs", ["cardhub>=9", "cardhub[web] (>=9)", "CardHub<0.0.1", f"cardhub!={HERE}"]
)
def test_a_package_that_needs_another_version_is_not_imported(install: Install, needs: str) -> None:
    groups = {GAMES: {"higher": "newer_game"}, PLUGINS: {"tools": "newer_game"}}
    install("newer", groups, needs, newer_game="raise SystemExit(9)")
    registry = find_plugins()
    with pytest.raises(PluginError) as error:
        registry.game("higher")
    assert str(error.value) == (
        f"plugin 'higher' of newer 1.0 needs {needs}, but this is cardhub {HERE}. "
        f"fix: install {needs}, or another version of newer"
    )
    errors = [s.error for s in registry.listed() if s.declared.distribution == "newer"]
    assert [error.partition(" needs ")[2] for error in errors] == [
        str(error.value).partition(" needs ")[2]
    ] * 2
    assert "newer_game" not in sys.modules


@pytest.mark.parametrize(
    "needs",
    [
        "cardhub",
        "cardhub[web]",
        f"cardhub>={HERE}",
        "cardhub>=9; extra == 'future'",
        "cardhub>=9; python_version < '3'",
        "cardhub-extras>=9",
        "cardhub is no requirement",
    ],
)
def test_a_package_with_a_satisfied_requirement_is_imported(
    install: Install, game_source: str, needs: str
) -> None:
    install("strange", {GAMES: {"higher": "higher_game"}}, needs, higher_game=game_source)
    assert find_plugins().game("higher").name == "higher"


def test_requirements_without_a_version_need_no_library(install: Install, game_source: str) -> None:
    site = install(
        "strange", {GAMES: {"higher": "higher_game"}}, "cardhub", higher_game=game_source
    )
    code = (
        "import sys; from cardhub.plugins.registry import find_plugins; "
        "find_plugins().game('higher'); print('packaging' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(site)!r}); {code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "False"
