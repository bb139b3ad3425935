"""News: what an action brought about, as public ints from which sentences are made.

An entry is a kind, a seat and up to three numbers; only faces that lie open are among them.
"""

from cardhub_gamon.table import Table

News = tuple[int, ...]

(
    TURNED,  # whose card was turned up: its face
    JUDGED,  # on whose card Gamon was cried: its face and call
    WORTH,  # whose card: its face, modifier and carried bonus
    WON_TURN,  # who won the turn
    TOOK,  # who took coins from the prize: face, amount
    ADDED,  # who added coins from the pile to the prize: face, amount
    WEAKENED,  # whose next card is weakened: face
    STUCK,  # who cannot place a card
    OUT_OF_CARDS,  # who has no card for the third turn
    PRIZE_TO,  # who takes the prize: amount
    ROUND,  # who attacks in the round that begins: its number
    NO_COINS,  # the pile is empty (either seat)
    TOO_FEW_CARDS,  # who cannot start a round
) = range(13)


def tell(state: Table, *entry: int) -> None:
    """Add an entry to the news of the action."""
    state.news += (entry,)
