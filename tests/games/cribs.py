"""Cribs: a game for tests alone of many deals, after Cribbage, whose rules are right.

Every deal gives six cards to each of two seats; both lay two of them away into the crib, then play
the others in turn up to a count of 31. A seat that has no card for the count says "go". A game has
about a dozen deals, so whoever replays or determinizes it goes through as many shuffles.
"""

from collections.abc import Sequence
from itertools import combinations

from cardhub import (
    CHANCE,
    OVER,
    Actions,
    Game,
    Goal,
    Seats,
    State,
    Tokens,
    per_seat,
    per_token,
    shared,
)
from cardhub.model.cards import Back, Card, Cards

RANKS, SUITS = "A23456789TJQK", "CDHS"
CARDS = Cards(
    tuple(
        Card(rank + suit, rank + suit, 0, 0, 1, "", {"value": min(number, 10), "rank": number})
        for suit in SUITS
        for number, rank in enumerate(RANKS, 1)
    ),
    (Back("back", "back", "b", "?", "white"),),
    ("deck",),
)
VALUE, RANK = CARDS.ints("value"), CARDS.ints("rank")
ACTIONS = Actions("deal", "go", Tokens("discard", CARDS.count), Tokens("play", CARDS.count))
DEAL, GO, DISCARD, PLAY = ACTIONS.starts
DEALING, DISCARDING, PLAYING = range(3)
HAND, KEPT, MOST, END = 6, 4, 31, 121


class Table(State):
    """A position; `least` has by token the least value that it can have after its owner's "go"."""

    hand = per_seat(faces="owner")
    laid = per_seat(faces="all")
    crib = shared(faces="nobody")
    starter = shared(faces="all")
    stack = shared(faces="nobody")
    least = per_token()
    points: list[int]
    dealer: int
    count: int
    goes: int


class Cribs(Game[Table]):
    """Be the first to count enough points."""

    name, title, seats = "cribs", "Cribs", Seats(2)
    cards, actions, state_type = CARDS, ACTIONS, Table
    phases = ("dealing", "discarding", "playing")
    goal = Goal.WIN

    def deal(self, state: Table) -> None:
        """Lay out the stack, which chance deals."""
        state.put_all(range(CARDS.count), state.stack)
        state.points = [0, 0]
        state.seat = CHANCE

    def legal(self, state: Table) -> list[int]:
        """Return the cards that keep the count, or "go"."""
        if state.phase == DEALING:
            return [DEAL]
        hand = state.hand[state.seat]
        if state.phase == DISCARDING:
            return [DISCARD + token for token in hand]
        return [PLAY + token for token in hand if self._fits(state, token)] or [GO]

    def apply(self, state: Table, action: int) -> None:
        """Carry out an action, and show all cards once nobody has one."""
        if action == DEAL:
            for seat in range(2):
                for _ in range(HAND):
                    state.put(state.stack.pop(), state.hand, seat)
            state.phase, state.seat = DISCARDING, 1 - state.dealer
        elif action == GO:
            for token in state.hand[state.seat]:
                state.least[token] = max(state.least[token], MOST + 1 - state.count)
            state.goes += 1
            if state.goes == 2:
                state.points[1 - state.seat] += 1
                state.count = state.goes = 0
            state.seat = 1 - state.seat
        elif action < PLAY:
            self._discard(state, action - DISCARD)
        else:
            self._play(state, action - PLAY)

    def scores(self, state: Table) -> list[int]:
        """Return the points."""
        return state.points[:]

    def allows(self, state: Table, token: int, face: int) -> bool:
        """Exclude cards that could have been played instead of a "go"."""
        return VALUE[face] >= state.least[token]

    def _fits(self, state: Table, token: int) -> bool:
        return state.count + VALUE[state.face[token]] <= MOST

    def _discard(self, state: Table, token: int) -> None:
        hand = state.hand[state.seat]
        state.move(token, hand, state.crib)
        if len(hand) > KEPT:
            return
        state.seat = 1 - state.seat
        if len(state.hand[state.seat]) == KEPT:
            state.put(state.stack.pop(), state.starter)
            state.phase = PLAYING

    def _play(self, state: Table, token: int) -> None:
        state.move(token, state.hand[state.seat], state.laid, state.seat)
        state.count += VALUE[state.face[token]]
        state.goes = 0
        if state.count in (15, MOST):
            state.points[state.seat] += 2
        if state.count == MOST:
            state.count = 0
        state.seat = 1 - state.seat
        if not any(state.hand):
            self._end_deal(state)

    def _end_deal(self, state: Table) -> None:
        state.reveal(state.crib)
        for seat, laid in enumerate(state.laid):
            state.points[seat] += worth([*laid, *state.starter], state)
        state.points[state.dealer] += worth([*state.crib, *state.starter], state)
        if max(state.points) >= END:
            state.seat = OVER
            return
        state.gather(state.stack)
        state.dealer, state.count, state.goes = 1 - state.dealer, 0, 0
        state.phase, state.seat = DEALING, CHANCE


def worth(tokens: Sequence[int], state: Table) -> int:
    """Return two points for each fifteen and each pair of open cards."""
    faces = [state.face[token] for token in tokens]
    pairs = sum(RANK[one] == RANK[other] for one, other in combinations(faces, 2))
    sizes = range(2, len(faces) + 1)
    groups = (group for size in sizes for group in combinations(faces, size))
    return 2 * (pairs + sum(sum(VALUE[face] for face in group) == 15 for group in groups))
