"""Kuhn poker (1950)."""

from pathlib import Path
from typing import Annotated

from cardhub import (
    OVER,
    Actions,
    Area,
    Counter,
    Display,
    Game,
    Goal,
    Range,
    Scene,
    Seats,
    State,
    load_cards,
    per_seat,
    shared,
)

CARDS = load_cards(Path(__file__).with_name("cards.yaml"))  # J, Q, K: a higher face beats a lower
ACTIONS = Actions("check", "bet", "fold", "call")
CHECK, BET, FOLD, CALL = ACTIONS.starts
OPENINGS, ANSWERS = [CHECK, BET], [FOLD, CALL]


class Table(State):
    """The state: two hands, the card left over, and the stakes by seat."""

    hand = per_seat(faces="owner")
    stack = shared(faces="nobody")
    stakes: Annotated[list[int], Range(1, 2)]


def is_bet(state: Table) -> bool:
    """Return whether a bet is waiting for an answer."""
    return state.stakes[0] != state.stakes[1]


class KuhnDisplay(Display[Table]):
    """The hands and the stakes."""

    needs_confirmation = ("fold",)

    def scene(self, state: Table, viewer: int) -> Scene:
        """Return the card and the stake of each seat, the viewer's own card large."""
        hands = [Area("hand", state.hand[s], s, "hand" if s == viewer else "row") for s in (0, 1)]
        stakes = [Counter("staked", stake, seat, pips=2) for seat, stake in enumerate(state.stakes)]
        prompt = "fold or call the bet" if is_bet(state) else "check or bet"
        return Scene(prompt, hands, counters=stakes)


class Kuhn(Game[Table]):
    """The smallest poker, whose optimal strategy is known."""

    name, title, seats = "kuhn", "Kuhn poker", Seats(2)
    cards, actions, state_type = CARDS, ACTIONS, Table
    goal, unit, score_range = Goal.SCORE, "chips", Range(-2, 2)
    display_type = KuhnDisplay

    def deal(self, state: Table) -> None:
        """Deal token 0 to seat 0 and token 1 to seat 1; both ante a chip."""
        state.put(0, state.hand, 0)
        state.put(1, state.hand, 1)
        state.put(2, state.stack)
        state.stakes = [1, 1]

    def legal(self, state: Table) -> list[int]:
        """Return the legal actions, with or without a bet to answer."""
        return ANSWERS if is_bet(state) else OPENINGS

    def apply(self, state: Table, action: int) -> None:
        """Carry out an action; the game ends with a fold, or with both cards turned up."""
        if action in (BET, CALL):
            state.stakes[state.seat] += 1
        goes_on = action == BET or (action == CHECK and state.seat == 0)
        if not goes_on and action != FOLD:
            state.reveal([0, 1])
            state.pause("Both players show their cards: {cards}", (0, 1))
        state.seat = 1 - state.seat if goes_on else OVER

    def scores(self, state: Table) -> list[int]:
        """Return the chips won; zeros before the end."""
        if state.seat != OVER:
            return [0, 0]
        first, second = state.stakes
        won = min(first, second)
        if first == second:  # nobody folded
            first, second = state.face[0], state.face[1]
        return [won, -won] if first > second else [-won, won]
