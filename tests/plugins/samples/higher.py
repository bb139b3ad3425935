"""A card each; the higher one wins."""

from typing_extensions import override

from cardhub import OVER, Actions, Area, Display, Game, Scene, Seats, State, per_seat
from cardhub.model.cards import Back, Card, Cards

BACK = Back("card", "#", "a card", "?", "grey")


class Table(State):
    """Two hands of one card."""

    hand = per_seat(faces="owner")


class HigherDisplay(Display[Table]):
    """Turn up your card.

    This second paragraph does not belong to a summary.
    """

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        areas = [Area("hand", hand, seat) for seat, hand in enumerate(state.hand)]
        return Scene("show your card", areas)


class Higher(Game[Table]):
    """Turn up your card.

    This second paragraph does not belong to a summary.
    """

    name, title, seats = "higher", "Higher", Seats(2)
    cards = Cards(tuple(Card(c, c, 0, 0, 1, "", {}) for c in "AB"), (BACK,), ("main",))
    actions = Actions("show")
    state_type = Table
    display_type = HigherDisplay

    @override
    def deal(self, state: Table) -> None:
        for seat in range(2):
            state.put(seat, state.hand, seat)

    @override
    def legal(self, state: Table) -> list[int]:
        return [0]

    @override
    def apply(self, state: Table, action: int) -> None:
        state.reveal(state.hand[state.seat])
        state.seat = OVER if state.seat else 1

    @override
    def scores(self, state: Table) -> list[int]:
        return [state.face[hand[0]] for hand in state.hand]
