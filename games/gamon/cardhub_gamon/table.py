"""What is on the table: the cards, the zones, the actions and the options."""

from pathlib import Path

from cardhub import (
    Actions,
    Choice,
    Flag,
    Number,
    OneOf,
    Option,
    State,
    Tokens,
    load_cards,
    per_seat,
)

CARDS = load_cards(Path(__file__).with_name("cards.yaml"), base=range(7))
BASE = CARDS.ints("base")
SIDES = ("Navy", "Pirate")
FIRST_ATTACKERS = ("navy", "pirate")
HAND = 6
"""How many cards both hold at the start of a round, while their decks last."""

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
    "coins": Number(36, "How many coins the pile starts with (N3).", 1, 99),
    "first_attacker": OneOf(
        "navy", "Who attacks in the first round (N1).", (*FIRST_ATTACKERS, "random")
    ),
    "gamon_counts_as_battle": Flag(
        True, "A turn decided by Gamon is won and lost like a battle (N8)."
    ),
    "high_officer_counts_itself": Flag(
        False, "High Officer gets +2 for being played itself, too (N17)."
    ),
}


class Table(State):
    """A position of Gamon; seat 0 is Navy, seat 1 Pirate (gamon N1).

    Kept for the round, by seat: turns `won`, battles `lost`, Gamons `cried`, turns won by them
    (`caught`), and `bonus` for the next card placed. `calls` are all calls of the round, in turn
    the attacker's and the defender's. Kept for the turn: `called` and the `carried` bonus by seat,
    who is the `caller` of Gamon (or -1), the `winner`, whether it was a `battle`, and how many
    cards have had their `effects`. `choices` numbered from the action `choice` on are open to the
    seat to act while it decides on an effect.

    What all can conclude about hidden cards: `barred` has a bit by token for each face it cannot
    bear; of each row of `able`, a mask of faces and then tokens, some token bears another face.

    `news` is what the last action brought about, `outcome` how the last turn ended; see
    `cardhub_gamon.news`.
    """

    deck = per_seat(faces="nobody")
    hand = per_seat(faces="owner")
    placed = per_seat(faces="owner")
    played = per_seat(faces="all")
    discard = per_seat(faces="all")
    attacker: int
    round: int
    pile: int
    prize: int
    purse: list[int]
    won: list[int]
    lost: list[int]
    cried: list[int]
    caught: list[int]
    bonus: list[int]
    calls: list[int]
    called: list[int]
    carried: list[int]
    caller: int
    winner: int
    battle: bool
    effects: int
    choice: int
    choices: int
    barred: list[int]
    able: list[list[int]]
    news: tuple[tuple[int, ...], ...]
    outcome: tuple[tuple[int, ...], ...]
