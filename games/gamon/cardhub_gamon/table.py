"""The cards, the zones, the actions and the options."""

from pathlib import Path
from typing import Annotated

from cardhub import (
    Actions,
    BitsOf,
    Choice,
    Flag,
    IndexOf,
    Number,
    OneOf,
    Option,
    Range,
    State,
    Tokens,
    Usual,
    load_cards,
    per_seat,
)

CARDS = load_cards(Path(__file__).with_name("cards.yaml"), base=range(7), hint=str)
BASE = CARDS.ints("base")
SIDES = ("Navy", "Pirate")
FIRST_ATTACKERS = ("navy", "pirate")
# Cards in hand at the start of a round, as far as the deck goes.
HAND = 6

ACTIONS = Actions(
    Tokens("place", CARDS.count),
    Choice("call", range(1, 7)),
    "gamon",
    "believe",
    Choice("prize", range(1, 5)),
    Choice("move", range(4)),
    Choice("remove", range(3)),
    Choice("pay", range(2)),
    Choice("first", FIRST_ATTACKERS),
)
PLACE, CALL, GAMON, BELIEVE, PRIZE, MOVE, REMOVE, PAY, FIRST = ACTIONS.starts

PHASES = ("start", "prize", "placing", "calling", "gamon", "effect")
STARTING, PRICING, PLACING, CALLING, DOUBTING, CHOOSING = range(6)

OPTIONS: dict[str, Option] = {
    "coins": Number(36, "How many coins the pile starts with.", 1, 99),
    "first_attacker": OneOf(
        "navy", "Who attacks in the first round.", (*FIRST_ATTACKERS, "random")
    ),
    "gamon_counts_as_battle": Flag(True, "A turn decided by Gamon is won and lost like a battle."),
    "high_officer_counts_itself": Flag(False, "High Officer gets +2 for being played itself, too."),
}

# In place of the seat that cried Gamon.
NO_CALLER = -1


class Table(State):
    """The state of a game of Gamon; seat 0 is the Navy, seat 1 the Pirates (gamon N1).

    By seat, for the round: turns `won`, battles `lost`, Gamons `cried`, turns won by them
    (`caught`) and the `bonus` of the next card placed. `calls` are all calls of the round, the
    attacker's and the defender's by turns.

    For the turn: `called` and the `carried` bonus by seat, the `caller` of Gamon (or -1), the
    `winner`, whether it was a `battle`, and how many cards have had their `effects`. While a seat
    decides on an effect, its legal actions are the `choices` actions from `choice` on.

    Public conclusions about hidden cards: `excluded` has for each token a mask of the faces that it
    cannot have. Each entry of `able` is a mask of faces and some tokens, at least one of which has
    a face outside the mask.

    `outcomes` has for each turn of the round in which cards were placed its winner, the caller of
    Gamon (or -1), and without Gamon the values of both cards by seat. `rounds` has for each past
    round its winner, the prize, and by seat the purses after it and the turns won.
    """

    deck = per_seat(faces="nobody")
    hand = per_seat(faces="owner")
    placed = per_seat(faces="owner", noun="placed card")
    played = per_seat(faces="all", noun="played cards")
    discard = per_seat(faces="all", noun="discard pile")
    attacker: Annotated[int, IndexOf("seats")]
    round: Annotated[int, Usual(1, 12)]
    pile: Annotated[int, Range(0, "coins")]
    prize: Annotated[int, Usual(0, 8)]
    purse: Annotated[list[int], Range(0, "coins")]
    won: Annotated[list[int], Range(0, 2)]
    lost: Annotated[list[int], Range(0, 2)]
    cried: Annotated[list[int], Range(0, 3)]
    caught: Annotated[list[int], Range(0, 2)]
    bonus: Annotated[list[int], Usual(-2, 2)]
    calls: Annotated[list[int], Range(1, 6, most=6)]
    called: Annotated[list[int], Range(0, 6)]
    carried: Annotated[list[int], Usual(-2, 2)]
    caller: Annotated[int, IndexOf("seats", or_none=True)]
    winner: Annotated[int, IndexOf("seats", or_none=True)]
    battle: bool
    effects: Annotated[int, Range(0, 2)]
    choice: Annotated[int, IndexOf("actions")]
    choices: Annotated[int, Range(0, 4)]
    excluded: Annotated[list[int], BitsOf("faces", count="tokens")]
    able: list[list[int]]
    outcomes: tuple[tuple[int, ...], ...]
    rounds: tuple[tuple[int, ...], ...]
