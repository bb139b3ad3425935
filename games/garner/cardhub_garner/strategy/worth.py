"""What collections are worth to a seat, by rule of thumb."""

from cardhub import connected
from cardhub_garner.collecting import FORBIDDEN
from cardhub_garner.groups import NEXT_TO, alike
from cardhub_garner.majorities import counts
from cardhub_garner.table import SUIT, Table, layout_of

GROWTH = 1.5
"""Above 1: a card is worth more the nearer it brings a majority."""
SPARE = 0.002
"""What a card is worth that decides nothing any more."""
THREAT = 0.4
"""How much what is left for the other seat counts against a collection."""


class Worth:
    """What a seat gains by collecting groups, from how the suits stand."""

    def __init__(self, state: Table, seat: int) -> None:
        self._seat = seat
        layout = layout_of(state)
        held = counts(state)
        standing = zip(held[seat], held[1 - seat], layout.majorities, layout.weights, strict=True)
        self._gains = [
            [_gain(own, count, majority, weight, others, layout.never_six) for count in range(26)]
            for own, others, majority, weight in standing
        ]

    def best(self, state: Table) -> float:
        """Return what the best group of the top layer is worth, as it lies."""
        best = 0.0
        for gains, sites in zip(self._gains, alike(state, SUIT), strict=False):
            while gains[sites.bit_count()] > best:  # more cards are never worth less
                group = connected(sites & -sites, sites, NEXT_TO)
                best = max(best, gains[group.bit_count()])
                sites ^= group
        return best

    def gained(self, before: Table, after: Table) -> float:
        """Return what the cards are worth that the seat has collected in between."""
        was, now = counts(before)[self._seat], counts(after)[self._seat]
        added = enumerate(b - a for a, b in zip(was, now, strict=True))
        return sum(self._gains[suit][count] for suit, count in added)


def _gain(own: int, count: int, majority: int, weight: int, others: int, never_six: bool) -> float:
    """Return what so many cards more of a suit are worth."""
    if never_six and own + count == FORBIDDEN:
        count -= 1
    if own >= majority or others >= majority:
        return SPARE * count
    return weight * (standing(own + count, majority) - standing(own, majority))


def standing(held: int, majority: int) -> float:
    """Return what so many cards of a suit are worth, from 0 to 1 where they win it."""
    return float((min(held, majority) / majority) ** GROWTH)
