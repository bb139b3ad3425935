"""A bot that bets by the strength of its hand, and bluffs now and then."""

from random import Random

from cardhub import Observation
from leduc.game import CALL, FOLD, RAISE, RANK, Table, owed

JACK, QUEEN, KING = sorted(set(RANK))
PAIR = KING + 1
# The probabilities of a raise by hand, in the first and in the second round.
RAISES = ({JACK: 0.1, QUEEN: 0.2, KING: 0.8}, {JACK: 0.15, QUEEN: 0.1, KING: 0.3, PAIR: 1.0})
# And of a fold where it does not raise, if there is a raise to answer.
FOLDS = ({JACK: 0.7, QUEEN: 0.0, KING: 0.0}, {JACK: 1.0, QUEEN: 0.6, KING: 0.2, PAIR: 0.0})


class Gambler:
    """A rule-based bot without search: it looks its odds up by its hand."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, observation: Observation[Table]) -> int:
        """Return a raise, a fold or a call, each with its probability."""
        state, legal = observation.state, observation.legal()
        hand = _hand(state, observation.seat)
        if RAISE in legal and self._rng.random() < RAISES[state.phase][hand]:
            return RAISE
        if owed(state) and self._rng.random() < FOLDS[state.phase][hand]:
            return FOLD
        return CALL

    def policy(self, observation: Observation[Table]) -> dict[int, float]:
        """Return the probability of each action of `choose`."""
        state, hand = observation.state, _hand(observation.state, observation.seat)
        raises = RAISES[state.phase][hand] if RAISE in observation.legal() else 0.0
        folds = (1 - raises) * FOLDS[state.phase][hand] if owed(state) else 0.0
        return {FOLD: folds, RAISE: raises, CALL: 1 - raises - folds}


def _hand(state: Table, seat: int) -> int:
    """Return the rank of a hand, or PAIR."""
    own = RANK[state.face[state.hand[seat][0]]]
    shared = [RANK[state.face[token]] for token in state.board]
    return PAIR if own in shared else own
