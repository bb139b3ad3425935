"""The discs, the zones, the actions and the phases."""

from pathlib import Path
from typing import Annotated

from cardhub import (
    Actions,
    Choice,
    IndexOf,
    Omitted,
    Players,
    Range,
    State,
    Tokens,
    load_cards,
    per_seat,
)

CARDS = load_cards(Path(__file__).with_name("cards.yaml"), skull=int)
IS_SKULL = CARDS.ints("skull")  # by face
DISCS = 4  # of each player
MOST_SEATS = CARDS.count // DISCS
WINS = 2  # won challenges that win the game

# A player chooses the disc to lose, and chance the one to take.
ACTIONS = Actions(
    Tokens("lay", CARDS.count),
    Choice("bid", range(1, CARDS.count + 1)),
    "pass",
    Players("turn", MOST_SEATS),
    "collect",
    Tokens("lose", CARDS.count),
    Tokens("take", CARDS.count),
    Players("start", MOST_SEATS),
)
LAY, BID, PASS, TURN, COLLECT, LOSE, TAKE, START = ACTIONS.starts
PHASES = ("laying", "bidding", "turning", "collecting", "losing", "taking", "starting")
LAYING, BIDDING, TURNING, COLLECTING, LOSING, TAKING, STARTING = range(7)
NO_SEAT = -1


class Table(State):
    """The state: hands are mixed, so no other player can follow a disc into one.

    `bid` is the number of roses bid by `challenger`, 0 before the first bid; `passed` has 1 for a
    seat that has passed. `turned` are the tokens turned up in a challenge, and `skull_of` is the
    seat whose skull ended it, or NO_SEAT.
    """

    hand = per_seat(faces="owner", mixed=True)
    # Not mixed: discs are turned up in the order in which they lie.
    mat = per_seat(faces="owner")
    # Closed even at the end of the game.
    lost = per_seat(faces="owner", noun="lost discs")
    wins: Annotated[list[int], Range(0, 2)]
    passed: Annotated[list[int], Range(0, 1)]
    turned: Annotated[list[int], Omitted()]
    bid: Annotated[int, Range(0, "tokens")]
    challenger: Annotated[int, IndexOf("seats")]
    skull_of: Annotated[int, IndexOf("seats", or_none=True)] = NO_SEAT


def is_in(state: Table, seat: int) -> bool:
    """Return whether a seat still has a disc."""
    return bool(state.hand[seat] or state.mat[seat])


def count_laid(state: Table) -> int:
    """Return the number of discs on all mats."""
    return sum(map(len, state.mat))


def closed(state: Table, seat: int) -> list[int]:
    """Return the discs on a mat that are not turned up, the top one last."""
    return [token for token in state.mat[seat] if token not in state.turned]


def have_all_laid(state: Table) -> bool:
    """Return whether every player who is not out has a disc on the mat."""
    return all(state.mat[seat] for seat in range(state.seats) if is_in(state, seat))
