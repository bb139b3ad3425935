"""Roses and skulls: its declaration and its rules in outline."""

from random import Random

from typing_extensions import override

from cardhub import BreakdownSection, Game, Goal, Names, Scene, Seats, Settings, Summary
from roses import challenges, display, hints, reasons
from roses.table import (
    ACTIONS,
    BIDDING,
    CARDS,
    COLLECT,
    COLLECTING,
    DISCS,
    LAYING,
    LOSE,
    LOSING,
    MOST_SEATS,
    PHASES,
    START,
    STARTING,
    TAKE,
    TURNING,
    Table,
    is_in,
)


class Roses(Game[Table]):
    """Turn up as many roses as you bid; who turns up a skull loses a disc."""

    name, title, seats = "roses", "Roses and skulls", Seats(3, MOST_SEATS, 4)
    cards, actions, phases, goal = CARDS, ACTIONS, PHASES, Goal.WIN
    # A skull on the mat and a bid on it are meant to deceive.
    bluffs = ("lay", "bid")
    needs_confirmation = ("pass",)
    # About the rest of a round.
    playout_depth = 12
    state_type = Table

    @override
    def pack(self, settings: Settings, seats: int) -> list[int]:
        """Return a deck for each seat."""
        return [face for face in CARDS.all_copies() if CARDS.deck_of[face] < seats]

    @override
    def deal(self, state: Table) -> None:
        """Give each seat its deck: three roses and a skull (R1)."""
        for seat in range(state.seats):
            state.put_all(range(DISCS * seat, DISCS * (seat + 1)), state.hand, seat)
        state.wins = [0] * state.seats
        challenges.begin_round(state, 0)

    @override
    def legal(self, state: Table) -> list[int]:
        if state.phase == LAYING:
            return challenges.legal_lays(state)
        if state.phase == BIDDING:
            return challenges.legal_answers(state)
        if state.phase == TURNING:
            return challenges.legal_turns(state)
        if state.phase == COLLECTING:
            return [COLLECT]
        if state.phase == STARTING:
            return [START + seat for seat in range(state.seats) if is_in(state, seat)]
        first = LOSE if state.phase == LOSING else TAKE
        return [first + token for token in state.hand[state.challenger]]

    @override
    def apply(self, state: Table, action: int) -> None:
        verb, index = ACTIONS.verb_and_index[action]
        match verb:
            case "lay":
                challenges.lay(state, index)
            case "bid":
                challenges.bid(state, index + 1)
            case "pass":
                challenges.pass_bid(state)
            case "turn":
                challenges.turn(state, index)
            case "collect":
                challenges.collect(state)
            case "start":
                challenges.begin_round(state, index)
            case _:
                challenges.lose(state, index)

    @override
    def scores(self, state: Table) -> list[int]:
        return state.wins[:]

    @override
    def playout_action(self, state: Table, rng: Random) -> int:
        return hints.choose(state, self.legal(state), rng)

    @override
    def evaluate(self, state: Table) -> list[float]:
        return hints.evaluate(state)

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        return display.scene(state, viewer)

    @override
    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str] | None:
        return display.narration(before, action, after, names)

    @override
    def summary(self, before: Table, action: int, after: Table, names: Names) -> Summary | None:
        return display.summary(before, after, names)

    @override
    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        return reasons.why_not(state, action, names)

    @override
    def consequence(self, state: Table, action: int, names: Names) -> str:
        return display.consequence(state, action, names)

    @override
    def breakdown(self, state: Table) -> list[BreakdownSection]:
        return display.causes(state)
