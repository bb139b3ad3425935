"""How people tend to play: knowledge for playouts, and the chance to win a hand."""

from random import Random

from typing_extensions import override

from cardhub import CHANCE, Heuristics
from holdem.betting import raise_limits
from holdem.hands import HIGH, PAIR, RANK, SUIT, TWO_PAIRS, strength
from holdem.table import BET, CALL, CHECK, FOLD, RAISE, Table, owed, pot

# The chance to win against another hand, by the kind of hand on the board; from 0 to 1.
BY_KIND = {HIGH: 0.25, PAIR: 0.55, TWO_PAIRS: 0.8}
BEST = 0.92


def promise(state: Table, seat: int) -> float:
    """Return how good a hand is, from 0 to 1: first by its two cards, later by its kind."""
    face = state.face
    first, second = sorted((face[token] for token in state.hand[seat]), key=RANK.__getitem__)
    low, high = RANK[first], RANK[second]
    if not state.board:
        if low == high:
            return 0.5 + 0.025 * low
        near = max(0, 4 - (high - low)) * 0.02
        return 0.1 + 0.025 * high + 0.012 * low + near + 0.04 * (SUIT[first] == SUIT[second])
    kind, top, *_ = strength([first, second, *(face[token] for token in state.board)])
    own_pair = kind == PAIR and top in (low, high)
    if kind == PAIR and not own_pair:
        kind = HIGH  # everybody has the pair of the board
    return BY_KIND.get(kind, BEST) + 0.01 * (high - 8) * (kind <= PAIR)


class HoldemHeuristics(Heuristics[Table]):
    """Bets of about the pot with good hands; a playout ends with its hand."""

    bluffs = ("bet", "raise")

    @override
    def playout_action(self, state: Table, rng: Random) -> int:
        """Return an action by the promise of the hand, with some noise."""
        if state.seat == CHANCE:
            return self.game.random_action(state, rng)
        value = promise(state, state.seat) + rng.uniform(-0.2, 0.2)
        debt = owed(state, state.seat)
        low, high = raise_limits(state)
        if value > 0.7 and low <= high and rng.random() < 0.6:
            wanted = state.bet + int(pot(state) * rng.choice((0.5, 0.75, 1.0)))
            group = RAISE if state.bet else BET
            return group.action(min(max(wanted, low), high))
        if not debt:
            return CHECK
        price = debt / (pot(state) + debt)
        return CALL if value > 0.25 + price * 0.6 else FOLD

    @override
    def ends_playout(self, state: Table) -> bool:
        return state.seat == CHANCE
