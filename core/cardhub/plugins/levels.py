"""Levels: `easy`, `medium` and `hard` stand for bots, in each game for those that are right."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from cardhub.bots import BotEntry
from cardhub.game.game import Game
from cardhub.suggest import did_you_mean

EASY, MEDIUM, HARD = LEVELS = ("easy", "medium", "hard")

USUAL: dict[str, tuple[str, ...]] = {
    EASY: ("rule", "ismcts:50"),
    MEDIUM: ("ismcts:300",),
    HARD: ("ismcts:milliseconds=2000",),
}
"""What the levels are in a game that does not say; the first spec whose bot plays it."""


def levels_of(game: Game[Any], bots: Collection[str]) -> dict[str, str]:
    """Return the spec of each level that can be played with these bots; the game's are taken as is.

    The weakest comes first.
    """
    found = {}
    for level in LEVELS:
        usual = (spec for spec in USUAL[level] if spec.partition(":")[0] in bots)
        spec = game.levels.get(level) or next(usual, None)
        if spec is not None:
            found[level] = spec
    return found


def wrong_levels(game: Game[Any]) -> Iterator[str]:
    """Yield what is wrong with the levels that a game declares, apart from their bots."""
    if not isinstance(game.levels, Mapping):
        yield f"levels of {game.name!r} is {game.levels!r}, not a mapping of levels to bots"
        return
    for level, spec in game.levels.items():
        if level not in LEVELS:
            hint = did_you_mean(str(level), LEVELS)
            yield f"{game.name!r} has no level {level!r}.{hint} Levels: {', '.join(LEVELS)}"
        elif not isinstance(spec, str) or not spec:
            yield f"level {level!r} of {game.name!r} is {spec!r}, not a bot as text"


def wrong_names(bots: Collection[BotEntry]) -> Iterator[str]:
    """Yield what is wrong with the names of bots: a level is not one of them."""
    for bot in bots:
        if bot.name in LEVELS:
            yield f"no bot can be called {bot.name!r}: that is a level, which games set"
