"""Games of installed packages are found by entry point and imported on demand."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cardhub.base.errors import PluginError
from cardhub.plugins.groups import GAMES
from cardhub.plugins.registry import find_plugins

Install = Callable[..., Path]


def test_names_are_known_before_any_import(install: Install) -> None:
    """A listing reads declarations of packages and runs none of their code."""
    install("strange", {GAMES: {"higher": "higher_game"}}, higher_game="raise SystemExit(9)")
    assert "higher" in find_plugins().game_names()
    assert "higher_game" not in sys.modules


def test_a_package_that_is_installed_later_is_seen(install: Install, game_source: str) -> None:
    """The metadata of packages are read again as soon as a folder of the path has changed."""
    before = find_plugins()
    install("strange", {GAMES: {"higher": "higher_game"}}, higher_game=game_source)
    assert "higher" in find_plugins().game_names()
    assert "higher" not in before.game_names()
    install("stranger", {GAMES: {"lower": "higher_game"}})
    assert "lower" in find_plugins().game_names()


def test_only_the_game_that_is_named_is_imported(install: Install, game_source: str) -> None:
    """A broken game of another package does not matter."""
    points = {"higher": "higher_game", "broken": "broken_game"}
    install("strange", {GAMES: points}, higher_game=game_source, broken_game="raise ValueError")
    assert find_plugins().game("higher").title == "Higher"
    assert "broken_game" not in sys.modules


def test_an_entry_point_may_name_the_class_itself(install: Install, game_source: str) -> None:
    """`module:GameClass` needs no hook."""
    install("strange", {GAMES: {"higher": "higher_game:Higher"}}, higher_game=game_source)
    assert find_plugins().game("higher").name == "higher"


def test_the_error_for_an_unfinished_game_names_the_missing_methods(
    install: Install, game_source: str
) -> None:
    """The message lists the methods that are still to be written."""
    start = game_source.index("    def legal"), game_source.index("    def scores")
    source = game_source[: start[0]] + game_source[start[1] :]
    install("strange", {GAMES: {"higher": "higher_game:Higher"}}, higher_game=source)
    with pytest.raises(
        PluginError, match=r"of strange 1.0: Higher does not implement apply, legal$"
    ):
        find_plugins().game("higher")


def test_a_hook_may_return_the_games(install: Install, game_source: str) -> None:
    """`register_games` returns objects, which may be made with arguments."""
    hook = "\nfrom cardhub import hookimpl\n@hookimpl\ndef register_games():\n    return [Higher()]"
    install("strange", {GAMES: {"higher": "higher_game"}}, higher_game=game_source + hook)
    assert find_plugins().game("higher").name == "higher"


def test_a_summary_is_read_from_the_source(install: Install, game_source: str) -> None:
    """The first line of the module's or the class's docstring is read without an import."""
    points = {"a": "higher_game", "b": "higher_game:Higher", "c": "higher_game.deep", "d": "gone"}
    install("strange", {GAMES: points}, higher_game=game_source)
    summaries = {d.name: d.summarize() for d in find_plugins().declared(GAMES) if d.name in points}
    first = "A card each; the higher one wins."
    assert summaries == {"a": first, "b": "Turn up your card.", "c": "", "d": ""}
    assert "higher_game" not in sys.modules


def test_a_summary_is_found_deep_in_a_package(install: Install, game_source: str) -> None:
    site = install("strange", {GAMES: {"higher": "house.rooms.higher"}})
    (site / "house" / "rooms").mkdir(parents=True)
    (site / "house" / "__init__.py").write_text("raise SystemExit(9)")
    (site / "house" / "rooms" / "__init__.py").write_text("")
    (site / "house" / "rooms" / "higher.py").write_text(game_source)
    (declared,) = (d for d in find_plugins().declared(GAMES) if d.name == "higher")
    assert declared.summarize() == "A card each; the higher one wins."
    assert "house" not in sys.modules


def test_an_unknown_name_suggests_the_nearest_and_lists_the_rest(
    install: Install, game_source: str
) -> None:
    """The suggestion for `highr` is `higher`."""
    install("strange", {GAMES: {"higher": "higher_game"}}, higher_game=game_source)
    with pytest.raises(PluginError, match=r"'highr'\. Did you mean 'higher'\? Installed: .*higher"):
        find_plugins().game("highr")


@pytest.mark.parametrize(
    ("source", "cause"),
    [
        ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("def", "SyntaxError: "),
    ],
)
def test_a_broken_game_is_an_error_with_plugin_package_and_cause(
    install: Install, source: str, cause: str
) -> None:
    """The message names the package and the cause."""
    install("strange", {GAMES: {"higher": "higher_game"}}, higher_game=source)
    with pytest.raises(PluginError) as error:
        find_plugins().game("higher")
    assert str(error.value).startswith("plugin 'higher' of strange 1.0 cannot be imported: ")
    assert cause in str(error.value)


def test_a_name_that_two_packages_claim_is_an_error_only_when_it_is_named(
    install: Install, game_source: str
) -> None:
    install("strange", {GAMES: {"higher": "higher_game"}}, higher_game=game_source)
    install("stranger", {GAMES: {"higher": "higher_game"}})
    registry = find_plugins()
    claim = "game 'higher' is claimed twice: by plugin 'higher' of strange"
    with pytest.raises(PluginError, match=f"{claim}.* and by plugin 'higher' of stranger"):
        registry.game("higher")
    assert [claim in warning for warning in registry.clashes()] == [True]


def test_the_game_has_the_name_of_its_entry_point(install: Install, game_source: str) -> None:
    """Records and listings use the same name."""
    install("strange", {GAMES: {"lower": "higher_game"}}, higher_game=game_source)
    with pytest.raises(
        PluginError, match=r"'lower' of strange 1.0: it should .*registers 'higher'"
    ):
        find_plugins().game("lower")


def test_every_registered_game_has_an_entry_point(install: Install, game_source: str) -> None:
    second = "\nclass Lower(Higher):\n    name = 'lower'\n"
    points = {"higher": "higher_game"}
    install("strange", {GAMES: points}, higher_game=game_source + second)
    with pytest.raises(PluginError, match="game 'lower' has no entry point of that name in card"):
        find_plugins().game("higher")
    install("remedy", {GAMES: {"lower": "higher_game"}})
    assert find_plugins().game("lower").name == "lower"


def test_the_built_in_game_is_a_plugin_like_any_other() -> None:
    """Gargon is found through the entry point of its package."""
    declared = [d for d in find_plugins().declared(GAMES) if d.name == "gargon"]
    assert [(d.value, d.distribution) for d in declared] == [("cardhub_gargon", "cardhub")]
    assert find_plugins().game("gargon").title == "Gargon"
