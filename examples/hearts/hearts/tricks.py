"""Actions of passing cards and of taking tricks, applied to a state."""

from cardhub import WATCHED, first_seat, left_of
from hearts import sentences
from hearts.demands import ANY_CARD, FOLLOWING, FOLLOWING_FIRST, LEADING, LEADING_FIRST, Rule
from hearts.table import (
    ALL_POINTS,
    HAND,
    HEARTS,
    NO_HEARTS,
    NO_SUIT,
    OF_SUIT,
    PASSED,
    PASSING,
    PLAY,
    PLAYING,
    POINTS,
    RANK,
    SEATS,
    SUIT,
    TWO_OF_CLUBS,
    WORTHLESS,
    Table,
    has_two_of_clubs,
    is_first_trick,
    receiver,
    suit_led,
    way,
)


def deal_hands(state: Table) -> None:
    """Apply the action of chance: deal all cards; then cards are passed, or play begins."""
    for seat in range(SEATS):
        state.put_all(state.stack[seat * HAND : seat * HAND + HAND], state.hand, seat)
    state.stack.clear()
    # Conclusions about the last hand do not hold for the new hand.
    state.excluded, state.is_broken = [0] * SEATS, False
    state.seat, state.phase = 0, PASSING
    if WATCHED:
        state.log("Hand {number} is dealt", number=state.number + 1)
    if way(state) == "hold":
        begin_play(state)


def pass_on(state: Table, token: int) -> None:
    """Apply a pass action: lay a card aside; after the last one, exchange the cards."""
    seat = state.seat
    state.move(token, state.hand[seat], state.passed, seat)
    if len(state.passed[seat]) == PASSED:
        state.seat = left_of(seat, SEATS)
        # Seat 0 passes first, so all have passed now.
        if state.seat == 0:
            exchange(state)
            begin_play(state)


def exchange(state: Table) -> None:
    """Hand over the cards laid aside; their givers still know them."""
    for giver, cards in enumerate(state.passed):
        taker = receiver(state, giver)
        state.put_all(cards, state.hand, taker)
        if WATCHED:
            # Only the two players know the cards.
            state.log(sentences.GETS, taker, cards, other=giver, is_private=True)
        cards.clear()


def begin_play(state: Table) -> None:
    """Ask each seat for the two of clubs, which leads."""
    # Hands are hidden: the referee answers for each seat, and records keep the answers.
    leader = first_seat(0, SEATS, lambda seat: state.answer(lambda: has_two_of_clubs(state, seat)))
    assert leader is not None  # all cards are dealt
    # The answers are public, so determinizations must agree with them.
    state.excluded = [(seat != leader) << TWO_OF_CLUBS for seat in range(SEATS)]
    state.seat = state.leader = leader
    state.phase = PLAYING
    if WATCHED:
        state.log(sentences.LEADS, leader)


def playable(state: Table) -> list[int]:
    """Return the actions for the cards that may be played."""
    hand, face = state.hand[state.seat], state.face
    for demanded, _ in rules(state):
        # A rule that the hand cannot fulfil does not apply.
        if choice := [PLAY + token for token in hand if demanded[face[token]]]:
            return choice
    return [PLAY + token for token in hand]


def rules(state: Table) -> list[Rule]:
    """Return the rules that apply now, the stricter one first."""
    suit, is_first = suit_led(state), is_first_trick(state)
    if suit != NO_SUIT:
        return FOLLOWING_FIRST[suit] if is_first else FOLLOWING[suit]
    if is_first:
        return LEADING_FIRST
    return ANY_CARD if state.is_broken else LEADING


def play(state: Table, token: int) -> None:
    """Apply a play action; the last card of a trick gives it to its winner."""
    seat, face = state.seat, state.face[token]
    # Before the card is laid, because it depends on the suit led.
    state.excluded[seat] |= given_away(state, face)
    state.is_broken = state.is_broken or POINTS[face] > 0
    state.move(token, state.hand[seat], state.laid, seat)
    state.seat = left_of(seat, SEATS)
    if state.seat == state.leader:
        take_trick(state)


def given_away(state: Table, face: int) -> int:
    """Return the mask of the faces that a seat cannot hold after playing this one."""
    suit = suit_led(state)
    if suit == NO_SUIT:
        # A heart may be led before hearts are broken only from a hand of hearts.
        return NO_HEARTS if SUIT[face] == HEARTS and not state.is_broken else 0
    if SUIT[face] == suit:
        return 0
    return OF_SUIT[suit] | (WORTHLESS if POINTS[face] and is_first_trick(state) else 0)


def take_trick(state: Table) -> None:
    """Give the trick to the highest card of the suit led; its owner leads next."""
    winner = best_seat(state)
    if WATCHED:
        sentences.show_trick(state, winner)
    # In the order of play: the scene shows the last four cards as the last trick.
    for step in range(SEATS):
        laid = state.laid[(state.leader + step) % SEATS]
        state.put(laid.pop(), state.taken, winner)
    state.leader = state.seat = winner


def best_seat(state: Table) -> int:
    """Return the seat that is ahead in a trick, in which a card has been led."""
    suit, face = suit_led(state), state.face
    best, highest = state.leader, 0
    for seat, laid in enumerate(state.laid):
        if laid:
            card = face[laid[0]]
            if SUIT[card] == suit and RANK[card] > highest:
                best, highest = seat, RANK[card]
    return best


def scores(state: Table) -> list[int]:
    """Return for a state the points of all hands, including the current one."""
    face = state.face
    points = [sum(POINTS[face[token]] for token in taken) for taken in state.taken]
    # All points are 0 for their owner, and count for the three others.
    if ALL_POINTS in points:  # a seat has shot the moon
        points = [ALL_POINTS - own for own in points]
    return [total + own for total, own in zip(state.total, points, strict=True)]
