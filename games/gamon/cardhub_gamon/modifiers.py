"""What is added to the base value of a seat's card with some face.

A modifier counts earlier turns only (gamon N17); the card itself is not among those played yet.
"""

from cardhub_gamon.conditions import opponent_is_richer
from cardhub_gamon.table import BASE, CARDS, Table

DECKHAND = CARDS.face("deckhand")
MOST_PRIZE_COUNTED = 5


def nothing(state: Table, seat: int, face: int) -> int:
    """Add nothing."""
    return 0


def number_called(state: Table, seat: int, face: int) -> int:
    """Add the number called; the base value is 0."""
    return state.called[seat]


def per_coin_in_prize(state: Table, seat: int, face: int) -> int:
    """Add 1 per coin in the prize, at most 5."""
    return min(state.prize, MOST_PRIZE_COUNTED)


def three_per_deckhand(state: Table, seat: int, face: int) -> int:
    """Add 3 per Deckhand the owner has played earlier this round."""
    return 3 * sum(state.face[token] == DECKHAND for token in state.played[seat])


def three_if_poorer(state: Table, seat: int, face: int) -> int:
    """Add 3 if the other purse is larger."""
    return 3 if opponent_is_richer(state, seat) else 0


def two_if_cried(state: Table, seat: int, face: int) -> int:
    """Add 2 if the owner has cried Gamon earlier this round.

    Modifiers count only where nobody has cried in this turn, so any cry was earlier.
    """
    return 2 if state.cried[seat] else 0


def three_if_false(state: Table, seat: int, face: int) -> int:
    """Add 3 if the call was false."""
    return 3 if state.called[seat] != BASE[face] else 0


def two_per_card(state: Table, seat: int, face: int) -> int:
    """Add 2 per card the owner has played earlier this round; by option for this one, too."""
    cards = len(state.played[seat])
    return 2 * (cards + 1 if state.settings.flag("high_officer_counts_itself") else cards)
