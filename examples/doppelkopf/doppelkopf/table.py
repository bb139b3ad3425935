"""The cards, the zones and the actions."""

from typing import Annotated

from cardhub import (
    Actions,
    BitsOf,
    Choice,
    Flag,
    IndexOf,
    Option,
    Range,
    State,
    Tokens,
    french_deck,
    per_seat,
)

SUITS = ("clubs", "spades", "hearts", "diamonds")
JACK, QUEEN, KING, TEN, ACE = 11, 12, 13, 10, 14
POINTS_OF_RANK = {9: 0, JACK: 2, QUEEN: 3, KING: 4, TEN: 10, ACE: 11}
CARDS = french_deck(
    SUITS, tuple(POINTS_OF_RANK), copies=2, points=lambda suit, rank: POINTS_OF_RANK[rank]
)
RANK, POINTS = CARDS.ints("rank"), CARDS.ints("points")
CLUB_QUEEN, QUEENS = CARDS.face("QC"), 2
FACES = range(len(CARDS.faces))

# The trumps from the highest to the lowest; of the other cards ace, ten, king and nine.
TRUMP_NAMES = ("10H", "QC", "QS", "QH", "QD", "JC", "JS", "JH", "JD", "AD", "10D", "KD", "9D")
TRUMPS = [CARDS.face(name) for name in TRUMP_NAMES]
TRUMP, NO_SUIT = len(SUITS), -1
SUIT = [
    TRUMP if face in TRUMPS else SUITS.index(suit) for face, suit in enumerate(CARDS.texts("suit"))
]
SUIT_NAMES = (*SUITS, "trumps")
OF_SUIT = [sum(1 << face for face in FACES if SUIT[face] == suit) for suit in range(TRUMP + 1)]
# By face, higher for cards that beat others of their suit; all trumps beat all other cards.
POWER = [
    100 - TRUMPS.index(face) if face in TRUMPS else [9, KING, TEN, ACE].index(RANK[face])
    for face in FACES
]

SEATS = 4
SIDES = ("Re", "Kontra")
RE, KONTRA = range(2)
NO_SIDE = -1
ACTIONS = Actions(Tokens("play", CARDS.count), Choice("announce", SIDES))
PLAY, ANNOUNCE = ACTIONS.starts
OPTIONS: dict[str, Option] = {"nines": Flag(True, "Play with the nines, twelve cards each.")}


class Table(State):
    """The state: `announced` has the side that each seat has announced, or NO_SIDE.

    `queens` counts the queens of clubs that each seat has played. `excluded` has for each seat a
    mask of the faces that its hand publicly cannot have.
    """

    hand = per_seat(faces="owner")
    laid = per_seat(faces="all", noun="laid card")
    taken = per_seat(faces="all", noun="taken tricks")
    announced: Annotated[list[int], Range(NO_SIDE, KONTRA)]
    queens: Annotated[list[int], Range(0, QUEENS)]
    excluded: Annotated[list[int], BitsOf("faces")]
    leader: Annotated[int, IndexOf("seats")]


def suit_led(state: Table) -> int:
    """Return the suit to follow; NO_SUIT if no card is led."""
    led = state.laid[state.leader]
    return SUIT[state.face[led[0]]] if led else NO_SUIT


def points(state: Table, seat: int) -> int:
    """Return the points of the cards that a seat has taken."""
    return sum(POINTS[state.face[token]] for token in state.taken[seat])
