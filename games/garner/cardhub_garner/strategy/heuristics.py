"""The heuristics of Garner: playouts by phase, and the chance to win the majority of the suits."""

from math import fsum
from random import Random

from typing_extensions import override

from cardhub import Heuristics
from cardhub_garner.majorities import counts
from cardhub_garner.strategy import playout
from cardhub_garner.strategy.evaluation import win_chance
from cardhub_garner.table import COLLECTING, LIFTING, PLACING, Table, layout_of


class GarnerHeuristics(Heuristics[Table]):
    """Collections that bring the majority of a suit nearer, to the own seat or the other."""

    playout_depth = 2
    site_fields = ("suit", "number")
    row_numbers = ("origins", "used", "group", "place")

    @override
    def playout_action(self, state: Table, rng: Random) -> int:
        if state.phase == PLACING:
            return playout.place(state, rng)
        if state.phase == COLLECTING:
            return playout.collect(state)
        if state.phase == LIFTING:
            return playout.lift(state, rng)
        return self.game.random_action(state, rng)

    @override
    def evaluate(self, state: Table) -> list[float]:
        """Return for a state the probability of each seat to win the majority of the suits."""
        layout, held, seat = layout_of(state), counts(state), max(state.seat, 0)
        # The distribution of the suit weight that the seat to act wins, updated suit by suit.
        weights = [1.0] + [0.0] * sum(layout.weights)
        suits = zip(held[seat], held[1 - seat], layout.majorities, layout.weights, strict=True)
        for own, other, needed, weight in suits:
            chance = win_chance(max(needed - own, 0), max(needed - other, 0))
            updated = [probability * (1 - chance) for probability in weights]
            for total in range(weight, len(weights)):
                updated[total] += weights[total - weight] * chance
            weights = updated
        wins = fsum(weights[layout.enough :])
        return [wins, 1 - wins] if seat == 0 else [1 - wins, wins]
