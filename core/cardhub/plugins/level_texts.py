"""What people read about the levels of a game: the game's own opponents, or usual texts."""

from collections.abc import Iterable
from typing import Any

from cardhub.model.game.game import Game
from cardhub.plugins.bot_index import BEGINNER, EASY, EXPERT, HARD, MEDIUM

# What players expect of a level; the names of bots and their options are for authors.
USUAL_TEXTS = {
    BEGINNER: "for a first game: often plays without thinking",
    EASY: "for a quick game: plays by simple rules",
    MEDIUM: "for regular players: looks ahead a little",
    HARD: "for good players: looks far ahead",
    EXPERT: "for masters: has trained in thousands of games",
}


def describe_levels(game: Game[Any], levels: Iterable[str]) -> dict[str, str]:
    """Return for each level its opponent in the game with a line about it, or the usual text."""
    opponents = game.display.opponents
    return {
        level: f"{opponents[level].name}: {opponents[level].temper}"
        if level in opponents
        else USUAL_TEXTS[level]
        for level in levels
    }
