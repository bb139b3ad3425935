"""Games as patterns: who finished in which order from which seats, each pattern counted once."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from cardhub.stats.results import PlayedGame


class Pattern(NamedTuple):
    """The bots and their seats in the order in which they finished, in groups of equal places."""

    sizes: tuple[int, ...]
    bots: tuple[int, ...]
    seats: tuple[int, ...]

    @property
    def players(self) -> int:
        """The number of seats of the game."""
        return len(self.bots)


class Table(NamedTuple):
    """Patterns, the numbers of all blocks, and how often which pattern (row) is in which block."""

    patterns: list[Pattern]
    blocks: list[int]
    counts: csr_array


def pattern_of(game: PlayedGame) -> Pattern:
    """Return the pattern of a game; raises ValueError if it makes no sense."""
    if len(game.entrants) != len(game.places) or len(game.entrants) < 2:
        raise ValueError(f"a game has a place for each of two seats or more, not {game}")
    if not all(np.isfinite(game.places)):
        raise ValueError(f"places are numbers, not {game.places}")
    order = sorted(range(len(game.places)), key=lambda seat: (game.places[seat], seat))
    sizes = tuple(len(list(group)) for _, group in groupby(order, lambda seat: game.places[seat]))
    return Pattern(sizes, tuple(game.entrants[seat] for seat in order), tuple(order))


def tabulate(games: Iterable[PlayedGame]) -> Table:
    """Return the games as a table, sorted so that their order does not matter."""
    found = [(pattern_of(game), game.block) for game in games]
    patterns = sorted({pattern for pattern, _ in found})
    blocks = sorted({block for _, block in found})
    row = {pattern: number for number, pattern in enumerate(patterns)}
    column = {block: number for number, block in enumerate(blocks)}
    rows = [row[pattern] for pattern, _ in found]
    columns = [column[block] for _, block in found]
    shape = (len(patterns), len(blocks))
    return Table(patterns, blocks, csr_array((np.ones(len(found)), (rows, columns)), shape=shape))


def check_bots(games: Sequence[PlayedGame], bots: int) -> None:
    """Raise ValueError if a game names a bot that is not among `bots`."""
    for game in games:
        if not all(0 <= entrant < bots for entrant in game.entrants):
            raise ValueError(f"there are bots 0 to {bots - 1}, but a game has {game.entrants}")
