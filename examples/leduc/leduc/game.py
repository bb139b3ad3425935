"""Leduc poker (Southey et al. 2005).

The tree of the game equals OpenSpiel's `leduc_poker` for two players: faces and actions have
the same numbers, and tokens 0, 1 and 2 are the cards that its chance deals, in that order.
"""

from pathlib import Path
from typing import Annotated, Literal

from cardhub import (
    OVER,
    Actions,
    Area,
    Counter,
    Display,
    Game,
    Goal,
    Heuristics,
    Names,
    Range,
    Scene,
    Seats,
    State,
    amount,
    load_cards,
    per_seat,
    shared,
)

CARDS = load_cards(Path(__file__).with_name("cards.yaml"), rank=int)
RANK = CARDS.ints("rank")
PAIR = 100  # added to the rank of a pair
ACTIONS = Actions("fold", "call", "raise")
FOLD, CALL, RAISE = ACTIONS.starts
PHASES = ("first round", "second round")
SIZE = [2, 4]  # chips of a raise, by round
# The legal actions by the number of raises in this round, of which the last is to be answered.
LEGAL = [[CALL, RAISE], [FOLD, CALL, RAISE], [FOLD, CALL]]
MOST_RAISES = len(LEGAL) - 1


class Table(State):
    """The state: hands, the card turned up, stakes, and the raises of this round."""

    hand = per_seat(faces="owner")
    board = shared(faces="all")
    stack = shared(faces="nobody")
    stakes: Annotated[list[int], Range(1, 13)]
    raises: Annotated[int, Range(0, 2)]


class LeducDisplay(Display[Table]):
    """The cards, the stakes, and sentences about bets."""

    needs_confirmation = ("fold",)

    def scene(self, state: Table, viewer: int) -> Scene:
        """Return the card turned up, and the card and stake of each seat."""
        areas = [Area("turned up", state.board, room=1, slots=1)]
        for seat in (0, 1):
            look: Literal["hand", "row"] = "hand" if seat == viewer else "row"
            areas.append(Area("hand", state.hand[seat], seat, look, room=1))
        stakes = [Counter("staked", stake, seat) for seat, stake in enumerate(state.stakes)]
        return Scene(prompt(state), areas, status=self.chapter(state), counters=stakes)

    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str]:
        """Return an action and the cards that it turned up."""
        lines = [f"{names.player(before.seat)} {describe(before, action, after)}"]
        if len(after.board) > len(before.board):
            lines.append(f"{names.card(after.board[0])} is turned up")
        if after.seat == OVER and action != FOLD:
            lines += [f"{names.player(seat)} has {names.card(seat)}" for seat in (0, 1)]
        return lines

    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        """Return why a seat cannot fold or raise; a call is always legal."""
        if action == FOLD and not owed(state):
            return "there is no raise to answer; call, which is a check now"
        if action == RAISE and state.raises == MOST_RAISES:
            return f"a round has at most {MOST_RAISES} raises"
        return None

    def consequence(self, state: Table, action: int, names: Names) -> str:
        """Return the chips that an action stakes, or that a fold loses."""
        own = state.stakes[state.seat]
        if action == FOLD:
            return f"you lose {amount(own, 'chip')}"
        added = owed(state) + (SIZE[state.phase] if action == RAISE else 0)
        if not added:
            return "you add no chips"
        return f"you add {amount(added, 'chip')}, for a stake of {own + added}"

    def chapter(self, state: Table) -> str:
        """Return the round of betting."""
        return PHASES[state.phase]


class LeducHeuristics(Heuristics[Table]):
    """Suits count for nothing: search learns from cards of one rank together."""

    face_classes = RANK


class Leduc(Game[Table]):
    """The smallest poker with a shared card."""

    name, title, seats = "leduc", "Leduc poker", Seats(2)
    cards, actions, phases, state_type = CARDS, ACTIONS, PHASES, Table
    heuristics_type, display_type = LeducHeuristics, LeducDisplay
    goal, unit, score_range = Goal.SCORE, "chips", Range(-13, 13)

    def deal(self, state: Table) -> None:
        """Deal token 0 to seat 0 and token 1 to seat 1; both ante a chip."""
        state.put(0, state.hand, 0)
        state.put(1, state.hand, 1)
        # Descending, as cards are taken from the end: token 2 comes first.
        state.put_all(range(5, 1, -1), state.stack)
        state.stakes = [1, 1]

    def legal(self, state: Table) -> list[int]:
        """Return the legal actions: fold to a raise only, raise twice in a round at most."""
        return LEGAL[state.raises]

    def apply(self, state: Table, action: int) -> None:
        """Fold or stake chips; a call ends the round unless it is the first check."""
        if action == FOLD:
            state.seat = OVER
            return
        state.stakes[state.seat] += owed(state)
        if action == RAISE:
            state.stakes[state.seat] += SIZE[state.phase]
            state.raises += 1
        # A check of seat 0 leaves the round open: seat 1 has not acted yet.
        elif state.raises or state.seat == 1:
            end_round(state)
            return
        state.seat = 1 - state.seat

    def scores(self, state: Table) -> list[int]:
        """Return the chips won; zeros before the end."""
        if state.seat != OVER:
            return [0, 0]
        first, second = state.stakes
        # After a fold the stakes differ: the loser loses only the own stake.
        won = min(first, second)
        if first == second:  # nobody folded
            first, second = strength(state, 0), strength(state, 1)
        if first == second:
            return [0, 0]
        return [won, -won] if first > second else [-won, won]


def owed(state: Table) -> int:
    """Return the chips that the seat to act has to add for a call."""
    return state.stakes[1 - state.seat] - state.stakes[state.seat]


def end_round(state: Table) -> None:
    """Turn up the shared card; after the second round, both hands."""
    if state.phase == 1:
        # A showdown; after a fold the hands stay hidden.
        state.reveal([0, 1])
        state.pause("Both players show their cards: {cards}", (0, 1))
        state.seat = OVER
        return
    state.put(state.stack.pop(), state.board)
    state.phase, state.raises, state.seat = 1, 0, 0


def strength(state: Table, seat: int) -> int:
    """Return a number that is higher for a better hand."""
    own, shared_card = RANK[state.face[seat]], RANK[state.face[state.board[0]]]
    return own + PAIR if own == shared_card else own


def prompt(state: Table) -> str:
    """Return the prompt for the seat to act."""
    if state.seat == OVER:
        return "the game is over"
    more = f"raise by {SIZE[state.phase]}"
    if not owed(state):
        return f"call (which is a check now), or {more}"
    choices = f"fold, call {owed(state)}"
    return f"{choices} or {more}" if state.raises < MOST_RAISES else choices.replace(",", " or")


def describe(before: Table, action: int, after: Table) -> str:
    """Return an action as text."""
    if action == FOLD:
        return "folds"
    if action == RAISE:
        return f"raises to {after.stakes[before.seat]}"
    return f"calls {owed(before)}" if owed(before) else "checks"
