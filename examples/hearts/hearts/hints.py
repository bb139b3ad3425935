"""What speaks for an action in a hint: the higher cards that are still out."""

from cardhub import Names, amount, listed
from hearts.table import (
    CARDS,
    FACES,
    POINTS,
    RANK,
    SEATS,
    SUIT,
    SUITS,
    Table,
    receiver,
    suit_led,
)

QUEEN = CARDS.face("QS")
# The most cards that a hint names; it counts more of them.
MOST_NAMED = 3


def passing(state: Table, token: int, names: Names) -> str:
    """Return who gets a passed card, and how many cards of its suit are left."""
    seat, suit = state.seat, SUIT[state.face[token]]
    left = sum(SUIT[state.face[other]] == suit for other in state.hand[seat]) - 1
    taker = names.player(receiver(state, seat))
    if left == 1:
        return f"{taker} gets it, and you keep one more of the {SUITS[suit]}."
    return f"{taker} gets it, and you keep {left or 'no'} {SUITS[suit]}."


def leading(state: Table, face: int) -> str:
    """Return which higher cards are still out against a card that leads."""
    suit = SUIT[face]
    out = _still_out(state, suit)
    higher = [card for card in out if RANK[card] > RANK[face]]
    text = f"{_higher_text(higher, out, suit)}."
    if QUEEN in out and QUEEN not in higher:
        return f"{text} The queen of spades may fall to you."
    return f"{text} It may bring out the queen of spades." if QUEEN in out else text


def following(state: Table, face: int, winner: int, names: Names) -> str:
    """Return whether a card can take the trick that `winner` is ahead in."""
    suit, worth = suit_led(state), worth_of_trick(state, face)
    best = state.face[state.laid[winner][0]]
    if SUIT[face] != suit:
        away = f", and you give {amount(POINTS[face], 'point')} away" if POINTS[face] else ""
        return f"You cannot take this trick, in which {names.player(winner)} is ahead{away}."
    if RANK[face] < RANK[best]:
        return f"{names.player(winner)} is ahead, so you do not take this trick with {worth}."
    if sum(map(len, state.laid)) == SEATS - 1:
        return f"You take the trick with {worth}."
    out = _still_out(state, suit)
    higher = [card for card in out if RANK[card] > RANK[face]]
    return f"It is the best card so far in a trick with {worth}. {_higher_text(higher, out, suit)}."


def worth_of_trick(state: Table, face: int) -> str:
    """Return the points of the current trick with a card."""
    points = POINTS[face] + sum(POINTS[state.face[pile[0]]] for pile in state.laid if pile)
    return amount(points, "point") if points else "no points"


def _still_out(state: Table, suit: int) -> list[int]:
    """Return the cards of a suit that other players hold, by rank."""
    piles = (*state.taken, *state.laid, state.hand[state.seat])
    gone = {state.face[token] for pile in piles for token in pile}
    return [face for face in FACES if SUIT[face] == suit and face not in gone]


def _higher_text(higher: list[int], out: list[int], suit: int) -> str:
    if not out:
        return f"The other players hold no {SUITS[suit]}, so you take the trick"
    if not higher:
        return f"No higher {SUITS[suit]} are out, so you take the trick"
    if len(higher) > MOST_NAMED:
        return f"{len(higher)} of the {len(out)} {SUITS[suit]} still out are higher"
    verb, total = "is" if len(higher) == 1 else "are", amount(len(out), SUITS[suit][:-1])
    labels = listed([CARDS.faces[face].label for face in higher])
    return f"Only {labels} {verb} higher, of {total} still out"
