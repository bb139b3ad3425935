"""The cards, the zones, the actions, the options and the announcements."""

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

Announcement = tuple[int, ...]

# The kinds of announcements. Each is followed by a seat and by public numbers: faces turned up,
# calls and amounts.
(
    TURNED,  # a card turned up: face
    JUDGED,  # a card doubted: face, call
    WORTH,  # a card's value: face, modifier, carried bonus
    WON_TURN,
    TOOK,  # coins from the prize: face of the card, amount
    ADDED,  # coins from the pile to the prize: face of the card, amount
    WEAKENED,  # the next card of the seat: face of the other seat's card
    STUCK,  # no card can be placed
    OUT_OF_CARDS,  # no card for the third turn
    PRIZE_TO,  # the prize is paid: amount
    ROUND,  # a round begins, the seat attacks: number of the round
    NO_COINS,  # the pile is empty; the seat does not matter
    TOO_FEW_CARDS,  # too few cards to begin a round
) = range(13)


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

    `announced` are the announcements of the last action, `outcomes` the announcements that ended
    each turn of the round in which cards were placed. `rounds` has for each past round its winner,
    the prize and both purses after it.
    """

    deck = per_seat(faces="nobody")
    hand = per_seat(faces="owner")
    placed = per_seat(faces="owner", noun="placed card")
    played = per_seat(faces="all", noun="played cards")
    discard = per_seat(faces="all", noun="discard pile")
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
    excluded: list[int]
    able: list[list[int]]
    announced: tuple[Announcement, ...]
    outcomes: tuple[tuple[Announcement, ...], ...]
    rounds: tuple[tuple[int, ...], ...]

    def announce(self, *announcement: int) -> None:
        """Add a kind, a seat and its numbers to the announcements of the action."""
        self.announced += (announcement,)
