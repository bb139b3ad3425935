"""Playouts by rules in C; not compiled, because their module is known at run time only.

`cardhub compile` makes a module of each game whose rules it translates as a whole. It reads a
state, plays copies of it with the words of the generator as Python would draw them, and returns
the sums of the scores. Whatever it cannot carry out as Python would, it gives back: then nothing
has changed, and Python plays.
"""

import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from cardhub.base.native.finder import load_rules
from cardhub.model.game.game import Game, Heuristics
from cardhub.model.table.state import State

# Numbers that are drawn for the check of the generator: more than its words.
_DRAWN = 320


# The sums of the seats' scores after playouts, and whether the last one ended its game; None if
# Python has to play. The arguments are a state, a generator, the number of playouts, and the depth.
Outcome = tuple[list[int], bool]
PlayoutsInC = Callable[[State, Random, int, int], Outcome | None]


def playouts_in_c(game: Game[Any]) -> PlayoutsInC | None:
    """Return the function that plays uniform playouts of a game in C; None if there is none.

    Only where a playout that ends early is valued by the scores: other evaluations are in Python.
    """
    heuristics = game.heuristics
    kind = type(heuristics)
    may_end = kind.ends_playout is not Heuristics.ends_playout
    ends_early = bool(heuristics.playout_depth) or may_end
    if ends_early and kind.evaluate is not Heuristics.evaluate:
        return None
    module = rules_in_c(type(game), game.name)
    if module is None or may_end != bool(module.has_end):
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
