"""Dealing, bidding and taking tricks, applied to a state."""

from cardhub import WATCHED, left_of
from spades.table import (
    BIDDING,
    HAND,
    NO_BID,
    NO_SPADES,
    OF_SUIT,
    PLAY,
    PLAYING,
    POWER,
    SEATS,
    SPADES,
    SUIT,
    Table,
    suit_led,
)

TAKES = "{player} takes the trick"


def deal_hands(state: Table) -> None:
    """Apply the action of chance: deal all cards; the first to bid moves on with each deal."""
    for seat in range(SEATS):
        state.put_all(state.stack[seat * HAND : seat * HAND + HAND], state.hand, seat)
    state.stack.clear()
    # Conclusions about the last hands do not hold for the new hands.
    state.excluded, state.is_broken = [0] * SEATS, False
    state.bids = [NO_BID] * SEATS
    state.seat = state.leader = state.number % SEATS
    state.phase = BIDDING


def bid(state: Table, number: int) -> None:
    """Apply a bid; after the last one, the first bidder leads."""
    state.bids[state.seat] = number
    state.seat = left_of(state.seat, SEATS)
    if state.seat == state.leader:
        state.phase = PLAYING


def playable(state: Table) -> list[int]:
    """Return the actions for the cards that may be played."""
    hand, face, suit = state.hand[state.seat], state.face, suit_led(state)
    if suit is not None:
        choice = [PLAY + token for token in hand if SUIT[face[token]] == suit]
    elif not state.is_broken:
        choice = [PLAY + token for token in hand if SUIT[face[token]] != SPADES]
    else:
        choice = []
    return choice or [PLAY + token for token in hand]


def play(state: Table, token: int) -> None:
    """Apply a play action; the last card of a trick gives it to its winner."""
    seat, face = state.seat, state.face[token]
    # Before the card is laid, because it depends on the suit led.
    state.excluded[seat] |= given_away(state, face)
    state.is_broken = state.is_broken or SUIT[face] == SPADES
    state.move(token, state.hand[seat], state.laid, seat)
    state.seat = left_of(seat, SEATS)
    if state.seat == state.leader:
        take_trick(state)


def given_away(state: Table, face: int) -> int:
    """Return the mask of the faces that a seat cannot hold after playing this one."""
    suit = suit_led(state)
    if suit is None:
        # Spades may be led before they are broken only from a hand of spades.
        return NO_SPADES if SUIT[face] == SPADES and not state.is_broken else 0
    return 0 if SUIT[face] == suit else OF_SUIT[suit]


def best_seat(state: Table) -> int:
    """Return the seat whose card is the best of the current trick, which is not empty."""
    suit, face = suit_led(state), state.face
    powers = [power(face[laid[0]], suit) if laid else 0 for laid in state.laid]
    return powers.index(max(powers))


def power(face: int, led: int | None) -> int:
    """Return the power of a card in a trick; 0 for side suits that were not led."""
    return POWER[face] if SUIT[face] in (led, SPADES) else 0


def take_trick(state: Table) -> None:
    """Give the trick to the highest spade, or else to the highest card of the suit led."""
    winner = best_seat(state)
    if WATCHED:
        state.pause(TAKES, state.laid[winner], winner)
        state.log(TAKES, winner)
    # In the order of play: the scene shows the last four cards as the last trick.
    for step in range(SEATS):
        laid = state.laid[(state.leader + step) % SEATS]
        state.put(laid.pop(), state.taken, winner)
    state.leader = state.seat = winner
