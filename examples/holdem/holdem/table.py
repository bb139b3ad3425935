"""The cards, the actions, the options and the state."""

from typing import Annotated

from cardhub import (
    Actions,
    Amount,
    IndexOf,
    Number,
    Option,
    Range,
    State,
    french_deck,
    per_seat,
    shared,
)

CARDS = french_deck()
MOST_SEATS, MOST_CHIPS = 6, 100
# By round of betting, the number of cards on the board.
BOARD = (0, 3, 4, 5)
PHASES = ("before the flop", "flop", "turn", "river")

# Nobody can have more than all chips of the largest table.
BET = Amount("bet", 1, MOST_SEATS * MOST_CHIPS)
RAISE = Amount("raise", 1, MOST_SEATS * MOST_CHIPS, text="raise to {amount}")
ACTIONS = Actions("fold", "check", "call", BET, RAISE, "deal", "gather")
FOLD, CHECK, CALL, _, _, DEAL, GATHER = ACTIONS.starts

OPTIONS: dict[str, Option] = {
    "chips": Number(100, "The chips of each player at the start.", 10, MOST_CHIPS),
    "hands": Number(6, "The greatest number of hands.", 1, 50),
    "blind": Number(2, "The big blind; the small blind is half of it.", 2, 10),
}
NOT_ACTED = -1


class Table(State):
    """The state; all lists are by seat.

    `chips` are not staked yet, `staked` are all chips of a seat in this hand, `bets` those of this
    round of betting. `is_in`: whether the seat has cards and has not folded. `bet` is the highest
    bet of the round, and `raised_by` the size of its last full raise. `acted` is the highest bet
    when a seat acted last in the round, or NOT_ACTED. `number` counts the hands, the current one
    included.
    """

    hand = per_seat(faces="owner")
    board = shared(faces="all")
    folded = shared(faces="nobody", noun="folded cards")
    stack = shared(faces="nobody")
    chips: Annotated[list[int], Range(0, "seats * chips")]
    staked: Annotated[list[int], Range(0, "seats * chips")]
    bets: Annotated[list[int], Range(0, "seats * chips", most="seats")]
    is_in: Annotated[list[bool], Range(0, 1, most="seats")]
    acted: Annotated[list[int], Range(NOT_ACTED, "seats * chips", most="seats")]
    bet: Annotated[int, Range(0, "seats * chips")]
    raised_by: Annotated[int, Range(0, "seats * chips")]
    button: Annotated[int, IndexOf("seats")]
    number: Annotated[int, Range(0, "hands")]


def is_hand_over(state: Table) -> bool:
    """Return whether a hand is over, and its cards are still on the table."""
    return state.seat < 0 and len(state.stack) < CARDS.count


def pot(state: Table) -> int:
    """Return all chips that are staked."""
    return sum(state.staked)


def owed(state: Table, seat: int) -> int:
    """Return the chips that a call costs, at most those that the seat has."""
    return min(state.bet - state.bets[seat], state.chips[seat])
