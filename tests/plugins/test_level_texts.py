"""What people read about levels: the opponents of a game, or usual texts."""

import pytest

from cardhub.plugins.bot_index import LEVELS
from cardhub.plugins.level_texts import USUAL_TEXTS, describe_levels
from cardhub.plugins.registry import PluginRegistry, find_plugins

# A list of levels has 80 cells in a line.
LONGEST_TEXT = 60


@pytest.fixture(scope="module")
def plugins() -> PluginRegistry:
    """Return the installed games and bots."""
    return find_plugins()


def test_a_level_without_an_opponent_has_a_usual_text(plugins: PluginRegistry) -> None:
    assert [*USUAL_TEXTS] == [*LEVELS]
    assert describe_levels(plugins.game("kuhn"), ["easy"]) == {"easy": USUAL_TEXTS["easy"]}


def test_a_level_has_the_opponent_that_its_game_names(plugins: PluginRegistry) -> None:
    game = plugins.game("gamon")
    text = "Molly: counts cards, bluffs now and then"
    assert describe_levels(game, ["easy"]) == {"easy": text}


@pytest.mark.parametrize("game", ["gargon", "gamon", "garner", "hearts"])
def test_every_level_has_an_opponent_whose_text_fits_into_a_list(
    plugins: PluginRegistry, game: str
) -> None:
    levels, opponents = plugins.levels(game), plugins.game(game).display.opponents
    assert opponents.keys() == levels.keys()
    assert len({opponent.name for opponent in opponents.values()}) == len(opponents)
    assert all(len(text) <= LONGEST_TEXT for text in USUAL_TEXTS.values())
    texts = describe_levels(plugins.game(game), levels).values()
    assert max(map(len, texts)) <= LONGEST_TEXT
