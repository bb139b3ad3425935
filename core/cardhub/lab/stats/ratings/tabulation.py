"""Tabulation of games: finishing patterns and the frequency of each in blocks."""

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from cardhub.lab.stats.types import NOBODY, Floats, PlayedGame

# A kind of block: pattern indices with their frequencies in the block.
Kind = tuple[tuple[int, int], ...]


class Pattern(NamedTuple):
    """The bots and their seats in finishing order; `sizes` are the sizes of groups of ties.

    `players` is the number of seats of the game, including unattributed seats. `is_won_only`: the
    last group are the losers of a game that has only winners and losers. They are not ranked, which
    is not a tie.
    """

    sizes: tuple[int, ...]
    bots: tuple[int, ...]
    seats: tuple[int, ...]
    players: int
    is_won_only: bool = False

    @property
    def placed(self) -> tuple[int, ...]:
        """The sizes of the groups whose place says something about their strength."""
        return self.sizes[:-1] if self.is_won_only else self.sizes


class FinishTable(NamedTuple):
    """The frequencies of patterns (rows) in kinds of block (columns).

    Blocks with equal pattern frequencies are of one kind; `copies` is the number of blocks of each.
    """

    patterns: list[Pattern]
    counts: csr_array
    copies: Floats


class Tabulation:
    """An accumulator of games, with a few bytes of memory per block.

    `is_won_only`: the places after the first do not rank the losers.
    """

    def __init__(self, *, is_won_only: bool = False) -> None:
        self._is_won_only = is_won_only
        self._patterns: dict[Pattern, int] = {}
        self._known: dict[tuple[tuple[int, ...], tuple[float, ...]], int | None] = {}
        self._kinds: dict[Kind, int] = {}
        self._parts = array("q"), array("q")
        self._open: Counter[int] = Counter()
        self._block = 0

    def add(self, game: PlayedGame) -> None:
        """Add a game; fastest if the games of a block are consecutive. Raises ValueError.

        A game with fewer than two attributed entrants is ignored.
        """
        if game.block != self._block:
            self._close_block()
            self._block = game.block
        # Most games of a match are one of a few hundred (entrants, places).
        key = game.entrants, game.places
        if key not in self._known:
            self._known[key] = self._number(game)
        number = self._known[key]
        if number is not None:
            self._open[number] += 1

    def table(self, without: Collection[int] = ()) -> FinishTable:
        """Return the table; it does not depend on the order of the games.

        The seats of the bots `without` are treated as unattributed.
        """
        self._close_block()
        kept = [_without(pattern, without) for pattern in self._patterns]
        # Sorted, because a sum of floats depends on the order of its terms.
        patterns = sorted({pattern for pattern in kept if len(pattern.bots) > 1})
        row = {pattern: index for index, pattern in enumerate(patterns)}
        kinds: Counter[Kind] = Counter()
        for block in self._patterns_by_block():
            counts: Counter[int] = Counter()
            for number, count in block.items():
                if kept[number] in row:
                    counts[row[kept[number]]] += count
            if counts:
                kinds[tuple(sorted(counts.items()))] += 1
        return _as_table(patterns, sorted(kinds.items()))

    def _number(self, game: PlayedGame) -> int | None:
        pattern = pattern_of(game)
        if len(pattern.bots) < 2:
            return None
        if self._is_won_only and game.places[pattern.seats[-1]] > 1:
            pattern = pattern._replace(is_won_only=True)
        return self._patterns.setdefault(pattern, len(self._patterns))

    def _close_block(self) -> None:
        if self._open:
            kind = tuple(sorted(self._open.items()))
            blocks, kinds = self._parts
            blocks.append(self._block)
            kinds.append(self._kinds.setdefault(kind, len(self._kinds)))
            self._open.clear()

    def _patterns_by_block(self) -> Iterator[Counter[int]]:
        # A block whose games were not consecutive has several parts.
        kinds = list(self._kinds)
        parts = sorted(zip(*self._parts, strict=True))
        for _, group in groupby(parts, lambda part: part[0]):
            counts: Counter[int] = Counter()
            for _, kind in group:
                for number, count in kinds[kind]:
                    counts[number] += count
            yield counts


def pattern_of(game: PlayedGame) -> Pattern:
    """Return the pattern of a game; raises ValueError if entrants or places are invalid."""
    if len(game.entrants) != len(game.places) or len(game.entrants) < 2:
        raise ValueError(f"invalid game {game}: it needs two seats or more, with a place each")
    if not all(np.isfinite(game.places)):
        raise ValueError(f"invalid places {game.places}: they must be finite numbers")
    players = len(game.places)
    seats = [seat for seat in range(players) if game.entrants[seat] != NOBODY]
    order = sorted(seats, key=lambda seat: (game.places[seat], seat))
    sizes = tuple(len(list(group)) for _, group in groupby(order, lambda seat: game.places[seat]))
    return Pattern(sizes, tuple(game.entrants[seat] for seat in order), tuple(order), players)


def _without(pattern: Pattern, bots: Collection[int]) -> Pattern:
    """Return a pattern without the seats of some bots."""
    if not {*pattern.bots} & {*bots}:
        return pattern
    sizes, kept, start = [], [], 0
    for size in pattern.sizes:
        tied = [n for n in range(start, start + size) if pattern.bots[n] not in bots]
        kept += tied
        sizes += [len(tied)] if tied else []
        start += size
    # Winners remain ranked, also if all losers are removed.
    has_losers = start - pattern.sizes[-1] <= max(kept, default=-1)
    return Pattern(
        tuple(sizes),
        tuple(pattern.bots[n] for n in kept),
        tuple(pattern.seats[n] for n in kept),
        pattern.players,
        pattern.is_won_only and has_losers,
    )


def tabulate(games: Iterable[PlayedGame]) -> FinishTable:
    """Return the games as a table."""
    tabulation = Tabulation()
    for game in games:
        tabulation.add(game)
    return tabulation.table()


def check_bots(table: FinishTable, bots: int) -> None:
    """Raise ValueError if a bot index of a game is not in range(`bots`)."""
    for pattern in table.patterns:
        if not all(0 <= bot < bots for bot in pattern.bots):
            raise ValueError(
                f"unknown bot in a game of {pattern.bots}: bots are numbered 0 to {bots - 1}"
            )


def _as_table(patterns: list[Pattern], kinds: list[tuple[Kind, int]]) -> FinishTable:
    cells = [(row, column, count) for column, (kind, _) in enumerate(kinds) for row, count in kind]
    at = [cell[0] for cell in cells], [cell[1] for cell in cells]
    shape = (len(patterns), len(kinds))
    counts = csr_array(([float(cell[2]) for cell in cells], at), shape=shape, dtype=np.float64)
    return FinishTable(
        patterns, counts, np.asarray([copies for _, copies in kinds], dtype=np.float64)
    )
