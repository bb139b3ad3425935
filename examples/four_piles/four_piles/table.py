"""The cards, the zones, the actions, and which card fits on which pile."""

from pathlib import Path
from typing import Annotated

from cardhub import (
    Actions,
    Choice,
    Flag,
    IndexOf,
    Number,
    Option,
    Range,
    State,
    Tokens,
    load_cards,
    per_seat,
    piles,
    shared,
)

CARDS = load_cards(Path(__file__).with_name("cards.yaml"), value=int)
VALUE = CARDS.ints("value")
LOWEST, HIGHEST = min(VALUE), max(VALUE)

PILES = ("A", "B", "C", "D")
RISING = (0, 1)  # the numbers of the rising piles; 2 and 3 are falling
JUMP = 10  # the distance of a step back

# A card and its pile are two actions: a game has 102 actions and not 392.
ACTIONS = Actions(
    Tokens("lay", CARDS.count), Choice("on", PILES), "done", Choice("keep", PILES), "stuck"
)
LAY, ON, DONE, KEEP, STUCK = ACTIONS.starts
PHASES = ("laying", "placing")
LAYING, PLACING = range(2)

OPTIONS: dict[str, Option] = {
    "highest": Number(HIGHEST, "The highest card; 59 makes a short game.", 39, HIGHEST),
    "signals": Flag(True, "Whether a player may ask the others to keep off a pile."),
}
NO_PILE = -1


class Table(State):
    """The state: `tops` are the numbers on the piles; `laid` counts the cards of this turn.

    `kept` has by seat the pile that its player asked the others to keep off, or NO_PILE.
    """

    hand = per_seat(faces="owner")
    # The card between its two actions: face up, because it goes on a pile in any case.
    chosen = shared(faces="all", noun="chosen card")
    pile = piles(len(PILES), faces="all", nouns=tuple(f"pile {name}" for name in PILES))
    stack = shared(faces="nobody")
    tops: Annotated[list[int], Range(LOWEST - 1, HIGHEST + 1, count=len(PILES))]
    kept: Annotated[list[int], IndexOf(len(PILES), or_none=True)]
    laid: Annotated[int, Range(0, 8)]


def hand_size(seats: int) -> int:
    """Return the number of cards in a full hand."""
    return {1: 8, 2: 7}.get(seats, 6)


def required(state: Table) -> int:
    """Return the number of cards that a turn needs."""
    # The stack is only drawn from at the end of a turn, so this is constant during a turn.
    return 2 if state.stack else 1


def step(state: Table, pile: int, value: int) -> int | None:
    """Return how far a card moves a pile on, -10 for a step back; None if it does not fit."""
    top = state.tops[pile]
    ahead = value - top if pile in RISING else top - value
    return ahead if ahead > 0 or ahead == -JUMP else None


def fitting(state: Table, value: int) -> list[int]:
    """Return the piles on which a card fits."""
    return [pile for pile in range(len(PILES)) if step(state, pile, value) is not None]


def count_laid(state: Table) -> int:
    """Return the number of cards on the piles."""
    return sum(map(len, state.pile))
