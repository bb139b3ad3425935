"""Collections: games made on demand by name."""

from pathlib import Path

import pytest

from cardhub.base.errors import PluginError
from cardhub.plugins.registrations import GameCollection
from cardhub.plugins.registry import find_plugins

SOURCE = """
from cardhub import Game, hookimpl
from cardhub.base.errors import PluginError
from cardhub.plugins.registrations import GameCollection
from kuhn import Kuhn


def make(name, rest):
    if rest == "broken":
        return 7
    if rest == "other":
        return Kuhn()
    if rest != "kuhn":
        raise PluginError(f"there is no {rest!r}; there is kuhn")

    class Named(Kuhn):
        pass

    Named.name = name
    return Named()


@hookimpl
def register_collections():
    return [GameCollection("old", "old games", make)]
"""


def test_a_game_of_a_collection_is_made_when_it_is_named(tmp_path: Path) -> None:
    """The game is made once; bots for any game play it."""
    (tmp_path / "museum.py").write_text(SOURCE, "utf-8")
    registry = find_plugins([tmp_path])
    assert registry.is_game("old:kuhn")
    game = registry.game("old:kuhn")
    assert (game.name, game.title) == ("old:kuhn", "Kuhn poker")
    assert registry.game("old:kuhn") is game
    assert {"random", "ismcts"} <= set(registry.bots_for("old:kuhn"))
    assert "old:kuhn" not in registry.game_names()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("old:maid", "there is no 'maid'; there is kuhn"),
        ("odl:kuhn", r"unknown collection of games 'odl'\. Did you mean 'old'\?"),
        ("old:broken", "should make a game called 'old:broken', but made 7"),
        ("old:other", "but made a game called 'kuhn'"),
    ],
)
def test_a_game_that_a_collection_cannot_make_is_an_error(
    tmp_path: Path, name: str, reason: str
) -> None:
    """The error comes from the collection, or from the check of its result."""
    (tmp_path / "museum.py").write_text(SOURCE, "utf-8")
    with pytest.raises(PluginError, match=reason):
        find_plugins([tmp_path]).game(name)


def test_two_collections_of_one_name_are_an_error_when_used(tmp_path: Path) -> None:
    for name in ("museum", "attic"):
        (tmp_path / f"{name}.py").write_text(SOURCE, "utf-8")
    with pytest.raises(PluginError, match=r"'old' is claimed twice: by plugin 'attic'.*'museum'"):
        find_plugins([tmp_path]).game("old:kuhn")


def test_a_collection_has_a_name_that_can_be_typed() -> None:
    """A colon ends the name of the collection."""
    with pytest.raises(ValueError, match="invalid collection name 'a:b'"):
        GameCollection("a:b", "", make=lambda name, rest: None)  # type: ignore[arg-type,return-value]  # never called
