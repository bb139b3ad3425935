"""Bids: a game for tests alone in which all bid at the same time, with hands that others know.

Everybody lays a card face down, then all are turned up, and the highest bid is worth a point. After
that each hand goes to the player on the left, so everybody has seen the cards of another hand. The
hands are mixed: nobody recognizes a card in them.
"""

from cardhub import (
    OVER,
    Actions,
    Game,
    Goal,
    Seats,
    State,
    Tokens,
    left_of,
    per_seat,
    per_token,
    shared,
)
from cardhub.model.cards import Back, Card, Cards

CARDS = Cards(
    tuple(Card(f"B{n}", f"B{n}", 0, 0, 1, "", {"value": n}) for n in range(1, 13)),
    (Back("back", "back", "b", "?", "white"),),
    ("deck",),
)
VALUE = CARDS.ints("value")
HAND = 3


class Table(State):
    """A position; the remaining cards lie aside."""

    hand = per_seat(faces="owner", mixed=True)
    bid = per_seat(faces="owner")
    spent = shared(faces="all")
    aside = per_seat(faces="nobody")
    excluded = per_token()  # faces as bits
    points: list[int]
    round: int
    note: int


class Bids(Game[Table]):
    """The highest bid of each round is worth a point."""

    name, title, seats = "bids", "Bids", Seats(2, 3)
    cards, actions, state_type = CARDS, Actions(Tokens("bid", CARDS.count)), Table
    goal = Goal.SCORE

    def deal(self, state: Table) -> None:
        """Deal equal hands."""
        for token in range(CARDS.count):
            is_dealt = token < HAND * state.seats
            zone = state.hand if is_dealt else state.aside
            state.put(token, zone, token % state.seats)
        state.points = [0] * state.seats

    def legal(self, state: Table) -> list[int]:
        """Return the cards in hand."""
        return state.hand[state.seat][:]

    def apply(self, state: Table, action: int) -> None:
        """Lay a bid; the last one ends the round."""
        self.lay(state, action)
        state.seat = left_of(state.seat, state.seats)
        if state.seat == 0:
            self.end_round(state)

    def lay(self, state: Table, token: int) -> None:
        """Lay a card face down."""
        state.move(token, state.hand[state.seat], state.bid, state.seat)

    def end_round(self, state: Table) -> None:
        """Turn up the bids, give a point to the highest, and pass the hands on."""
        bids = self.take_bids(state)
        state.put_all(bids, state.spent)
        values = [VALUE[state.face[token]] for token in bids]
        state.points[values.index(max(values))] += 1
        state.round += 1
        self.pass_on(state)
        if not state.hand[0]:
            state.seat = OVER

    def take_bids(self, state: Table) -> list[int]:
        """Remove the bids from their piles, and return them by seat."""
        return [bid.pop() for bid in state.bid]

    def pass_on(self, state: Table) -> None:
        """Give every hand to the player on the left."""
        hands = [hand[:] for hand in state.hand]
        for hand in state.hand:
            hand.clear()
        for seat, hand in enumerate(hands):
            state.put_all(hand, state.hand, left_of(seat, state.seats))

    def possible(self, state: Table, token: int) -> int:
        """Exclude the faces that a player has denied to have bid."""
        return ~state.excluded[token]

    def scores(self, state: Table) -> list[int]:
        """Return the points."""
        return state.points[:]
