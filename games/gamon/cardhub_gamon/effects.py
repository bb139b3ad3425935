"""Effects of cards after the winner of a turn is decided.

All amounts are limited by the coins there are (gamon N11). An effect that leaves its owner a choice
asks for it, unless the only choice is 0.
"""

from cardhub import WATCHED
from cardhub_gamon.table import CHOOSING, MOVE, PAY, REMOVE, Table

MOST_MOVED, MOST_REMOVED, MOST_PAID = 3, 2, 1
WEAKER, STRONGER = -2, 2
TAKES = "{cards}: {player} takes {coins:coin} from the prize"
ADDS = "{cards} adds {coins:coin} from the pile to the prize"
WEAKENS = "{cards}: {player}'s next card this round counts 2 less"


def no_effect(state: Table, seat: int) -> None:
    """Leave the state unchanged."""


def take_one(state: Table, seat: int) -> None:
    """Take a coin from the prize."""
    # The prize may be empty: earlier effects can have removed its coins.
    amount = min(1, state.prize)
    state.prize -= amount
    state.purse[seat] += amount
    if WATCHED:
        state.log(TAKES, seat, state.played[seat][-1:], coins=amount)


def add_one(state: Table, seat: int) -> None:
    """Add a coin from the pile to the prize."""
    _add(state, seat, 1)


def double(state: Table, seat: int) -> None:
    """Double the prize from the pile."""
    _add(state, seat, state.prize)


def add_cards_played(state: Table, seat: int) -> None:
    """Add a coin from the pile for each card that both seats have played this round."""
    _add(state, seat, len(state.played[0]) + len(state.played[1]))


def weaken_next(state: Table, seat: int) -> None:
    """Give the opponent's next card this round -2 (gamon N16)."""
    state.bonus[1 - seat] += WEAKER
    if WATCHED:
        state.log(WEAKENS, 1 - seat, state.played[seat][-1:])


def ask_to_move(state: Table, seat: int) -> None:
    """Ask how many coins to move from the other purse to the prize (gamon N12)."""
    _ask(state, seat, MOVE, min(MOST_MOVED, state.purse[1 - seat]))


def ask_to_remove(state: Table, seat: int) -> None:
    """Ask how many coins to put back from the prize to the pile (gamon N12)."""
    _ask(state, seat, REMOVE, min(MOST_REMOVED, state.prize))


def ask_to_pay(state: Table, seat: int) -> None:
    """Ask whether to pay a coin into the prize (gamon N12)."""
    _ask(state, seat, PAY, min(MOST_PAID, state.purse[seat]))


def legal_choices(state: Table) -> list[int]:
    """Return an action for each amount that the seat to act can choose."""
    return list(range(state.choice, state.choice + state.choices))


def choose(state: Table, amount: int) -> None:
    """Apply the action that chooses an amount."""
    seat, choice = state.seat, state.choice
    state.choices = 0
    if choice == MOVE:
        state.purse[1 - seat] -= amount
        state.prize += amount
    elif choice == REMOVE:
        state.prize -= amount
        state.pile += amount
    else:
        state.purse[seat] -= amount
        state.prize += amount
        state.bonus[seat] += STRONGER * amount  # for the next card placed (gamon N16)


def _ask(state: Table, seat: int, choice: int, most: int) -> None:
    # Without coins the seat has no choice, and the effect is over.
    if most:
        state.seat, state.phase = seat, CHOOSING
        state.choice, state.choices = choice, most + 1


def _add(state: Table, seat: int, wanted: int) -> None:
    amount = min(wanted, state.pile)  # the prize may exceed four coins (gamon N11)
    state.pile -= amount
    state.prize += amount
    if WATCHED:
        state.log(ADDS, cards=state.played[seat][-1:], coins=amount)
