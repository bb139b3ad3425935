"""The cards, the zones, the actions and the options."""

from pathlib import Path
from typing import Annotated

from cardhub import (
    Actions,
    BitsOf,
    Choice,
    Flag,
    IndexOf,
    OneOf,
    Option,
    Range,
    Sites,
    State,
    load_cards,
    per_seat,
    piles,
    shared,
)
from cardhub_garner.layouts import COLUMNS, LAYOUTS, ROWS, Layout

CARDS = load_cards(Path(__file__).with_name("cards.yaml"), suit=int, number=int)
SUIT = CARDS.ints("suit")
NUMBER = CARDS.ints("number")
# Names of the suits; layouts with fewer suits use the first ones.
SUITS = "ABCDE"

# All faces are open and each occurs once, so groups are named by a face and not by a token.
ACTIONS = Actions(
    Choice("lift", CARDS),
    Sites("place", ROWS, COLUMNS),
    Choice("collect", CARDS),
    Choice("leave", CARDS),
)
LIFT, PLACE, COLLECT, LEAVE = ACTIONS.starts

PHASES = ("lifting", "placing", "collecting", "leaving")
LIFTING, PLACING, COLLECTING, LEAVING = range(4)

OPTIONS: dict[str, Option] = {
    "layout": OneOf(
        "base",
        "base: 5 suits of 15 on 5×5; a: 3 of 9 on 3×3; b: 3 of 12 on 3×3; c: 3 of 13 and 1 of 9 on "
        "4×4; d: 5 of 9 on 3×5; e: 5 of 12 on 4×5.",
        tuple(LAYOUTS),
    ),
    "new_position": OneOf(
        "none",
        "How many cards of a group must land on another site than they lay on.",
        ("none", "any", "all"),
    ),
    "straight_line": Flag(False, "Cards move along their row, column or a diagonal."),
    "top_layer": OneOf(
        "surface",
        "The top layer is every card that nothing lies on, or those at the greatest height.",
        ("surface", "level"),
    ),
    "stop_when_decided": Flag(False, "The game ends as soon as the winner is certain."),
}


class Table(State):
    """The state of a game of Garner.

    `lifted` are the cards still to be placed, in suit order, and `origins` the sites they come
    from; `used` is the mask of the sites that took a card of this group, `moved` whether a card got
    a new site. `group` is the mask of the sites of a group of which a card must stay. `idle` is the
    number of turns since a card was last collected.
    """

    board = piles(ROWS * COLUMNS, faces="all")
    won = per_seat(faces="all", noun="won cards")
    lifted = shared(faces="all", noun="lifted cards")
    origins: Annotated[list[int], IndexOf(ROWS * COLUMNS, most=len(SUITS))]
    used: Annotated[int, BitsOf(ROWS * COLUMNS)]
    moved: bool
    group: Annotated[int, BitsOf(ROWS * COLUMNS)]
    idle: Annotated[int, Range(0, 2 * ROWS * COLUMNS)]


def layout_of(state: Table) -> Layout:
    """Return the layout of a game."""
    return LAYOUTS[state.settings.word("layout")]
