"""Quick play for simulated games, and the evaluation of a position."""

from random import Random

from typing_extensions import override

from cardhub import Heuristics
from spades.scoring import BAG_COST, BAG_LIMIT
from spades.table import (
    BID,
    BIDDING,
    DEALING,
    NIL,
    PLAY,
    PLAYING,
    POWER,
    RANK,
    SEATS,
    SPADES,
    SUIT,
    TEAMS,
    Table,
    suit_led,
    tricks,
)
from spades.tricks import best_seat

# The expected tricks of an ace, a king with another card, and a queen with two.
HONOURS = {14: (1, 1.0), 13: (2, 0.7), 12: (3, 0.3)}
# Spades beyond this number are expected to take a trick each.
SHORT_TRUMPS = 3
# A hand that expects fewer tricks bids nil if its spades are few and low.
NIL_TRICKS, NIL_RANK = 0.6, 10


class SpadesHeuristics(Heuristics[Table]):
    """Bids that a hand can make, and cards that take the tricks needed."""

    @override
    def playout_action(self, state: Table, rng: Random) -> int:
        """Return the bid that the hand expects to make, or a card that takes a needed trick."""
        if state.phase == BIDDING:
            return BID + estimate([state.face[token] for token in state.hand[state.seat]])
        legal = self.game.legal(state)
        if state.phase != PLAYING or len(legal) == 1:
            return legal[0]
        face = state.face
        cards = sorted(legal, key=lambda action: POWER[face[action - PLAY]])
        if suit_led(state) is None:
            return lead(state, cards)
        return follow(state, cards)

    @override
    def ends_playout(self, state: Table) -> bool:
        """Return whether the next deal is to come: `evaluate` counts whole deals."""
        return state.phase == DEALING

    @override
    def evaluate(self, state: Table) -> list[float]:
        """Return the points of each seat's team; a bag costs a tenth of the penalty for ten."""
        cost = BAG_COST / BAG_LIMIT
        values = [total - cost * bags for total, bags in zip(state.total, state.bags, strict=True)]
        return [values[team] for team in TEAMS]


def estimate(faces: list[int]) -> int:
    """Return the tricks that a hand can expect to take; 0 for a nil bid."""
    lengths = [0] * 4
    for face in faces:
        lengths[SUIT[face]] += 1
    expected = float(max(0, lengths[SPADES] - SHORT_TRUMPS))
    for face in faces:
        needed, chance = HONOURS.get(RANK[face], (0, 0.0))
        expected += chance if lengths[SUIT[face]] >= needed else 0.0
    spades = [RANK[face] for face in faces if SUIT[face] == SPADES]
    if expected < NIL_TRICKS and len(spades) <= SHORT_TRUMPS and max(spades, default=0) < NIL_RANK:
        return NIL
    return max(1, int(expected))


def wants_tricks(state: Table) -> bool:
    """Return whether the team of the seat to act has not made its contract yet."""
    seat, taken = state.seat, tricks(state)
    partner = (seat + 2) % SEATS
    won = sum(taken[member] for member in (seat, partner) if state.bids[member] != NIL)
    return state.bids[seat] != NIL and won < state.bids[seat] + state.bids[partner]


def lead(state: Table, cards: list[int]) -> int:
    """Return the highest card of a side suit if a trick is needed, else the lowest card."""
    if not wants_tricks(state):
        return cards[0]
    sides = [card for card in cards if SUIT[state.face[card - PLAY]] != SPADES]
    return (sides or cards)[-1]


def follow(state: Table, cards: list[int]) -> int:
    """Return a card that takes the trick if it is needed, else a card that does not."""
    face, suit, best = state.face, suit_led(state), best_seat(state)
    highest = POWER[face[state.laid[best][0]]]
    takes = [
        card
        for card in cards
        if POWER[face[card - PLAY]] > highest and SUIT[face[card - PLAY]] in (suit, SPADES)
    ]
    if wants_tricks(state):
        if not takes or best == (state.seat + 2) % SEATS:
            return cards[0]
        # The last player needs no more than the lowest card that takes the trick.
        is_last = sum(map(len, state.laid)) == SEATS - 1
        return takes[0] if is_last else takes[-1]
    # A nil bidder gets rid of the highest card that does not take the trick.
    below = [card for card in cards if card not in takes]
    if state.bids[state.seat] == NIL and below:
        return below[-1]
    return (below or cards)[0]
