"""Take all birds: a game for one person."""

from pathlib import Path

from typing_extensions import override

from cardhub import OVER, Actions, Game, Seats, State, load_cards, shared

# The rules.
CARDS = load_cards(Path(__file__).with_name("birds.yaml"), value=int)
VALUES = CARDS.ints("value")


class Table(State):
    """The birds to come, and those that were taken."""

    stack = shared(faces="nobody")
    taken = shared(faces="all")


class Birds(Game[Table]):
    """Take the birds one by one; each counts its value."""

    name, title, seats = "birds", "Birds", Seats(1, 1)
    cards, actions, state_type = CARDS, Actions("take"), Table

    @override
    def deal(self, state: Table) -> None:
        state.put_all(range(CARDS.count), state.stack)

    @override
    def legal(self, state: Table) -> list[int]:
        return [0]

    @override
    def apply(self, state: Table, action: int) -> None:
        state.put(state.stack.pop(), state.taken)
        if not state.stack:
            state.seat = OVER

    @override
    def scores(self, state: Table) -> list[int]:
        return [sum(VALUES[state.face[token]] for token in state.taken)]
