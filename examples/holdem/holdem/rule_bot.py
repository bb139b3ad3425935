"""A bot that bets by the strength of its hand, and bluffs now and then."""

from random import Random

from cardhub import Observation
from holdem.betting import raise_limits
from holdem.heuristics import promise
from holdem.table import BET, CALL, CHECK, FOLD, RAISE, Table, owed, pot

GOOD, FAIR = 0.68, 0.5
BLUFFS = 0.08
# Bets as shares of the pot.
SIZES = (0.5, 0.75, 1.0)


class PotPlayer:
    """A rule-based bot without search: it compares its hand with the price of a call."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, observation: Observation[Table]) -> int:
        """Return a bet with a good hand or as a bluff, a call at a fair price, else a fold."""
        state, rng = observation.state, self._rng
        value, debt = promise(state, observation.seat), owed(state, observation.seat)
        low, high = raise_limits(state)
        is_bluff = not state.bet and rng.random() < BLUFFS
        # A second raise in a round needs a better hand.
        wanted = GOOD + 0.1 * (state.bet > 4 * state.raised_by)
        if low <= high and (value > wanted or is_bluff):
            size = int(rng.choice(SIZES) * (pot(state) + debt))
            bet = min(max(state.bet + size, low), high)
            return (RAISE if state.bet else BET).action(bet)
        if not debt:
            return CHECK
        price = debt / (pot(state) + debt)
        return CALL if value > FAIR * price * 2 + 0.2 else FOLD
