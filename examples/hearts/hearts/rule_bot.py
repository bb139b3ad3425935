"""A bot that ducks: it takes tricks late and cheaply, and throws what could hurt it."""

from random import Random

from cardhub import Observation
from hearts.table import (
    ACTIONS,
    CARDS,
    FACES,
    HEARTS,
    NO_SUIT,
    PASSING,
    POINTS,
    RANK,
    SEATS,
    SUIT,
    Table,
    is_first_trick,
    suit_led,
)

QUEEN = CARDS.face("QS")
SPADES = SUIT[QUEEN]
# With as many other spades a high spade is safe in the hand: others run out of spades first.
GUARDS = 4
# The value of losing a card, in addition to its rank of 2 to 14.
QUEEN_HURTS, SPADE_HURTS, HEART_HURTS = 100, 50, 10
# Of each card of its suit in the hand: short suits are emptied first, to throw points later.
LENGTH = 2


class Ducker:
    """A rule-based bot without search; it chooses at random among cards of equal value."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, observation: Observation[Table]) -> int:
        """Return the action of the highest value."""
        legal, state = observation.legal(), observation.state
        if len(legal) == 1:
            return legal[0]
        hand = [state.face[token] for token in state.hand[state.seat]]
        faces = {action: state.face[ACTIONS.verb_and_index[action][1]] for action in legal}
        values = {action: _value(state, hand, face) for action, face in faces.items()}
        best = max(values.values())
        return self._rng.choice([action for action in legal if values[action] == best])


def _value(state: Table, hand: list[int], face: int) -> float:
    suit = suit_led(state)
    if state.phase == PASSING:
        return 0 if _is_guarded(hand, face) else _harm(hand, face, is_queen_out=True)
    if suit == NO_SUIT:
        return _value_of_leading(_faces_out(state, hand), face)
    if suit == SUIT[face]:
        return _value_of_following(state, face)
    return _harm(hand, face, is_queen_out=QUEEN in _faces_out(state, hand))


def _harm(hand: list[int], face: int, is_queen_out: bool) -> float:
    """Return the value of being rid of a card."""
    suit, rank = SUIT[face], RANK[face]
    if face == QUEEN:
        return QUEEN_HURTS
    if suit == SPADES and rank > RANK[QUEEN] and is_queen_out:
        return SPADE_HURTS + rank
    length = sum(SUIT[card] == suit for card in hand)
    return rank + HEART_HURTS * (suit == HEARTS) - LENGTH * length


def _is_guarded(hand: list[int], face: int) -> bool:
    """Return whether a card is a spade in a hand with many spades."""
    spades = sum(SUIT[card] == SPADES for card in hand)
    return SUIT[face] == SPADES and spades > GUARDS


def _value_of_leading(out: list[int], face: int) -> float:
    """Return a value that is higher the more cards of other hands can take the trick."""
    suit, rank = SUIT[face], RANK[face]
    same = [RANK[card] for card in out if SUIT[card] == suit]
    if not same:  # all others throw what hurts them
        return -QUEEN_HURTS
    lower = sum(other < rank for other in same)
    # Low spades make who holds the queen play her.
    hunts = QUEEN in out and suit == SPADES and rank < RANK[QUEEN]
    dares = QUEEN in out and suit == SPADES and rank > RANK[QUEEN]
    return hunts - dares * SPADE_HURTS - lower / len(same) - (face == QUEEN) * QUEEN_HURTS


def _value_of_following(state: Table, face: int) -> float:
    """Return the value of a card of the suit led: high below the best, else cheap."""
    laid = [state.face[pile[0]] for pile in state.laid if pile]
    rank, best = RANK[face], max(RANK[card] for card in laid if SUIT[card] == SUIT[face])
    is_last = len(laid) == SEATS - 1
    # Nobody can add points any more, or may do so in the first trick.
    is_free = not any(POINTS[card] for card in laid) and (is_last or is_first_trick(state))
    if face == QUEEN:
        return QUEEN_HURTS if rank < best else -QUEEN_HURTS
    if rank < best:
        return rank + (0 if is_free else SPADE_HURTS)
    # Who must take a trick as the last one takes it with the highest card.
    return rank if is_free or is_last else -rank


def _faces_out(state: Table, hand: list[int]) -> list[int]:
    """Return the cards in other hands, or laid aside: neither in the own one nor played."""
    played = {state.face[token] for pile in (*state.taken, *state.laid) for token in pile}
    return [face for face in FACES if face not in played and face not in hand]
