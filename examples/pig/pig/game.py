"""Pig for stakes.

Pig (Scarne 1945) with two dice, of which only the sum counts, and cards that multiply the points
of a turn. Chance is a seat: it rolls the dice and shuffles the stakes again.
"""

from pathlib import Path
from typing import Annotated

from cardhub import (
    CHANCE,
    OVER,
    WATCHED,
    Actions,
    Area,
    Choice,
    Counter,
    Display,
    Game,
    Goal,
    IndexOf,
    Names,
    Number,
    Option,
    Scene,
    SeatLine,
    Seats,
    State,
    Usual,
    left_of,
    load_cards,
    shared,
)

CARDS = load_cards(Path(__file__).with_name("cards.yaml"), times=int)
TIMES = CARDS.ints("times")
SUMS = range(2, 13)
ACTIONS = Actions("roll", "hold", Choice("sum", SUMS))
ROLL, HOLD, SUM = ACTIONS.starts
UNLUCKY = 7
HOLDS = "{player} holds and banks {points:point}, for a total of {total}"
SHOW = "The dice show {number}: {points:point} this turn"
LOSES = "A seven: {player} loses {points:point}"
HAS_NONE = "A seven: {player} has no points to lose"
OPTIONS: dict[str, Option] = {"target": Number(100, "The points needed to win.", 20, 120)}


class Table(State):
    """The state: `points` are the points of the seat `player` in this turn."""

    stack = shared(faces="nobody")
    stake = shared(faces="all")
    used = shared(faces="all", noun="used cards")
    banked: Annotated[list[int], Usual(0, "target")]
    player: Annotated[int, IndexOf("seats")]
    points: Annotated[int, Usual(0, "target")]


class PigDisplay(Display[Table]):
    """The stakes, the points of the turn, and sentences about throws."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Return the stakes, this turn, and the points banked by each seat."""
        target = state.settings.number("target")
        areas = [
            Area("stake", state.stake, room=1),
            Area("to come", state.stack, look="count"),
            Area("used", state.used, look="pile"),
        ]
        lines = {
            seat: SeatLine(f"{points} of {target}", ["rolls"] * (seat == state.player))
            for seat, points in enumerate(state.banked)
        }
        turn = Counter("this turn", state.points)
        return Scene(prompt(state), areas, seats=lines, counters=[turn])

    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str]:
        """Return that a player rolls; the rules log all else."""
        return [f"{names.player(before.player)} rolls"] if action == ROLL else []

    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        """Return why a seat cannot hold, or choose a sum."""
        if action == HOLD and not state.points:
            return "there are no points to bank before the first roll"
        return "the dice decide the sum; roll them" if action >= SUM else None

    def consequence(self, state: Table, action: int, names: Names) -> str:
        """Return the points that holding banks, or that a seven would lose."""
        if action == HOLD:
            total = state.banked[state.seat] + worth(state)
            return f"you bank {worth(state)} points, for a total of {total}"
        return (
            f"a seven, one throw in six, would cost you {worth(state)} points"
            if state.points
            else ""
        )


class Pig(Game[Table]):
    """Roll for more points, or hold before a seven takes them all."""

    name, title, seats = "pig", "Pig for stakes", Seats(2, 4)
    cards, actions, options, state_type = CARDS, ACTIONS, OPTIONS, Table
    goal, display_type = Goal.WIN, PigDisplay
    score_range = Usual(0, "target")

    def deal(self, state: Table) -> None:
        """Stack the stakes and turn up the first one."""
        state.banked = [0] * state.seats
        state.put_all(range(CARDS.count), state.stack)
        turn_up(state)

    def legal(self, state: Table) -> list[int]:
        """Return the legal actions: the sums (chance), or roll and, with points to bank, hold."""
        if state.seat == CHANCE:
            return [SUM + number for number in range(len(SUMS))]
        return [ROLL, HOLD] if state.points else [ROLL]

    def chance_weights(self, state: Table) -> list[float] | None:
        """Return the weights of chance's actions: the number of throws with each sum."""
        # 6 of 36 throws make a seven, and one fewer for each step away from it.
        return [6 - abs(total - UNLUCKY) for total in SUMS]

    def apply(self, state: Table, action: int) -> None:
        """Apply an action: ask chance to roll, add its roll, or hold."""
        if action == ROLL:
            # The field `player` keeps the seat whose turn it is.
            state.seat = CHANCE
        elif action == HOLD:
            won = worth(state)
            state.banked[state.player] += won
            if WATCHED:
                state.log(HOLDS, state.player, points=won, total=state.banked[state.player])
            end_turn(state)
        elif SUMS[action - SUM] == UNLUCKY:
            if WATCHED:
                state.log(LOSES if state.points else HAS_NONE, state.player, points=state.points)
            end_turn(state)
        else:
            state.seat = state.player
            state.points += SUMS[action - SUM]
            if WATCHED:
                state.log(SHOW, number=SUMS[action - SUM], points=state.points)

    def scores(self, state: Table) -> list[int]:
        """Return the points that each seat has banked in this state."""
        # A copy: the caller may keep it while the state changes.
        return state.banked[:]


def turn_up(state: Table) -> None:
    """Turn up the next stake; after the last one, shuffle the others."""
    state.put(state.stack.pop(), state.stake)
    # Shuffled in the same action, because every turn needs a stake.
    if not state.stack:
        state.put_all(state.used, state.stack)
        state.shuffle(state.used)
        state.used.clear()


def end_turn(state: Table) -> None:
    """End the game if enough is banked, else begin the turn of the next seat."""
    state.points = 0
    if max(state.banked) >= state.settings.number("target"):
        state.seat = OVER
        return
    state.player = state.seat = left_of(state.player, state.seats)
    # Before the next stake is turned up, which may shuffle the used ones.
    state.put(state.stake.pop(), state.used)
    turn_up(state)
    if WATCHED:
        state.log("{player} plays for the stake {cards}", state.player, state.stake)


def worth(state: Table) -> int:
    """Return the points that holding banks."""
    return state.points * TIMES[state.face[state.stake[0]]]


def prompt(state: Table) -> str:
    """Return the prompt for the seat to act."""
    if state.seat == OVER:
        return "the game is over"
    return f"roll again, or hold to bank {worth(state)}" if state.points else "roll the dice"
