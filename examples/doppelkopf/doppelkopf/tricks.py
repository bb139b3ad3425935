"""Announcing and taking tricks, applied to a state, and what is known about the sides."""

from cardhub import OVER, WATCHED, clockwise, left_of
from doppelkopf.table import (
    ANNOUNCE,
    CLUB_QUEEN,
    KONTRA,
    NO_SIDE,
    NO_SUIT,
    OF_SUIT,
    PLAY,
    POWER,
    QUEENS,
    RE,
    SEATS,
    SUIT,
    TRUMP,
    Table,
    suit_led,
)

TAKES = "{player} takes the trick"
IS_RE = "{player} is on the side of Re"


def side(state: Table, seat: int) -> int:
    """Return the side of a seat; in an observation it raises HiddenFaceError if it is unknown."""
    held = [sum(is_queen(state, token) for token in hand) for hand in state.hand]
    seen = [played + others for played, others in zip(state.queens, held, strict=True)]
    is_re = [count > 0 or said == RE for count, said in zip(seen, state.announced, strict=True)]
    if is_re[seat]:
        return RE
    if sum(seen) == QUEENS or sum(is_re) == QUEENS or state.excluded[seat] >> CLUB_QUEEN & 1:
        return KONTRA
    return RE if holds_queen(state, seat) else KONTRA


def is_queen(state: Table, token: int) -> bool:
    """Return whether a card is known to be a queen of clubs."""
    return state.has_face(token) and state.face[token] == CLUB_QUEEN


def holds_queen(state: Table, seat: int) -> bool:
    """Return whether a seat holds a queen of clubs; raises HiddenFaceError for unseen hands."""
    return any(state.face[token] == CLUB_QUEEN for token in state.hand[seat])


def announceable(state: Table) -> list[int]:
    """Return the actions of the seat to act that announce its side, at most one."""
    if len(state.hand[state.seat]) < hand_size(state) - 1:
        return []
    own = side(state, state.seat)
    return [] if own in state.announced else [ANNOUNCE + own]


def hand_size(state: Table) -> int:
    """Return the number of cards that each seat was dealt."""
    return len(state.back) // SEATS


def announce(state: Table, own: int) -> None:
    """Apply an announcement; the same seat then plays a card."""
    state.announced[state.seat] = own
    if own == KONTRA:
        state.excluded[state.seat] |= 1 << CLUB_QUEEN


def playable(state: Table) -> list[int]:
    """Return the actions for the cards that may be played."""
    hand, face, suit = state.hand[state.seat], state.face, suit_led(state)
    choice = [PLAY + token for token in hand if SUIT[face[token]] == suit]
    return choice or [PLAY + token for token in hand]


def play(state: Table, token: int) -> None:
    """Apply a play action; the last card of a trick gives it to its winner."""
    seat, face, suit = state.seat, state.face[token], suit_led(state)
    if suit not in (NO_SUIT, SUIT[face]):
        state.excluded[seat] |= OF_SUIT[suit]
    state.move(token, state.hand[seat], state.laid, seat)
    if face == CLUB_QUEEN:
        if WATCHED and not state.queens[seat] and state.announced[seat] == NO_SIDE:
            state.log(IS_RE, seat)
        state.queens[seat] += 1
    state.seat = left_of(seat, SEATS)
    if state.seat == state.leader:
        take_trick(state)


def best_seat(state: Table) -> int:
    """Return the seat whose card is the best of the current trick, which is not empty.

    Of two equal cards the first one is better.
    """
    suit, face = suit_led(state), state.face
    seats = [seat for seat in clockwise(state.leader, SEATS) if state.laid[seat]]
    return max(seats, key=lambda seat: power(face[state.laid[seat][0]], suit))


def power(face: int, led: int) -> int:
    """Return the power of a card in a trick; -1 for a side suit that was not led."""
    return POWER[face] if SUIT[face] in (led, TRUMP) else -1


def take_trick(state: Table) -> None:
    """Give the trick to its best card; its owner leads next."""
    winner = best_seat(state)
    if WATCHED:
        state.pause(TAKES, state.laid[winner], winner)
        state.log(TAKES, winner)
    # In the order of play: the scene shows the last four cards as the last trick.
    for seat in clockwise(state.leader, SEATS):
        state.put(state.laid[seat].pop(), state.taken, winner)
    state.leader = state.seat = winner
    if not any(state.hand):
        state.seat = OVER
