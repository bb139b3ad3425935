"""Quick play for simulated games, and the evaluation of a position."""

from random import Random

from typing_extensions import override

from cardhub import Heuristics
from four_piles.table import (
    DONE,
    KEEP,
    LAY,
    LAYING,
    LOWEST,
    NO_PILE,
    ON,
    PILES,
    VALUE,
    Table,
    count_laid,
    required,
    step,
)

# A step this short is taken though the turn could end.
SHORT = 2
# The steps that a pile is worth to the player who asked the others to keep off it.
RESERVED = 8
# Longer than any step with its reserve.
NEVER = 1000
# The room on the piles that a card takes, on average, before a player is stuck.
ROOM_OF_CARD = 4.5


class FourPilesHeuristics(Heuristics[Table]):
    """Short steps, and the room that is left on the piles."""

    # The end of this turn, and the next player's turn.
    playout_depth = 2

    @override
    def playout_action(self, state: Table, rng: Random) -> int:
        """Return the shortest step, or the end of the turn if the next step would be long."""
        legal = self.game.legal(state)
        if len(legal) == 1:
            return legal[0]
        if state.phase != LAYING:
            value = VALUE[state.face[state.chosen[0]]]
            return min(legal, key=lambda action: price(state, action - ON, value))
        token, cost = cheapest(state)
        if state.laid < required(state) or cost <= SHORT:
            return LAY + token
        return KEEP + reserve(state) if KEEP in legal and reserve(state) != NO_PILE else DONE

    @override
    def evaluate(self, state: Table) -> list[float]:
        """Return for all seats the cards that can be expected on the piles in the end."""
        first, second, third, fourth = state.tops
        ends = (LOWEST - 1, state.settings.number("highest") + 1)
        # The numbers left on all four piles together.
        room = 2 * ends[1] - first - second + third + fourth - 2 * ends[0]
        left = len(state.stack) + sum(map(len, state.hand))
        return [count_laid(state) + min(left, room / ROOM_OF_CARD)] * state.seats


def cheapest(state: Table) -> tuple[int, int]:
    """Return the card in hand with the shortest step, and the length of that step."""
    best, lowest = -1, NEVER
    for token in state.hand[state.seat]:
        value = VALUE[state.face[token]]
        cost = min(price(state, pile, value) for pile in range(len(PILES)))
        if cost < lowest:
            best, lowest = token, cost
    return best, lowest


def price(state: Table, pile: int, value: int) -> int:
    """Return the length of a step, and more on a pile that another player wants to keep."""
    length = step(state, pile, value)
    if length is None:
        return NEVER
    return length + RESERVED if pile in state.kept else length


def reserve(state: Table) -> int:
    """Return the pile for which the seat to act holds a step back, or NO_PILE."""
    for pile in range(len(PILES)):
        for token in state.hand[state.seat]:
            length = step(state, pile, VALUE[state.face[token]])
            if length is not None and length < 0:
                return pile
    return NO_PILE
