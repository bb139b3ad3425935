"""Quick play for simulated games, and the evaluation of a position."""

from random import Random

from typing_extensions import override

from cardhub import Heuristics
from roses.table import (
    BID,
    BIDDING,
    IS_SKULL,
    LAYING,
    PASS,
    Table,
    is_in,
)

# The share of turns in which a player opens the bidding instead of laying another disc.
OPENING = 0.4
# The share of the others' top discs that are expected to be roses.
ROSES = 0.6
# A won challenge in discs, and the skull in discs: it is worth more than a rose.
WIN, SKULL = 4.0, 0.5


class RosesHeuristics(Heuristics[Table]):
    """Bids that the own mat makes likely to succeed, and the discs that are left."""

    # A skull on the mat and a bid on it are meant to deceive.
    bluffs = ("lay", "bid")
    # About the rest of a round.
    playout_depth = 12

    @override
    def playout_action(self, state: Table, rng: Random) -> int:
        """Return a bid that the own mat makes likely to succeed, or else a random action."""
        legal = self.game.legal(state)
        if state.phase == LAYING and legal[-1] >= BID and rng.random() < OPENING:
            return BID + max(1, min(int(expected(state)), legal[-1] - BID)) - 1
        if state.phase == LAYING:
            lays = [action for action in legal if action < BID]
            return rng.choice(lays or legal)
        if state.phase == BIDDING:
            return BID + state.bid if state.bid < int(expected(state) + rng.random()) else PASS
        return rng.choice(legal)

    @override
    def evaluate(self, state: Table) -> list[float]:
        """Return by seat the discs that are left and the won challenges, counted as discs."""
        face, values = state.face, []
        for seat, wins in enumerate(state.wins):
            discs = state.hand[seat] + state.mat[seat]
            skulls = sum(IS_SKULL[face[token]] for token in discs)
            values.append(WIN * wins + len(discs) + SKULL * skulls)
        return values


def expected(state: Table) -> float:
    """Return the number of roses that the seat to act can expect to turn up."""
    face, seat = state.face, state.seat
    if any(IS_SKULL[face[token]] for token in state.mat[seat]):
        # The own discs are turned up first.
        return 0.0
    others = sum(is_in(state, other) for other in range(state.seats)) - 1
    return len(state.mat[seat]) + ROSES * others
