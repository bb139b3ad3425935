"""Goofspiel (GOPS).

All seats bid at the same time: `state.ask` asks them, and `state.choose` returns the bids once all
have bid. The points equal the points of OpenSpiel's `goofspiel`, whose `num_cards` and
`points_order` are the options `cards` and `order` here; there, prizes are always lost in ties.
"""

from pathlib import Path

from cardhub import (
    OVER,
    WATCHED,
    Actions,
    Area,
    BreakdownRow,
    BreakdownSection,
    Card,
    Display,
    Game,
    Goal,
    Names,
    Number,
    OneOf,
    Option,
    Scene,
    SeatLine,
    Seats,
    Settings,
    State,
    Tokens,
    Usual,
    amount,
    load_cards,
    per_seat,
    shared,
    simultaneous,
)

CARDS = load_cards(Path(__file__).with_name("cards.yaml"), value=int)
VALUE = CARDS.ints("value")
PRIZES = 0  # the deck of the prizes; deck n + 1 has the bids of seat n
OPTIONS: dict[str, Option] = {
    "cards": Number(13, "The number of cards in a suit, from the ace on.", 2, 13),
    "order": OneOf("random", "The order of the prizes.", ("random", "descending", "ascending")),
    "ties": OneOf(
        "discard",
        "What happens to a prize after a tie: it is lost, or goes to the winner of the next prize.",
        ("discard", "carry"),
    ),
}
# What the log says of a prize after a tie.
TIES = {
    "discard": "Nobody gets {cards}",
    "carry": "{cards} will go to the winner of the next prize",
}


class Table(State):
    """The state: `offered` are the prizes to bid for, `lost` those lost in ties."""

    choices = simultaneous()
    stack = shared(faces="nobody")
    offered = shared(faces="all", noun="offered card")
    lost = shared(faces="all", noun="lost cards")
    hand = per_seat(faces="owner")
    bid = per_seat(faces="all")
    spent = per_seat(faces="all", noun="spent cards")
    won = per_seat(faces="all", noun="won cards")


class GoofspielDisplay(Display[Table]):
    """The prizes, the bids, and sentences about them."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Return the prizes, and the cards that each seat has won, spent, bid and kept."""
        is_random = state.settings.word("order") == "random"
        note = f"worth {worth(state, state.offered)}" if state.offered else ""
        areas = [
            Area("prize", state.offered, note=note),
            Area("to come", prizes_to_come(state), look="count" if is_random else "queue"),
            Area("lost", state.lost, look="pile"),
        ]
        for seat in range(state.seats):
            areas += areas_of(state, seat, viewer)
        lines = {
            seat: SeatLine(amount(won, "point")) for seat, won in enumerate(self.game.scores(state))
        }
        prompt = "the game is over" if state.seat == OVER else "bid a card for the prize"
        return Scene(prompt, areas, status=self.chapter(state), seats=lines)

    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str]:
        """Return all bids; the rules log who wins the prize."""
        bids = (
            f"{names.player(seat)} {names.card(bid)}"
            for seat, bid in before.known_choices().items()
        )
        return ["The bids: " + ", ".join(bids)]

    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        """Return why a card cannot be bid: it is used up, a prize, or in another hand."""
        if action in state.hand[state.seat]:
            return None
        if action in state.spent[state.seat]:
            return "you have bid it already, and each card is bid once"
        return "it is not in your hand"

    def consequence(self, state: Table, action: int, names: Names) -> str:
        """Return how many cards that can beat it the player with the most of them has."""
        higher = set(range(VALUE[state.face[action]] + 1, state.settings.number("cards") + 1))
        left = {
            seat: len(higher - {VALUE[state.face[token]] for token in state.spent[seat]})
            for seat in range(state.seats)
            if seat != state.seat
        }
        rival = max(left, key=left.__getitem__)
        if not left[rival]:
            return "no bid can beat it"
        return f"{names.player(rival)} has {amount(left[rival], 'card')} that can beat it"

    def breakdown(self, state: Table) -> list[BreakdownSection]:
        """Return the value of each prize for its winner, in the order of their values."""
        winner = {token: seat for seat, won in enumerate(state.won) for token in won}
        rows = [
            BreakdownRow(
                CARDS.faces[state.face[token]].label,
                [VALUE[state.face[token]] * (seat == winner[token]) for seat in range(state.seats)],
            )
            for token in by_value(state, list(winner))
        ]
        return [BreakdownSection("", rows)]

    def chapter(self, state: Table) -> str:
        """Return the number of the prize, from 1."""
        prizes = state.settings.number("cards")
        return f"prize {prizes - len(state.stack)} of {prizes}"

    def detail(self, card: Card) -> str:
        """Return the value of a card with a letter."""
        return str(card.fields["value"]) if card.name[0] in "AJQK" else ""


class Goofspiel(Game[Table]):
    """The highest bid wins the prize; each card can be bid once."""

    name, title, version, seats = "goofspiel", "Goofspiel", "2", Seats(2, 3)
    cards, actions, options = CARDS, Actions(Tokens("bid", CARDS.count)), OPTIONS
    goal, state_type, display_type = Goal.WIN, Table, GoofspielDisplay
    score_range = Usual(0, 60)

    def pack(self, settings: Settings, seats: int) -> list[int]:
        """Return the prizes and a suit for each seat, up to the highest value by option."""
        highest, deck_of = settings.number("cards"), CARDS.deck_of
        faces = CARDS.all_copies()
        return [face for face in faces if VALUE[face] <= highest and deck_of[face] <= seats]

    def deal(self, state: Table) -> None:
        """Deal a suit to each seat; the prizes lie open unless their order is random."""
        # Each deck is shuffled for itself: the first tokens are the prizes, then come the suits by
        # seat.
        size = state.settings.number("cards")
        state.put_all(range(size), state.stack)
        for seat in range(state.seats):
            first = size * (seat + 1)
            state.put_all(range(first, first + size), state.hand, seat)
        if state.settings.word("order") != "random":
            # A fixed order is public knowledge, though the zone shows no faces.
            state.reveal(state.stack)
        offer(state)

    def legal(self, state: Table) -> list[int]:
        """Return the legal actions: bid any card in hand."""
        # A copy: the caller may keep it while the hand changes.
        return state.hand[state.seat][:]

    def apply(self, state: Table, action: int) -> None:
        """Apply an action: bid a card; the last bid ends the round."""
        bids = state.choose(action)
        if bids:
            for seat, bid in bids.items():
                state.move(bid, state.hand[seat], state.bid, seat)
            award(state)
            offer(state)

    def scores(self, state: Table) -> list[int]:
        """Return the value of the prizes that each seat has won in this state."""
        return [worth(state, won) for won in state.won]

    def score_swing(self, state: Table) -> int:
        """Return the value of all prizes that nobody has won or lost yet."""
        return worth(state, state.offered) + worth(state, state.stack)


def offer(state: Table) -> None:
    """Turn up the next prize and ask for bids, or end the game."""
    if state.stack:
        state.move(prizes_to_come(state)[0], state.stack, state.offered)
        state.ask(range(state.seats))
        return
    # Prizes carried over from the last round find no winner any more.
    state.put_all(state.offered, state.lost)
    state.offered.clear()
    state.seat = OVER


def prizes_to_come(state: Table) -> list[int]:
    """Return the tokens of the prizes in their order, as far as the state shows it."""
    order = state.settings.word("order")
    if order == "random":
        return state.stack[:]
    rising = by_value(state, state.stack)
    return rising if order == "ascending" else rising[::-1]


def by_value(state: Table, tokens: list[int]) -> list[int]:
    """Return cards sorted by value."""
    return sorted(tokens, key=lambda token: VALUE[state.face[token]])


def award(state: Table) -> None:
    """Give the prize to the highest bid, unless it is tied."""
    bids = [worth(state, bid) for bid in state.bid]
    best = max(bids)
    is_won = bids.count(best) == 1
    if is_won:
        winner = bids.index(best)
        if WATCHED:
            state.pause("{player} wins the prize with {cards}", state.bid[winner], winner)
            state.log("{player} wins {cards}", winner, state.offered)
    elif WATCHED:
        state.pause("The highest bids are equal")
        state.log(TIES[state.settings.word("ties")], cards=state.offered)
    for seat, bid in enumerate(state.bid):
        state.put(bid.pop(), state.spent, seat)
    if is_won:
        state.put_all(state.offered, state.won, winner)
    elif state.settings.word("ties") == "discard":
        state.put_all(state.offered, state.lost)
    else:
        return
    state.offered.clear()


def worth(state: Table, tokens: list[int]) -> int:
    """Return the sum of the values of cards."""
    return sum(VALUE[state.face[token]] for token in tokens)


def areas_of(state: Table, seat: int, viewer: int) -> list[Area]:
    """Return the areas of a seat; only the viewer can read the faces of the own hand."""
    room = state.settings.number("cards")
    areas = [
        Area("bid", state.bid[seat], seat, place="front", room=1, slots=1),
        Area("won", state.won[seat], seat),
        Area("spent", by_value(state, state.spent[seat]), seat),
    ]
    # The faces of other hands are unknown, so they cannot be sorted.
    if seat == viewer:
        own = by_value(state, state.hand[seat])
        return [*areas, Area("hand", own, seat, "hand", room=room)]
    return [*areas, Area("hand", state.hand[seat], seat, room=room)]
