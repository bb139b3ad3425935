"""Playouts by rules in C; not compiled, because their module is known at run time only.

`cardhub compile` makes a module of each game whose rules it translates as a whole. It reads a
state, plays copies of it with the words of the generator as Python would draw them, and returns
the sums of the scores and evaluations. Whatever it cannot carry out as Python would, it gives back:
then nothing has changed, and Python plays.
"""

import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from cardhub.base.native.finder import load_rules
from cardhub.model.game.game import Game, Heuristics
from cardhub.model.table.state import State

# Numbers that are drawn for the check of the generator: more than its words.
_DRAWN = 320


class Outcome(NamedTuple):
    """The sums of the values of all seats after playouts."""

    scores: list[int]
    """The scores of the playouts that ended their game."""
    evaluations: list[float]
    """The evaluations of the others, or of all if the ends are evaluated, too."""
    is_over: bool
    """Whether the last playout ended its game."""


# Plays in C; None if Python has to play. The arguments are a state, a generator, the number of
# playouts, the depth, and whether the ends of games are evaluated, too.
PlayoutsInC = Callable[[State, Random, int, int, bool], tuple[Any, ...] | None]


def playout_methods(game: Game[Any]) -> tuple[str, ...]:
    """Return the methods of a game's heuristics that its playouts have to ask."""
    kind = type(game.heuristics)
    names = ("ends_playout", "evaluate", "playout_action")
    own = [name for name in names if getattr(kind, name) is not getattr(Heuristics, name)]
    has_own_random = type(game).random_action is not Game.random_action
    if has_own_random and "playout_action" not in own:
        own.append("playout_action")
    return tuple(own)


def playouts_in_c(game: Game[Any]) -> PlayoutsInC | None:
    """Return the function that plays playouts of a game in C; None if there is none."""
    module = rules_in_c(type(game), game.name)
    if module is None or module.playout_methods != playout_methods(game):
        return None
    playouts: PlayoutsInC = module.playouts
    return playouts


# Asked for every search, and both the search for the module and its check take milliseconds.
@lru_cache(maxsize=64)
def rules_in_c(kind: type, name: str) -> Any:
    """Return the module with the rules of a class of games; None if there is none that will do."""
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    module = load_rules(name, Path(file)) if file else None
    # Another class of the same module may have the same name for people.
    if module is None or module.class_name != kind.__qualname__:
        return None
    return module if _draws_alike(module) else None


def _draws_alike(module: Any) -> bool:
    """Return whether a module reads and draws the words of a generator as this Python does."""
    drawn, expected = Random(1), Random(1)
    # First, because the place of the words in memory is not promised by anything.
    if module.words(drawn) != drawn.getstate()[1]:
        return False
    is_alike = all(module.draw(drawn) == expected.random() for _ in range(_DRAWN))
    return is_alike and drawn.getstate() == expected.getstate()
