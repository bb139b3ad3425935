"""Lanterns: a game for tests alone, in which everybody sees all hands but their own.

A seat lights a card of its hand for its points, or shows its left neighbour which cards of its
hand have a colour. All players see this.
"""

from functools import partial
from pathlib import Path
from typing import Annotated

from typing_extensions import override

from cardhub import (
    OVER,
    Actions,
    Area,
    BitsOf,
    Choice,
    Display,
    Game,
    Scene,
    Seats,
    State,
    Tokens,
    left_of,
    load_cards,
    per_seat,
    shared,
)

CARDS = load_cards(Path(__file__).with_name("lanterns.yaml"), suit=str, value=int)
SUIT, VALUE = [card.fields["suit"] for card in CARDS.faces], CARDS.ints("value")
SUITS = ("red", "blue")
OF_SUIT = [sum(1 << face for face, suit in enumerate(SUIT) if suit == s) for s in SUITS]
ALL = OF_SUIT[0] | OF_SUIT[1]
DEALT, HINTS = 2, 3
ACTIONS = Actions(Tokens("light", CARDS.count, place="hand", depth=DEALT), Choice("tell", SUITS))
LIGHT, TELL = ACTIONS.starts


class Table(State):
    """A position; `heard` has by token the faces that it can have by all hints, as bits."""

    hand = per_seat(faces="others")
    lit = per_seat(faces="all")
    stack = shared(faces="nobody")
    hints: int
    heard: Annotated[list[int], BitsOf("faces", count="tokens")]


class LanternsDisplay(Display[Table]):
    """Light cards that you cannot see."""

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        areas = [Area("stack", state.stack, look="count"), Area("hints", note=str(state.hints))]
        for seat, hand in enumerate(state.hand):
            areas.append(Area("lit", state.lit[seat], seat))
            areas.append(Area("hand", hand, seat, "hand" if seat == viewer else "row"))
        # A spectator sees the hints to the owners, too.
        marks = {
            t: heard for hand in state.hand for t in hand if (heard := hinted_suit(state.heard[t]))
        }
        return Scene("light a card or tell a colour", areas, marks=marks)


class Lanterns(Game[Table]):
    """Light cards that you cannot see."""

    name, title, seats = "lanterns", "Lanterns", Seats(2, 4)
    cards, actions, state_type = CARDS, ACTIONS, Table
    display_type = LanternsDisplay

    @override
    def deal(self, state: Table) -> None:
        state.put_all(range(CARDS.count), state.stack)
        for seat in range(state.seats):
            for _ in range(DEALT):
                state.put(state.stack.pop(), state.hand, seat)
        state.hints, state.heard = HINTS, [ALL] * CARDS.count

    @override
    def legal(self, state: Table) -> list[int]:
        tells = range(TELL, TELL + len(SUITS)) if state.hints else ()
        return [*state.hand[state.seat], *tells]

    @override
    def apply(self, state: Table, action: int) -> None:
        seat = state.seat
        if action < TELL:
            state.move(action, state.hand[seat], state.lit, seat)
            if state.stack:
                state.put(state.stack.pop(), state.hand, seat)
        else:
            state.hints -= 1
            tell(state, action - TELL, state.hand[left_of(seat, state.seats)])
        state.seat = left_of(seat, state.seats) if any(state.hand) else OVER
        while state.seat != OVER and not state.hand[state.seat]:
            state.seat = left_of(state.seat, state.seats)

    @override
    def scores(self, state: Table) -> list[int]:
        return [sum(VALUE[state.face[token]] for token in lit) for lit in state.lit]

    @override
    def possible(self, state: Table, token: int) -> int:
        return state.heard[token]


def tell(state: Table, suit: int, hand: list[int]) -> None:
    """Make public which cards of a hand have a suit."""
    for token in hand:
        # The owner has not seen the face: what is public afterwards must come from an answer.
        is_of_suit = state.answer(partial(has_suit, state, token, suit))
        state.heard[token] &= OF_SUIT[suit] if is_of_suit else ALL & ~OF_SUIT[suit]


def hinted_suit(faces: int) -> str:
    """Return the suit that a card has by all hints, empty before the first one."""
    return next((suit for suit, those in zip(SUITS, OF_SUIT, strict=True) if faces == those), "")


def has_suit(state: Table, token: int, suit: int) -> bool:
    """Return whether a card has a suit."""
    return SUIT[state.face[token]] == SUITS[suit]
