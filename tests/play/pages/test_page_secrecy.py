"""A page contains only facts that its viewers saw: its bytes are equal in two possible worlds."""

from typing import Any

import pytest
from tests.games.leaking_magpies import SaysNote, ShowsNote, SumsUpNote, TellsNote
from tests.kit.installed_games import names_for_arrays
from tests.play.pages.two_worlds import page_of, redacted_page_of, two_worlds

from cardhub import Game
from cardhub.plugins.registry import find_plugins

REGISTRY = find_plugins()
NAMES = [name for name in names_for_arrays() if ":" not in name]
# Entries of a game: some rounds of the games that have rounds.
MOST = 60
# A game without hidden cards.
OPEN = {"garner"}


@pytest.mark.parametrize("name", NAMES)
def test_an_unfinished_game_is_the_same_in_two_worlds(name: str) -> None:
    game = REGISTRY.game(name)
    records = two_worlds(game, 5, MOST)
    assert bool(records) != (name in OPEN)
    for page in (page_of, redacted_page_of):
        assert len({page(game, text) for text in records}) <= 1


@pytest.mark.parametrize("game", [ShowsNote(), TellsNote(), SumsUpNote(), SaysNote()], ids=type)
def test_a_leak_of_a_game_is_seen_in_its_page(game: Game[Any]) -> None:
    """The games leak through the table, the log, a summary or the sentence on the next action."""
    worlds = (two_worlds(game, seed, MOST) for seed in range(12))
    pages = ({page_of(game, text) for text in records} for records in worlds)
    assert any(len(variants) == 2 for variants in pages)
