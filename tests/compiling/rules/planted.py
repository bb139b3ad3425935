"""Games with planted faults: leaks, and what a struct cannot hold."""

from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random

from typing_extensions import override

from cardhub import (
    OVER,
    Actions,
    Amount,
    Game,
    Goal,
    Heuristics,
    Seats,
    State,
    french_deck,
    load_cards,
    per_seat,
    per_token,
    shared,
)
from kuhn.game import ANSWERS, BET, OPENINGS, Kuhn, Table

HUGE = 1 << 40


class LegalLeak(Kuhn):
    """The legal actions depend on the face of the other hand, which is hidden from this seat."""

    name = "legal_leak"

    @override
    def legal(self, state: Table) -> list[int]:
        """Return other actions if the other seat holds the highest card."""
        other = state.hand[1 - state.seat][0]
        return OPENINGS if state.face[other] == 2 else ANSWERS


class HelpedLeak(Kuhn):
    """The same leak in a function that a rule calls, behind a condition."""

    name = "helped_leak"

    @override
    def legal(self, state: Table) -> list[int]:
        """Return other actions if the hands are worth more than the stack."""
        return OPENINGS if worth(state) > 2 else ANSWERS


class ScoreLeak(Kuhn):
    """The scores before the end depend on the hidden card of the stack."""

    name = "score_leak"

    @override
    def scores(self, state: Table) -> list[int]:
        """Return the face of the stack's card for both seats."""
        return [state.face[token] for token in (*state.stack, *state.stack)]


class ManyCards(Kuhn):
    """A deal that needs many random words."""

    name, cards = "many_cards", load_cards(Path(__file__).with_name("many_cards.yaml"))


class DealLeak(Kuhn):
    """The deal depends on a face, which no observation could repeat."""

    name = "deal_leak"

    @override
    def deal(self, state: Table) -> None:
        """Deal, and let the seat begin that the first face names."""
        super().deal(state)
        state.seat = state.face[0] % 2


class KeyLeak(Kuhn):
    """The legal actions are in an order that depends on hidden faces."""

    name = "key_leak"

    @override
    def legal(self, state: Table) -> list[int]:
        """Return the actions, sorted by the faces of the hands."""
        return sorted(OPENINGS, key=lambda action: state.face[state.hand[action][0]])


class CountLeak(Kuhn):
    """The scores count the faces of both hands by sets, dictionaries and functions as arguments."""

    name = "count_leak"

    @override
    def scores(self, state: Table) -> list[int]:
        """Return how many faces are in the first hand, and in both."""
        faces = {seat: [*map(state.face.__getitem__, hand)] for seat, hand in enumerate(state.hand)}
        return [len({*faces[0]}), len({*faces[0], *faces[1]})]


class CombinedLeak(Kuhn):
    """The legal actions depend on combinations, sets and numbers of hidden faces."""

    name = "combined_leak"

    @override
    def legal(self, state: Table) -> list[int]:
        """Return other actions by the face of the other hand."""
        seats = combinations((seat for seat in (0, 1, 1) if seat != state.seat), 1)
        counts = Counter(state.face[state.hand[seat][0]] for (seat,) in seats)
        (first, _), *_ = counts.most_common()
        return ANSWERS if {first} & {1, 2} else OPENINGS


class Overflow(Kuhn):
    """A number grows beyond 64 bits."""

    name = "overflow"

    @override
    def apply(self, state: Table, action: int) -> None:
        """Apply an action; the stakes grow very fast."""
        super_apply(state, action)
        state.stakes[0] = state.stakes[0] * HUGE


class LateOverflow(Kuhn):
    """A number grows beyond 64 bits, but only if the second seat bets."""

    name = "late_overflow"

    @override
    def apply(self, state: Table, action: int) -> None:
        """Apply an action; the stakes grow very fast if the second seat bets."""
        if state.seat == 1 and action == BET:
            state.stakes[0] = state.stakes[0] * HUGE * HUGE
        super_apply(state, action)


class FullList(Kuhn):
    """A list grows beyond what its declaration says."""

    name = "full_list"

    @override
    def apply(self, state: Table, action: int) -> None:
        """Apply an action, and add one stake too many."""
        super_apply(state, action)
        state.stakes.append(0)


class NegativeIndex(Kuhn):
    """An index is negative, which counts from the end in Python."""

    name = "negative_index"

    @override
    def apply(self, state: Table, action: int) -> None:
        """Apply an action; seat 0 pays for the last seat."""
        place = state.seat - 1
        super_apply(state, action)
        state.stakes[place] += 1


class Endless(Kuhn):
    """A rule calls itself without an end."""

    name = "endless"

    @override
    def scores(self, state: Table) -> list[int]:
        """Call a function that calls itself."""
        return [deeper(state, 0), 0]


class ShareHeuristics(Heuristics[Table]):
    """The evaluation divides by what the first seat has staked more than one."""

    playout_depth = 1

    @override
    def evaluate(self, state: Table) -> list[float]:
        """Return a share for the first seat, if it has one."""
        return [0.5 / (state.stakes[0] - 1), 0.25]


class Shares(Kuhn):
    """A game whose evaluation Python refuses after a check."""

    name = "shares"
    heuristics_type = ShareHeuristics


STAKES, DOUBLES = Amount("stake", 1, 100, 3), Amount("double", 1, 4)
STAKING = Actions("check", STAKES, DOUBLES)


class Staking(Kuhn):
    """A game with amounts, and without heuristics."""

    name, actions = "staking", STAKING

    @override
    def legal(self, state: Table) -> list[int]:
        """Return the actions: amounts in steps of 6, the doubled ones for the second seat."""
        doubles = DOUBLES.between(1, 4) if state.seat else range(0)
        return [*doubles, STAKING.starts[0], *STAKES.between(1, 100, 6)]

    @override
    def apply(self, state: Table, action: int) -> None:
        """Stake an amount and pass the turn on."""
        if action in STAKES:
            state.stakes[state.seat] += STAKES.amount(action)
        elif action in DOUBLES:
            state.stakes[state.seat] += 2 * DOUBLES.amount(action)
        super_apply(state, action)


DECK = french_deck()
SUITS = {
    suit: sum(1 << f for f, s in enumerate(DECK.texts("suit")) if s == suit)
    for suit in ("hearts", "spades")
}


class Excluding(Kuhn):
    """A game of many cards in which it is known which suits some cards do not have."""

    name, cards = "excluding", DECK

    @override
    def deal(self, state: Table) -> None:
        for token in range(26):
            state.put(token, state.hand, token % 2)
        state.put_all(range(26, 52), state.stack)
        state.stakes = [1, 1]

    @override
    def possible(self, state: Table, token: int) -> int:
        if token in state.hand[1]:
            return ~SUITS["hearts"]
        return ~SUITS["spades"] if token in state.stack[:9] else -1

    @override
    def plausible(self, state: Table) -> bool:
        """Return whether the first card of the second hand is higher than the last."""
        first, *_, last = state.hand[1]
        return state.face[first] > state.face[last]


class MixedTable(State):
    """A state whose hands their owners mix."""

    hand = per_seat(faces="owner", mixed=True)
    table = shared(faces="all")
    marks: list[int] = per_token()
    turns: int


class Mixing(Game[MixedTable]):
    """Cards wander between mixed hands and the table, several in one action."""

    name, title, seats = "mixing", "Mixing", Seats(2, 3)
    cards = load_cards(Path(__file__).with_name("two_backs.yaml"))
    actions = Actions("pass on", "swap", "lay", "gather")
    goal, state_type = Goal.SCORE, MixedTable

    @override
    def deal(self, state: MixedTable) -> None:
        for token in range(10):
            state.put(token, state.hand, token % state.seats)

    @override
    def legal(self, state: MixedTable) -> list[int]:
        left = (state.seat + 1) % state.seats
        return [0, 1, 2, 3] if state.hand[state.seat] and state.hand[left] else [3]

    @override
    def apply(self, state: MixedTable, action: int) -> None:
        """Move cards; the shuffles of one action may replace one another."""
        seat, left = state.seat, (state.seat + 1) % state.seats
        if action < 2:
            for token in state.hand[seat][:2]:
                state.marks[token] = 1
                state.move(token, state.hand[seat], state.hand, left)
        if action == 1:
            state.move(state.hand[left][0], state.hand[left], state.hand, seat)
        if action == 2:
            first, last = state.hand[seat][0], state.hand[left][-1]
            state.move(first, state.hand[seat], state.hand, left)
            state.move(first, state.hand[left], state.table)
            state.move(last, state.hand[left], state.hand, seat)
            state.move(last, state.hand[seat], state.table)
        if action == 3:
            state.put_all(state.table, state.hand, seat)
            state.table.clear()
        state.seat, state.turns = left, state.turns + 1
        if state.turns == 30:
            state.seat = OVER

    @override
    def scores(self, state: MixedTable) -> list[int]:
        return [len(hand) for hand in state.hand]


class Sided(Kuhn):
    """A game whose winner is a side."""

    name, goal, sides = "sided", Goal.WIN, ("first", "second")

    @override
    def side(self, state: Table, seat: int) -> int:
        """Return the seat."""
        return seat


class RangeHeuristics(Heuristics[Table]):
    """The playouts draw in a way that is not translated."""

    @override
    def playout_action(self, state: Table, rng: Random) -> int:
        """Return an action at random."""
        legal = self.game.legal(state)
        return legal[int(abs(rng.gauss(0.0, 1.0))) % len(legal)]


class DrawHeuristics(Heuristics[Table]):
    """The playouts draw in all ways that are translated."""

    @override
    def playout_action(self, state: Table, rng: Random) -> int:
        """Return an action at random."""
        legal = self.game.legal(state)
        if rng.uniform(-1, state.stakes[0]) + rng.choice((0.5, 0.25)) > 0:
            return legal[rng.randrange(len(legal))]
        place = rng.randint(1, len(legal)) + rng.randrange(-1, 1)
        return legal[max(0, place - 1)]


class Draws(Kuhn):
    """A game with draws of all kinds."""

    name = "draws"
    heuristics_type = DrawHeuristics


class Ranges(Kuhn):
    """A game whose rules are translated, but not its playouts."""

    name = "ranges"
    heuristics_type = RangeHeuristics


def super_apply(state: Table, action: int) -> None:
    """Pass the turn on, and end the game after the second turn."""
    state.seat = 1 if state.seat == 0 else -1


def worth(state: Table) -> int:
    """Return the sum of the faces of both hands."""
    return sum(state.face[token] for hand in state.hand for token in hand)


def deeper(state: Table, depth: int) -> int:
    """Return a number that is never reached."""
    return deeper(state, depth + 1) + 1


LEAKS: list[Kuhn] = [LegalLeak(), HelpedLeak(), ScoreLeak(), KeyLeak(), CountLeak()]
LEAKS += [CombinedLeak()]
BEYOND: list[Kuhn] = [Overflow(), FullList(), NegativeIndex()]
