"""The cards, the zones, the actions and the options."""

from pathlib import Path
from typing import Annotated

from cardhub import (
    Actions,
    BitsOf,
    Choice,
    Flag,
    IndexOf,
    Option,
    Range,
    SeatNumber,
    State,
    Tokens,
    Usual,
    load_cards,
    per_seat,
    piles,
    shared,
)

CARDS = load_cards(Path(__file__).with_name("cards.yaml"), value=int, amulets=int)
VALUE = CARDS.ints("value")
AMULETS = CARDS.ints("amulets")
COLOURS = tuple(back.name for back in CARDS.backs)
STACKS = ("left", "right")

# The creature of each colour: the titles of its cards without their value.
CREATURES = tuple(
    next(card.title.rpartition(" ")[0] for card in CARDS.faces if card.back == colour)
    for colour in range(len(COLOURS))
)

# The cards that a passing player draws from the left and the right stack (gargon R4).
SPLITS = tuple((left, right) for left in range(4) for right in range(4) if left + right <= 3)
# One card needs no number: the buttons of all passes fit two rows of 78 cells.
COUNTS = ("", "", "two ", "three ")


def _split_label(split: tuple[int, int]) -> str:
    # In words: keys with numbers press the buttons by their position.
    drawn = zip(split, STACKS, strict=True)
    parts = [f"{COUNTS[count]}{stack}" for count, stack in drawn if count]
    return " + ".join(parts) or "without a card"


ACTIONS = Actions(
    Tokens("lay", CARDS.count),
    "done",
    Choice("pass", (f"{left}+{right}" for left, right in SPLITS), map(_split_label, SPLITS)),
    Choice("fight", COLOURS),
    Choice("take", STACKS),
)
LAY, DONE, PASS, FIGHT, TAKE = ACTIONS.starts

PHASES = ("laying", "fighting", "drawing")
LAYING, FIGHTING, DRAWING = range(3)

OPTIONS: dict[str, Option] = {
    "open_winnings": Flag(
        False, "Won cards lie face up, sorted by colour; otherwise only their owner sees them."
    ),
    "zero_tie_draw": Flag(False, "Both owners draw when two zeros meet and are discarded."),
    "start": SeatNumber(0, "Who starts the first round; 0 is the first player."),
}


class Table(State):
    """The state of a game of Gargon.

    Rounds are numbered from 1. `won_before` are the numbers of cards won before this round by
    seat, and of the discarded ones. `leader` is the seat that started the round. The mix to
    match has `colours` different colours, one of them twice if `pair`; `colours` is 0 until the
    leader has laid. `passed` is the mask of the seats that have passed this round. `colour` is the
    index of the colour being fought out, `drawers` are the losers yet to draw, the next one first.
    """

    hand = per_seat(faces="owner")
    laid = per_seat(faces="owner", noun="laid cards")
    # Public even where the scene shows their number only (gargon R8).
    won = per_seat(faces="all", noun="won cards")
    stacks = piles(2, faces="nobody", nouns=("the left stack", "the right stack"))
    discard = shared(faces="all", noun="discard pile")
    round: Annotated[int, Usual(1, 12)]
    won_before: tuple[int, ...]
    leader: Annotated[int, IndexOf("seats")]
    colours: Annotated[int, Range(0, 3)]
    pair: bool
    passed: Annotated[int, BitsOf("seats")]
    colour: Annotated[int, IndexOf(len(COLOURS))]
    drawers: Annotated[list[int], IndexOf("seats", most="seats")]
