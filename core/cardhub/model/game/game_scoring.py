"""The scoring of a game at one table."""

from typing import Any

from cardhub.model.game.game import Game
from cardhub.model.table.scoring import Scoring
from cardhub.model.table.settings import Settings


def game_scoring(game: Game[Any], settings: Settings, seats: int) -> Scoring:
    """Return the goal, teams and target of a game with these settings and number of seats.

    Raises TypeError if `teams` does not return one int per seat, or `unit_size` no int above 0.
    """
    teams = tuple(game.teams(settings, seats))
    if len(teams) != seats or any(type(team) is not int for team in teams):
        raise TypeError(
            f"{game.name}: teams() returns {teams!r} for {seats} seats\n"
            "fix: return the number of its team for each seat, such as [0, 1, 0, 1]"
        )
    size = game.unit_size(settings)
    if type(size) is not int or size < 1:
        raise TypeError(
            f"{game.name}: unit_size() returns {size!r}, not an int of at least 1\n"
            f"fix: return the score that makes one of the {game.unit}"
        )
    return Scoring(
        teams,
        game.goal,
        game.lowest_wins,
        game.unit,
        game.target(settings, seats),
        size,
    )
