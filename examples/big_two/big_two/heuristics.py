"""The heuristics of Big Two: sensible actions for playouts."""

from random import Random

from typing_extensions import override

from big_two.table import CHOOSE, PASS, PLAY, STRENGTH, Table, bits
from big_two.turns import open_plays
from cardhub import Heuristics

# The probability of a pass though the cards could be beaten.
PASSING = 0.1


class BigTwoHeuristics(Heuristics[Table]):
    """Low plays of many cards."""

    playout_depth = 70  # most deals are shorter; later ones would only add noise

    @override
    def playout_action(self, state: Table, rng: Random) -> int:
        """Return an action that leads to the lowest possible play, a lead with many cards."""
        seat, face = state.seat, state.face
        chosen = bits(state, state.chosen[seat])
        cards = chosen | bits(state, state.hand[seat])
        if state.table and not chosen and rng.random() < PASSING:
            return PASS
        options = open_plays(state, cards, chosen)
        if not options:
            return PASS
        # The same play at every step of the turn: it remains the best of those that are left.
        play = options[0] if len(options) == 1 else _best(cards, options)
        missing = play & ~chosen
        if not missing:
            return PLAY
        return next(
            CHOOSE + token for token in state.hand[seat] if missing >> STRENGTH[face[token]] & 1
        )


def _best(cards: int, options: list[int]) -> int:
    lowest = cards & -cards
    return max(options, key=lambda play: (play & lowest, play.bit_count(), -play))
