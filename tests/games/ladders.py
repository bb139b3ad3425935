"""Ladders: a game for tests only in which the place of a card decides what an action means.

A seat turns up the top of a face-down stack, which goes to the open row, or takes a card of the row
with all cards above it.
"""

from tests.games.magpie import CARDS, VALUE
from typing_extensions import override

from cardhub import (
    OVER,
    Actions,
    Display,
    Game,
    Scene,
    Seats,
    State,
    Tokens,
    left_of,
    per_seat,
    piles,
    shared,
)

STACKS, HIGH = 3, 4
ACTIONS = Actions(
    Tokens("turn", CARDS.count, place="stacks"),
    Tokens("take", CARDS.count, place="row", depth=HIGH),
)
TURN, TAKE = ACTIONS.starts


class Table(State):
    """A position: face-down stacks, the open row, and the cards taken by seat."""

    stacks = piles(STACKS, faces="nobody")
    row = shared(faces="all")
    taken = per_seat(faces="all")


class LaddersDisplay(Display[Table]):
    """Take what is worth most."""

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        return Scene("take or turn", [])


class Ladders(Game[Table]):
    """Take what is worth most."""

    name, title, seats = "ladders", "Ladders", Seats(2)
    cards, actions, state_type = CARDS, ACTIONS, Table
    display_type = LaddersDisplay

    @override
    def deal(self, state: Table) -> None:
        for token in range(CARDS.count):
            state.put(token, state.stacks, token % STACKS)

    @override
    def legal(self, state: Table) -> list[int]:
        takes = [TAKE + token for token in state.row]
        turns = [TURN + stack[-1] for stack in state.stacks if stack]
        return takes + turns if len(state.row) < HIGH else takes

    @override
    def apply(self, state: Table, action: int) -> None:
        if action >= TAKE:
            index = state.row.index(action - TAKE)
            for token in state.row[index:]:
                state.move(token, state.row, state.taken, state.seat)
        else:
            stack = next(pile for pile in state.stacks if action in pile)
            state.move(action, stack, state.row)
        state.seat = left_of(state.seat, state.seats)
        if not state.row and not any(state.stacks):
            state.seat = OVER

    @override
    def scores(self, state: Table) -> list[int]:
        return [sum(VALUE[state.face[token]] for token in pile) for pile in state.taken]
