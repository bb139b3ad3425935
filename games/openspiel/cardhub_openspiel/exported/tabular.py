"""A game's complete tree as an extensive-form game of OpenSpiel."""

from typing import Any

from cardhub.bots.solving.gambit_file import gambit_lines
from cardhub.bots.solving.game_tree import MOST_NODES
from cardhub_openspiel.exported.pyspiel_game import CardhubGame
from cardhub_openspiel.library import pyspiel


def tabular(game: CardhubGame, most_nodes: int = MOST_NODES) -> Any:
    """Return the same game with its tree expanded: slow to create, then many times faster.

    Chance, returns and information sets are the same as in `game`. Names of information sets end
    with the game's information state strings. Action ids differ. Raises SolvingError if the tree
    has more than `most_nodes` nodes.
    """
    lines = gambit_lines(game.tree, game.utilities, most_nodes, trims_names=False)
    return pyspiel.load_efg_game("\n".join(lines))
