"""Placing a card, calling a value, and the public conclusions about hidden cards."""

from cardhub_gamon.rules_of_cards import CONDITIONAL, MOST_CONDITIONAL, NEVER_CALLED
from cardhub_gamon.table import CALL, CALLING, CARDS, DOUBTING, PLACE, PLACING, Table

FACES = range(len(CARDS.faces))
EVERY_FACE = (1 << len(FACES)) - 1
CALLS = range(1, 7)
# The legal call actions by face of the card just placed (gamon N7).
LEGAL_CALLS = [
    [CALL + number - 1 for number in CALLS if not NEVER_CALLED[number] >> face & 1]
    for face in FACES
]


def unplayable(state: Table, seat: int) -> int:
    """Return the mask of the faces that the seat could not place in this state (gamon N14)."""
    mask = 0
    for bit, condition in CONDITIONAL[seat]:
        if not condition(state, seat):
            mask |= bit
    return mask


def legal_places(state: Table) -> list[int]:
    """Return an action for each card of the hand that can be placed."""
    face, mask = state.face, unplayable(state, state.seat)
    return [PLACE + token for token in state.hand[state.seat] if not mask >> face[token] & 1]


def place(state: Table, token: int) -> None:
    """Place a card face down; it uses up the bonus of the next card (gamon N16)."""
    seat = state.seat
    state.move(token, state.hand[seat], state.placed, seat)
    # That the card could be placed is public, and therefore which faces it cannot have.
    state.excluded[token] |= unplayable(state, seat)
    state.carried[seat], state.bonus[seat] = state.bonus[seat], 0
    state.phase = CALLING


def legal_calls(state: Table) -> list[int]:
    """Return the legal call actions for the card just placed."""
    return LEGAL_CALLS[state.face[state.placed[state.seat][0]]]


def call(state: Table, number: int) -> None:
    """Call a number; the defender is next to place a card, or to doubt."""
    seat = state.seat
    state.called[seat] = number
    state.calls.append(number)
    state.excluded[state.placed[seat][0]] |= NEVER_CALLED[number]
    state.phase = PLACING if seat == state.attacker else DOUBTING
    state.seat = 1 - state.attacker


def is_stuck(state: Table, seat: int) -> bool:
    """Return whether no card of the hand can be placed, which becomes public (gamon N15)."""
    hand = state.hand[seat]
    if len(hand) > MOST_CONDITIONAL[seat]:
        return False  # some card has no condition, which reveals no face
    mask, face = unplayable(state, seat), state.face
    # The hand is hidden: the referee answers for it, and records keep the answer.
    stuck = state.answer(lambda: all(mask >> face[token] & 1 for token in hand))
    _conclude(state, hand, mask, stuck)
    return stuck


def _conclude(state: Table, hand: list[int], mask: int, stuck: bool) -> None:
    """Record which faces the cards of a hand cannot have, given the mask of unplayable faces."""
    # The answer is public, so determinizations have to agree with it.
    if stuck:
        for token in hand:
            state.excluded[token] |= EVERY_FACE ^ mask
    elif len(hand) == 1:
        state.excluded[hand[0]] |= mask
    elif mask:
        state.able.append([mask, *hand])  # one of several cards is playable: see `Table`
