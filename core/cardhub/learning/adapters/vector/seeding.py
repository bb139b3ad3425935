"""The deals of the games at a table, which follow from the environment's seed."""

from random import Random
from typing import Final, NamedTuple

from cardhub.learning.arrays import Layout
from cardhub.model.game.initial_state import Seed, shuffled_pack

# Ways to deal the games of a table.
#
# `play`: every game has a seed and the cards of `cardhub play --seed`. `fast`: one generator deals
# many games in a row, because seeding a generator takes longer than a small game.
PLAY, FAST = SEEDINGS = ("play", "fast")
# Seeds fit into a signed 64-bit int, the type of their array.
SEED_BITS = 63
# The number of games that one generator deals with fast seeding. To deal any game again, less than
# this number of packs is shuffled before. C has the same number.
DEALS_IN_ROW: Final = 256


class Deal(NamedTuple):
    """The deal of one game."""

    number: int
    """The number in `BatchArrays.seeds`."""
    seed: Seed
    """The seed of chance and of the bots."""
    faces: list[int] | None
    """The faces by token, or None for the deal of the seed."""


class PlayDeals:
    """The deals of seeds; a table's generator draws the seed of each game."""

    def __init__(self, seed: int, table: int) -> None:
        self._seeds = Random(f"{seed} table {table}")

    def skip(self, games: int) -> None:
        """Skip the first games; call this before any deal."""
        for _ in range(games):
            self._seeds.getrandbits(SEED_BITS)

    def draw(self) -> Deal:
        """Return the deal of the next game."""
        seed = self._seeds.getrandbits(SEED_BITS)
        return Deal(seed, seed, None)


class FastDeals:
    """The deals of generators that deal DEALS_IN_ROW games each.

    A deal depends on the environment's seed, the table and the number of the game, not on actions.
    """

    def __init__(self, layout: Layout, seed: int, table: int) -> None:
        self._layout = layout
        self._table = f"seed {seed}, table {table}"
        self._game = 0
        self._rng = Random(0)  # replaced before the first deal

    def skip(self, games: int) -> None:
        """Skip the first games; call this before any deal."""
        rest = games % DEALS_IN_ROW
        self._game = games - rest
        for _ in range(rest):
            self._shuffled()

    def draw(self) -> Deal:
        """Return the deal of the next game."""
        game = self._game
        return Deal(game, f"{self._table}, game {game}", self._shuffled())

    def _shuffled(self) -> list[int]:
        """Return the faces of the next game by token."""
        if self._game % DEALS_IN_ROW == 0:
            self._rng = Random(f"{self._table}, games from {self._game}")
        self._game += 1
        layout = self._layout
        return shuffled_pack(layout.game, layout.settings, layout.seats, self._rng)


def table_deals(seeding: str, layout: Layout, seed: int, table: int) -> PlayDeals | FastDeals:
    """Return the deals of a table; `seed`: the environment's seed."""
    return FastDeals(layout, seed, table) if seeding == FAST else PlayDeals(seed, table)
