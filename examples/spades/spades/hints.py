"""What speaks for an action in a hint: sure tricks, and the cards that beat a card."""

from cardhub import Names, amount, listed
from spades.scoring import NIL_POINTS, TRICK_POINTS
from spades.table import (
    CARDS,
    FACES,
    NIL,
    NO_BID,
    RANK,
    SEATS,
    SPADES,
    SUIT,
    SUITS,
    TEAMS,
    Table,
    bid_text,
    suit_led,
    tricks,
)
from spades.tricks import best_seat, power

KING = 13
# The most cards that a hint names; it counts more of them.
MOST_NAMED = 3


def bidding(state: Table, names: Names) -> str:
    """Return what a hand has for its bid, and the partner's bid."""
    seat, partner = state.seat, (state.seat + 2) % SEATS
    faces = [state.face[token] for token in state.hand[seat]]
    spades = sum(SUIT[face] == SPADES for face in faces)
    high = sum(SUIT[face] != SPADES and RANK[face] >= KING for face in faces)
    strong = amount(high, "ace or king", "aces and kings")
    text = f"You hold {amount(spades, 'spade')} and {strong} of other suits."
    if state.bids[partner] == NO_BID:
        return text
    return f"{text} {names.player(partner)} has bid {bid_text(state.bids[partner])}."


def promise(state: Table, bid: int, names: Names) -> str:
    """Return what a bid promises."""
    if bid == NIL:
        return (
            f"if you take no trick, your team gets {NIL_POINTS} points; "
            f"if you take any, it loses {NIL_POINTS}"
        )
    partner = (state.seat + 2) % SEATS
    if state.bids[partner] == NO_BID:
        more = f"and as many more as {names.player(partner)} bids"
        return f"your team must take {amount(bid, 'trick')}, {more}"
    total = bid + state.bids[partner]
    points = f"for {TRICK_POINTS * total} points; with fewer, it loses these points"
    return f"your team must take {amount(total, 'trick')} {points}"


def playing(state: Table, token: int, names: Names) -> str:
    """Return which cards beat a card, and the tricks of the team."""
    return f"{_beaten(state, state.face[token], names)} {_standing(state)}"


def _beaten(state: Table, face: int, names: Names) -> str:
    led = suit_led(state)
    if led is not None:
        best = best_seat(state)
        if power(face, led) < power(state.face[state.laid[best][0]], led):
            return f"{names.player(best)} is ahead, so this card does not take the trick."
        if sum(map(len, state.laid)) == SEATS - 1:
            return "You take the trick."
    suit, unseen = SUIT[face], _still_out(state)
    out = [card for card in unseen if SUIT[card] == suit]
    higher = [card for card in out if RANK[card] > RANK[face]]
    text = _higher_text(higher, out, suit)
    if suit == SPADES:
        return f"{text}."
    trumps = sum(SUIT[card] == SPADES for card in unseen)
    return f"{text}. Trumps still out: {trumps}."


def _still_out(state: Table) -> list[int]:
    """Return the cards that other players hold."""
    piles = (*state.taken, *state.laid, state.hand[state.seat])
    gone = {state.face[token] for pile in piles for token in pile}
    return [face for face in FACES if face not in gone]


def _higher_text(higher: list[int], out: list[int], suit: int) -> str:
    if not higher:
        return f"No higher {SUITS[suit]} are out"
    if len(higher) > MOST_NAMED:
        return f"{len(higher)} of the {len(out)} {SUITS[suit]} still out are higher"
    verb, total = "is" if len(higher) == 1 else "are", amount(len(out), SUITS[suit][:-1])
    labels = listed([CARDS.faces[face].label for face in higher])
    return f"Only {labels} {verb} higher, of {total} still out"


def _standing(state: Table) -> str:
    """Return the tricks that the team has taken and bid."""
    members = [seat for seat in range(SEATS) if TEAMS[seat] == TEAMS[state.seat]]
    taken, bids = (sum(counts[seat] for seat in members) for counts in (tricks(state), state.bids))
    if taken > bids:
        return f"Your team has bid {amount(bids, 'trick')} and has already {taken}."
    return f"Your team has {taken} of the {bids} tricks that it has bid."
