"""Methods of a game's classes take the arguments with which cardhub calls them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cardhub.base.errors import PluginError
from cardhub.model.game.parts import signature_fault
from cardhub.plugins.groups import GAMES
from cardhub.plugins.registry import find_plugins

Install = Callable[..., Path]
DISPLAY = """
from cardhub import Display

class OldDisplay(Display):
    def scene(self, state, viewer, names):
        return None
"""
REASON = (
    r"OldDisplay has scene\(self, state, viewer, names\), "
    r"but cardhub calls scene\(self, state, viewer\)"
)


def with_display(game_source: str, setting: str) -> str:
    """Return the source of the game with a setting for its display."""
    line = "    display_type = HigherDisplay\n"
    assert line in game_source
    return game_source.replace(line, f"    display_type = {setting}\n")


def test_a_game_whose_scene_takes_other_arguments_is_refused_when_it_is_loaded(
    install: Install, game_source: str
) -> None:
    source = DISPLAY + with_display(game_source, "OldDisplay")
    site = install("old", {GAMES: {"higher": "old_game"}}, old_game=source)
    with pytest.raises(PluginError, match=f"old_game.py:5: {REASON}"):
        find_plugins().game("higher")
    assert (site / "old_game.py").read_text().splitlines()[4].startswith("    def scene(")


def test_a_display_that_is_imported_late_is_refused_then_and_in_the_listing(
    install: Install, game_source: str
) -> None:
    source = with_display(game_source, "'old_display:OldDisplay'")
    install("old", {GAMES: {"higher": "old_game"}}, old_game=source, old_display=DISPLAY)
    registry = find_plugins()
    game = registry.game("higher")
    with pytest.raises(PluginError, match=f"old_display.py:5: {REASON}"):
        _ = game.display
    (status,) = (status for status in registry.listed() if status.declared.name == "higher")
    assert "old_display.py:5: OldDisplay has scene(" in status.error


def test_a_method_of_the_rules_with_other_arguments_is_refused(
    install: Install, game_source: str
) -> None:
    source = game_source.replace("def scores(self, state", "def scores(self, state, options", 1)
    assert source != game_source
    install("old", {GAMES: {"higher": "old_game"}}, old_game=source)
    with pytest.raises(PluginError, match=r"Higher has scores\(self, state, options\)"):
        find_plugins().game("higher")


def test_methods_of_a_compiled_contract_are_compared_too() -> None:
    """The methods of compiled classes are like these of `str`."""

    class Short(str):
        __slots__ = ()

        def partition(self) -> tuple[str, str, str]:  # type: ignore[override]  # the fault
            return "", "", ""

    class Long(str):
        __slots__ = ()

        def partition(self, sep: str, /, *more: int) -> tuple[str, str, str]:
            return sep, "", ""

    fault = "Short has partition(self), but cardhub calls partition(self, sep)"
    assert fault in signature_fault(Short, str)
    assert signature_fault(Long, str) == ""


def test_compiled_methods_without_a_signature_are_not_compared() -> None:
    """A build adds such methods to classes."""

    class Deep(dict[str, int]):
        def copy(self, depth: int) -> dict[str, int]:  # type: ignore[override]  # other arguments
            return {"depth": depth}

    assert vars(dict)["copy"].__text_signature__ is None
    assert signature_fault(Deep, dict) == ""


def test_further_arguments_with_defaults_are_accepted(install: Install, game_source: str) -> None:
    source = game_source.replace(
        "def scores(self, state", "def scores(self, state, options=(), *more", 1
    )
    assert source != game_source
    install("new", {GAMES: {"higher": "new_game"}}, new_game=source)
    assert find_plugins().game("higher").name == "higher"
