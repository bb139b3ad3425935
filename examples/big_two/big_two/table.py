"""The cards, the zones, the fields of a state, the actions and the options."""

from typing import Annotated

from cardhub import (
    Actions,
    IndexOf,
    Number,
    Option,
    Range,
    State,
    Tokens,
    Usual,
    french_deck,
    per_seat,
    shared,
)

SUITS = ("diamonds", "clubs", "hearts", "spades")  # from the lowest
RANKS = 13
CARDS = french_deck(SUITS, range(3, 3 + RANKS))
# By face: the number of the card from the lowest, the three of diamonds, to the two of spades.
STRENGTH = [
    len(SUITS) * (rank - 3) + SUITS.index(suit)
    for rank, suit in zip(CARDS.ints("rank"), CARDS.texts("suit"), strict=True)
]
BY_STRENGTH = [CARDS.faces[STRENGTH.index(number)].name for number in range(len(STRENGTH))]

ACTIONS = Actions("play", "pass", Tokens("choose", CARDS.count), "deal")
PLAY, PASS, CHOOSE, DEAL = ACTIONS.starts
OPTIONS: dict[str, Option] = {"deals": Number(1, "The number of deals.", 1, 5)}


class Table(State):
    """The state: `points` of earlier deals by seat, and the course of this one.

    `lead` is the seat whose cards are to be beaten or, if there are none, the seat that leads.
    Before the first play of a deal `is_first` holds.
    """

    hand = per_seat(faces="owner")
    chosen = per_seat(faces="owner", noun="chosen cards")
    table = shared(faces="all")
    out = shared(faces="all", noun="cards out of play")
    stack = shared(faces="nobody")
    points: Annotated[list[int], Usual(-50, 50)]
    number: Annotated[int, Range(0, "deals")]
    lead: Annotated[int, IndexOf("seats")]
    is_first: bool


def bits(state: Table, tokens: list[int]) -> int:
    """Return cards as the bits of an int, the lowest card first."""
    face = state.face
    return sum([1 << STRENGTH[face[token]] for token in tokens])
