"""Roses and skulls: its declaration and its rules in outline."""

from typing_extensions import override

from cardhub import Game, Goal, Range, Seats, Settings
from roses import challenges
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
    score_range = Range(0, 2)
    state_type = Table
    heuristics_type = ".heuristics:RosesHeuristics"
    display_type = ".display:RosesDisplay"

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
        verb, value = ACTIONS.verb_and_value[action]
        match verb:
            case "lay":
                challenges.lay(state, value)
            case "bid":
                challenges.bid(state, value)
            case "pass":
                challenges.pass_bid(state)
            case "turn":
                challenges.turn(state, value)
            case "collect":
                challenges.collect(state)
            case "start":
                challenges.begin_round(state, value)
            case _:
                challenges.lose(state, value)

    @override
    def scores(self, state: Table) -> list[int]:
        return state.wins[:]
