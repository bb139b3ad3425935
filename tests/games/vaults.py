"""Vaults: a game for tests alone, small and with everything through which a hidden card may leak.

In a turn a seat draws, hides a card in its vault, drops one face up, bets some coins, or
mixes the dropped cards into the stack. Sometimes all seats vote at the same time.
"""

from cardhub import (
    CHANCE,
    OVER,
    Actions,
    Amount,
    Choice,
    Game,
    Seats,
    State,
    Tokens,
    left_of,
    per_seat,
    shared,
    simultaneous,
)
from cardhub.model.cards import Back, Card, Cards

CARDS = Cards(
    tuple(Card(f"V{n}", f"V{n}", 0, 0, 2, "", {"value": n}) for n in range(1, 7)),
    (Back("back", "back", "b", "?", "white"),),
    ("deck",),
)
VALUE = CARDS.ints("value")
HIGH = 4
BET = Amount("bet", 1, 9)
ACTIONS = Actions(
    "draw", "mix", Choice("vote", (0, 1)), BET,
    Tokens("hide", CARDS.count), Tokens("drop", CARDS.count), Choice("roll", (1, 2)),
)  # fmt: skip  # as many lines as kinds of actions
DRAW, MIX, VOTE, _, HIDE, DROP, ROLL = ACTIONS.starts
TURNS, HAND, VOTE_AT = 14, 2, 4


class Table(State):
    """A position; `note` is for rules that note what they must not."""

    hand = per_seat(faces="owner")
    vault = per_seat(faces="nobody")
    stack = shared(faces="nobody")
    dropped = shared(faces="all")
    choices = simultaneous()
    bets: list[int]
    votes: int
    turn: int
    note: int
    player: int


class Vaults(Game[Table]):
    """Fill vaults with cards that nobody sees again."""

    name, title, seats = "vaults", "Vaults", Seats(2, 3)
    cards, actions, state_type = CARDS, ACTIONS, Table

    def deal(self, state: Table) -> None:
        """Deal equal hands."""
        for token in range(CARDS.count):
            if token < HAND * state.seats:
                state.put(token, state.hand, token % state.seats)
            else:
                state.put(token, state.stack)
        state.bets = [0] * state.seats

    def legal(self, state: Table) -> list[int]:
        """Return the votes of a round, the rolls of chance, or all that a turn may be."""
        if state.choices:
            return [VOTE, VOTE + 1]
        if state.seat == CHANCE:
            return [ROLL, ROLL + 1]
        hand = state.hand[state.seat]
        cards = [HIDE + token for token in hand] + [DROP + token for token in hand]
        piles = [DRAW] * bool(state.stack) + [MIX] * (len(state.dropped) > 1)
        return [*piles, *cards, *BET.between(1, self.highest_bet(state))]

    def highest_bet(self, state: Table) -> int:
        """Return the highest bet of the seat to act."""
        return 9

    def apply(self, state: Table, action: int) -> None:
        """Carry out a vote, a roll or a turn."""
        verb, index = ACTIONS.verb_and_value[action]
        if verb == "vote":
            self.vote(state, action)
            return
        if verb == "roll":
            state.seat = state.player
            return
        seat = state.seat
        match verb:
            case "draw":
                self.draw(state, seat)
            case "mix":
                self.mix(state)
            case "bet":
                state.bets[seat] += index
            case "hide":
                state.move(index, state.hand[seat], state.vault, seat)
                self.on_hide(state, index)
            case _:
                state.move(index, state.hand[seat], state.dropped)
        self.pass_on(state)

    def vote(self, state: Table, action: int) -> None:
        """Take a vote of a round; the last one counts them."""
        if votes := state.choose(action):
            state.votes += sum(choice - VOTE for choice in votes.values())
            state.seat = state.player

    def draw(self, state: Table, seat: int) -> None:
        """Draw the top card of the stack."""
        state.put(state.stack.pop(), state.hand, seat)

    def mix(self, state: Table) -> None:
        """Shuffle the dropped cards into the stack."""
        state.put_all(state.dropped, state.stack)
        state.dropped.clear()
        state.shuffle(state.stack)

    def on_hide(self, state: Table, token: int) -> None:
        """Do nothing after a card was hidden, in a game without leaks."""

    def pass_on(self, state: Table) -> None:
        """Let the next seat act, sometimes after a vote or a roll."""
        state.turn += 1
        state.player = state.seat = left_of(state.seat, state.seats)
        if state.turn == TURNS:
            state.seat = OVER
        elif state.turn == VOTE_AT:
            state.ask(range(state.seats))
        elif state.turn % 5 == 0:
            state.seat = CHANCE

    def scores(self, state: Table) -> list[int]:
        """Return the bets."""
        return state.bets[:]
