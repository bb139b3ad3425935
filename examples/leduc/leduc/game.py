"""Leduc poker (Southey et al. 2005): what it is, and its rules.

The tree of the game is that of OpenSpiel's `leduc_poker` for two players: faces and actions have
the same numbers, and tokens 0, 1 and 2 are the cards that its chance deals, in that order.
"""

from pathlib import Path

from cardhub import (
    OVER,
    Actions,
    Area,
    Game,
    Names,
    Scene,
    Seats,
    State,
    load_cards,
    per_seat,
    shared,
)

CARDS = load_cards(Path(__file__).with_name("cards.yaml"), rank=int)
RANK = CARDS.ints("rank")
PAIR = 100
"""What a pair is worth beside its rank."""
ACTIONS = Actions("fold", "call", "raise")
FOLD, CALL, RAISE = ACTIONS.starts
PHASES = ("first round", "second round")
SIZE, MOST_RAISES = (2, 4), 2
"""How much a raise is, by round, and how many there may be in each."""


class Table(State):
    """A position: hands, the card turned up, stakes, and how many raises this round has had."""

    hand = per_seat(faces="owner")
    board = shared(faces="all")
    stack = shared(faces="nobody")
    stakes: list[int]
    raises: int


class Leduc(Game[Table]):
    """The smallest poker with a card that both share."""

    name, title, seats = "leduc", "Leduc poker", Seats(2)
    cards, actions, phases, state_type = CARDS, ACTIONS, PHASES, Table

    def deal(self, state: Table) -> None:
        """Deal token 0 to seat 0 and token 1 to seat 1; both ante a chip."""
        state.put(0, state.hand, 0)
        state.put(1, state.hand, 1)
        state.put_all(range(5, 1, -1), state.stack)
        state.stakes = [1, 1]

    def legal(self, state: Table) -> list[int]:
        """Folding needs a bet to fold to; raising ends with the second raise of a round."""
        return [FOLD] * bool(owed(state)) + [CALL] + [RAISE] * (state.raises < MOST_RAISES)

    def apply(self, state: Table, action: int) -> None:
        """Fold, or stake what was chosen; a call ends the round unless the first seat checks."""
        if action == FOLD:
            state.seat = OVER
            return
        state.stakes[state.seat] += owed(state)
        if action == RAISE:
            state.stakes[state.seat] += SIZE[state.phase]
            state.raises += 1
        elif state.raises or state.seat == 1:
            end_round(state)
            return
        state.seat = 1 - state.seat

    def scores(self, state: Table) -> list[int]:
        """Return the chips won; nobody has won any before the end."""
        if state.seat != OVER:
            return [0, 0]
        first, second = state.stakes
        if first == second:  # nobody folded
            first, second = strength(state, 0), strength(state, 1)
        won = min(state.stakes) * ((first > second) - (first < second))
        return [won, -won]

    def scene(self, state: Table, viewer: int) -> Scene:
        """Show the card turned up, each seat's card and what is staked."""
        areas = [Area("turned up", state.board, note="" if state.board else "nothing yet")]
        for seat, stake in enumerate(state.stakes):
            areas.append(Area("hand", state.hand[seat], seat, "hand" if seat == viewer else "row"))
            areas.append(Area("staked", seat=seat, note=str(stake)))
        return Scene(prompt(state), areas)

    def story(self, before: Table, action: int, after: Table, names: Names) -> list[str]:
        """Tell what was staked, and which cards were turned up."""
        lines = [f"{names.player(before.seat)} {deed(before, action, after)}"]
        if len(after.board) > len(before.board):
            lines.append(f"{names.card(after.board[0])} is turned up")
        if after.seat == OVER and action != FOLD:
            lines += [f"{names.player(seat)} has {names.card(seat)}" for seat in (0, 1)]
        return lines


def owed(state: Table) -> int:
    """Return how much the seat to act is short of the other's stake."""
    return state.stakes[1 - state.seat] - state.stakes[state.seat]


def end_round(state: Table) -> None:
    """Turn up the shared card, or after the second round both hands."""
    if state.phase == 1:
        state.reveal([0, 1])
        state.seat = OVER
        return
    state.put(state.stack.pop(), state.board)
    state.phase, state.raises, state.seat = 1, 0, 0


def strength(state: Table, seat: int) -> int:
    """Return a number that is higher for the better card."""
    own, shared_card = RANK[state.face[seat]], RANK[state.face[state.board[0]]]
    return own + PAIR * (own == shared_card)


def prompt(state: Table) -> str:
    """Return what the seat to act can do."""
    if state.seat == OVER:
        return "nothing is left to do"
    more = f"raise by {SIZE[state.phase]}"
    if not owed(state):
        return f"call, which is a check here, or {more}"
    choices = f"fold, call {owed(state)}"
    return f"{choices} or {more}" if state.raises < MOST_RAISES else choices.replace(",", " or")


def deed(before: Table, action: int, after: Table) -> str:
    """Return an action in words."""
    if action == FOLD:
        return "folds"
    if action == RAISE:
        return f"raises to {after.stakes[before.seat]}"
    return f"calls {owed(before)}" if owed(before) else "checks"
