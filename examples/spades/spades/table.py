"""The cards, the zones, the actions and the options."""

from typing import Annotated

from cardhub import (
    Actions,
    BitsOf,
    Choice,
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

SUITS = ("clubs", "diamonds", "hearts", "spades")
CARDS = french_deck()
RANK = CARDS.ints("rank")
SUIT = [SUITS.index(suit) for suit in CARDS.texts("suit")]
SPADES = SUITS.index("spades")

FACES = range(len(CARDS.faces))
# Masks of faces.
OF_SUIT = [sum(1 << face for face in FACES if SUIT[face] == suit) for suit in range(4)]
NO_SPADES = sum(1 << face for face in FACES if SUIT[face] != SPADES)
# A trick goes to the card of the highest power; cards of other suits than led are left out.
POWER = [rank + 100 * (suit == SPADES) for rank, suit in zip(RANK, SUIT, strict=True)]

SEATS, HAND = 4, 13
TEAMS = (0, 1, 0, 1)
NIL, NO_BID = 0, -1

ACTIONS = Actions(Choice("bid", ("nil", *range(1, HAND + 1))), Tokens("play", CARDS.count), "deal")
BID, PLAY, DEAL = ACTIONS.starts
PHASES = ("dealing", "bidding", "playing")
DEALING, BIDDING, PLAYING = range(3)

MOST_DEALS = 30
OPTIONS: dict[str, Option] = {
    "target": Number(
        200, "The points that win the game, or lose it below zero; 0: a single deal.", 0, 500
    ),
}


class Table(State):
    """The state: `total` and `bags` are by team; `number` counts the deals before this one.

    `bids` are by seat, NO_BID before a seat has bid. `excluded` has for each seat a mask of the
    faces that its hand publicly cannot have.
    """

    hand = per_seat(faces="owner")
    laid = per_seat(faces="all", noun="laid card")
    taken = per_seat(faces="all", noun="taken tricks")
    stack = shared(faces="nobody")
    total: Annotated[list[int], Usual(-300, 500, count=2)]
    bags: Annotated[list[int], Range(0, 9, count=2)]
    bids: Annotated[list[int], Range(NO_BID, HAND, most="seats")]
    excluded: Annotated[list[int], BitsOf("faces")]
    number: Annotated[int, Range(0, MOST_DEALS)]
    leader: Annotated[int, IndexOf("seats")]
    is_broken: bool


def suit_led(state: Table) -> int | None:
    """Return the suit to follow; None if no card is led."""
    led = state.laid[state.leader]
    return SUIT[state.face[led[0]]] if led else None


def tricks(state: Table) -> list[int]:
    """Return the number of tricks that each seat has taken in this deal."""
    return [len(taken) // SEATS for taken in state.taken]


def bid_text(bid: int) -> str:
    """Return a bid as text."""
    return "nil" if bid == NIL else str(bid)
