"""The zones, the fields of a state, the actions and the options."""

from typing import Annotated

from cardhub import (
    Actions,
    Choice,
    Flag,
    IndexOf,
    Number,
    Omitted,
    Option,
    Range,
    State,
    Tokens,
    Usual,
    per_seat,
    piles,
    shared,
)
from gin_rummy.cards import CARDS
from gin_rummy.melds import MELDS, meld_label, meld_name

ACTIONS = Actions(
    "knock",
    "draw",
    "take",
    "pass",
    Tokens("discard", CARDS.count),
    Choice("meld", map(meld_name, MELDS), map(meld_label, MELDS)),
    Tokens("layoff", CARDS.count),
    "done",
    "deal",
)
KNOCK, DRAW, TAKE, PASS, DISCARD, MELD, LAYOFF, DONE, DEAL = ACTIONS.starts
PHASES = ("deal", "upcard", "draw", "discard", "last", "knock", "melds", "layoffs", "defence")
MOST_MELDS = 3  # of a seat: ten cards
OPTIONS: dict[str, Option] = {
    "target": Number(100, "The game goes on until a player has this number of points.", 1, 500),
    "single": Flag(False, "Play a single deal."),
    "limit": Number(10, "The most deadwood with which you may knock.", 0, 10),
}


class Phase:
    """The numbers of the phases."""

    DEAL, UPCARD, DRAW, DISCARD, LAST, KNOCK, MELDS, LAYOFFS, DEFENCE = range(len(PHASES))


class Table(State):
    """The state: `points` of earlier deals by seat, and the course of this one.

    `melds` are the piles of the knocker, then the other player's piles. `taken` is the upcard that
    the seat to act has taken in this turn, or -1; `takings` counts all of the deal. `passes`
    counts passes on the first upcard, `voids` the void deals in succession. Before a knock the
    `knocker` is -1.
    """

    hand = per_seat(faces="owner")
    discards = shared(faces="all", noun="discard pile")
    stock = shared(faces="nobody")
    melds = piles(2 * MOST_MELDS, faces="all", noun="meld")
    points: Annotated[list[int], Usual(0, "target")]
    number: Annotated[int, Usual(0, 20)]
    voids: Annotated[int, Range(0, 2)]
    first: Annotated[int, IndexOf("seats")]
    passes: Annotated[int, Range(0, 2)]
    taken: Annotated[int, Omitted()]
    takings: Annotated[int, Range(0, 50)]
    knocker: Annotated[int, IndexOf("seats", or_none=True)]


def bits(state: Table, tokens: list[int]) -> int:
    """Return the faces of tokens as bits."""
    face = state.face
    return sum([1 << face[token] for token in tokens])


def held(state: Table, seat: int) -> int:
    """Return the faces of a hand as bits."""
    return bits(state, state.hand[seat])
