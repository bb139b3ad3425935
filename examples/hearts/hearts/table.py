"""The cards, the zones, the actions and the options."""

from typing import Annotated

from cardhub import (
    Actions,
    BitsOf,
    IndexOf,
    Number,
    OneOf,
    Option,
    State,
    Tokens,
    Usual,
    french_deck,
    per_seat,
    shared,
)

SUITS = ("clubs", "diamonds", "spades", "hearts")
# Only hearts and the queen of spades count points.
CARDS = french_deck(
    SUITS, points=lambda suit, rank: 13 if (suit, rank) == ("spades", 12) else int(suit == "hearts")
)
RANK, POINTS = CARDS.ints("rank"), CARDS.ints("points")
SUIT = [SUITS.index(suit) for suit in CARDS.texts("suit")]
HEARTS = SUITS.index("hearts")
NO_SUIT = -1
TWO_OF_CLUBS = CARDS.face("2C")
ALL_POINTS = sum(POINTS)

FACES = range(len(CARDS.faces))
# The faces of each suit, the lowest rank first.
SUIT_ROWS = [[face for face in FACES if SUIT[face] == suit] for suit in range(len(SUITS))]
# Masks of faces.
OF_SUIT = [sum(1 << face for face in FACES if SUIT[face] == suit) for suit in range(4)]
WORTHLESS = sum(1 << face for face in FACES if not POINTS[face])
NO_HEARTS = sum(1 << face for face in FACES if SUIT[face] != HEARTS)

# Two groups for tokens: the same card can be passed in one phase and played in another.
ACTIONS = Actions(Tokens("pass", CARDS.count), Tokens("play", CARDS.count), "deal")
PASS, PLAY, DEAL = ACTIONS.starts
PHASES = ("dealing", "passing", "playing")
DEALING, PASSING, PLAYING = range(3)

SEATS, HAND, PASSED = 4, 13, 3
WAYS = ("left", "right", "across", "hold")
# Seats clockwise from the giver to the receiver of passed cards.
STEPS = {"left": 1, "right": 3, "across": 2, "hold": 0}
OPTIONS: dict[str, Option] = {
    "hands": Number(1, "The least number of hands.", 1, 8),
    "target": Number(0, "Hands are played until a player has this number of points.", 0, 100),
    "passing": OneOf(
        "rotate", "The direction in which cards are passed in each hand.", ("rotate", *WAYS)
    ),
}


class Table(State):
    """The state: `total` are the points of earlier hands; this is hand `number`, from 0.

    `excluded` has for each seat a mask of the faces that its hand publicly cannot have.
    """

    hand = per_seat(faces="owner")
    passed = per_seat(faces="owner", noun="passed cards")
    laid = per_seat(faces="all", noun="laid card")
    taken = per_seat(faces="all", noun="taken tricks")
    stack = shared(faces="nobody")
    total: Annotated[list[int], Usual(0, 100)]
    excluded: Annotated[list[int], BitsOf("faces")]
    number: Annotated[int, Usual(0, 8)]
    leader: Annotated[int, IndexOf("seats")]
    is_broken: bool


def way(state: Table) -> str:
    """Return the direction in which cards are passed in this hand."""
    chosen = state.settings.word("passing")
    return WAYS[state.number % len(WAYS)] if chosen == "rotate" else chosen


def receiver(state: Table, giver: int) -> int:
    """Return the seat that receives the cards passed by `giver`."""
    return (giver + STEPS[way(state)]) % SEATS


def is_first_trick(state: Table) -> bool:
    """Return whether no trick of this hand has been taken yet."""
    return not any(state.taken)


def is_hand_over(state: Table) -> bool:
    """Return whether in this state all cards of the hand have been played."""
    return not any(state.hand)


def has_two_of_clubs(state: Table, seat: int) -> bool:
    """Return whether a seat holds the two of clubs."""
    return any(state.face[token] == TWO_OF_CLUBS for token in state.hand[seat])


def suit_led(state: Table) -> int:
    """Return the suit to follow; NO_SUIT if no card is led."""
    led = state.laid[state.leader]
    return SUIT[state.face[led[0]]] if led else NO_SUIT
