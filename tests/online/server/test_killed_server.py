"""A server that is killed loses nothing: all people are back in their seats."""

from pathlib import Path

import pytest
from tests.online.server.killing import play_through_kills


@pytest.mark.parametrize(("game", "people", "bots"), [("hearts", 4, 0), ("gargon", 3, 1)])
def test_a_server_that_is_killed_goes_on_with_all_its_people(
    tmp_path: Path, game: str, people: int, bots: int
) -> None:
    """Every line of the log that was told is there again, and every token is right."""
    folder = tmp_path / "tables"
    players = play_through_kills(folder, kills=2, seed=1, game=game, people=people, bots=bots)
    assert [error for player in players for error in player.errors] == []
    assert sum(player.acts for player in players) > 0
    assert all(player.visits >= 3 for player in players)
