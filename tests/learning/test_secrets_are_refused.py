"""Exits that have no place for secrets other than cards refuse a game with them by name."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.games.moles import Moles

from cardhub.base.errors import CardhubError, LayoutError, PluginError, SolvingError
from cardhub.bots.solving.game_tree import Tree
from cardhub.compiling.compiled_games import compilable_games, game_sources
from cardhub.learning.arrays import Layout
from cardhub.pettingzoo import parallel_env
from cardhub.plugins.registry import find_plugins
from cardhub.testing import resolve_options

MOLES = Moles()
SETTINGS = resolve_options(MOLES, {}, 3)
EXITS: list[tuple[type[CardhubError], Callable[[], Any]]] = [
    (LayoutError, lambda: Layout(MOLES)),
    (LayoutError, lambda: parallel_env(MOLES)),
    (SolvingError, lambda: Tree(MOLES, 3, SETTINGS)),
]


@pytest.mark.parametrize(("error", "make"), EXITS)
def test_an_exit_for_cards_only_refuses_the_game(
    error: type[CardhubError], make: Callable[[], Any]
) -> None:
    with pytest.raises(error, match=r"moles .*secrets other than cards.*fix: use"):
        make()


def test_a_game_with_secrets_is_not_compiled() -> None:
    sources = game_sources(find_plugins())
    assert compilable_games(sources, ["kuhn", "rebels"], []) == {"kuhn"}
    with pytest.raises(PluginError, match=r"rebels cannot be compiled.*fix: leave it out"):
        compilable_games(sources, ["rebels"], ["rebels"])
