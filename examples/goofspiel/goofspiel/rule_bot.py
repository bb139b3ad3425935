"""A bot that bids for each prize about what it is worth among the prizes left."""

from random import Random

from cardhub import Observation
from goofspiel.game import VALUE, Table, by_value, worth

# The greatest number of cards above or below the matching card: no bid is certain.
NOISE = 1


class Matcher:
    """A rule-based bot without search: it matches its bids to the prizes."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, observation: Observation[Table]) -> int:
        """Return the bid whose rank in the own hand equals the prize's among the prizes left."""
        state = observation.state
        hand, left = by_value(state, observation.legal()), _values_left(state)
        # Of several prizes that ties have carried over, the sum counts.
        prize = worth(state, state.offered)
        below = min(sum(value < prize for value in left), len(left) - 1)
        place = below * len(hand) // len(left) + self._rng.randint(-NOISE, NOISE)
        return hand[max(0, min(len(hand) - 1, place))]


def _values_left(state: Table) -> list[int]:
    """Return the values of the prizes offered last and still to come."""
    gone = (state.lost, *state.won, state.offered[:-1])
    values = {VALUE[state.face[token]] for pile in gone for token in pile}
    return [value for value in range(1, state.settings.number("cards") + 1) if value not in values]
