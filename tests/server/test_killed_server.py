"""A server that is killed loses nothing: all people are back in their seats."""

from pathlib import Path

from tests.server.killing import play_through_kills


def test_a_server_that_is_killed_goes_on_with_all_its_people(tmp_path: Path) -> None:
    """Every line of the log that was told is there again, and every token is right."""
    players = play_through_kills(tmp_path / "tables", kills=3, seed=1)
    assert [error for player in players for error in player.errors] == []
    assert sum(player.acts for player in players) > 0
    assert all(player.visits >= 4 for player in players)
