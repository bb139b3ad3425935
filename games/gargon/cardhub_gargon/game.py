"""Gargon: its declaration and its rules in outline."""

from collections.abc import Mapping
from typing import ClassVar

from typing_extensions import override

from cardhub import Game, Goal, Seats, Usual, left_of
from cardhub_gargon import battle, laying
from cardhub_gargon.scoring import total_scores
from cardhub_gargon.table import ACTIONS, CARDS, FIGHTING, LAYING, OPTIONS, PHASES, Table

HAND = 10

VERB_AND_INDEX = ACTIONS.verb_and_index  # read for every action


class Gargon(Game[Table]):
    """Magicians pit creatures against each other for the amulets they wear."""

    name = "gargon"
    title = "Gargon"
    tagline = "battles of colours"
    minutes = 25
    version = "1"
    seats = Seats(3, 5, default=4)
    cards = CARDS
    actions = ACTIONS
    options = OPTIONS
    phases = PHASES
    goal = Goal.WIN
    score_range = Usual(0, 100)
    opens_at_end = True
    networks = ("networks/three.net", "networks/four.net", "networks/five.net")
    levels: ClassVar[Mapping[str, str]] = {
        "beginner": "hasty:65,player=rule",
        "easy": "hasty:35,player=rule",
        "medium": "hasty:12,player=rule",
        "hard": "trained",
        "expert": "ismcts:800",
    }
    state_type = Table
    heuristics_type = ".strategy.heuristics:GargonHeuristics"
    display_type = ".display.display:GargonDisplay"

    @override
    def deal(self, state: Table) -> None:
        """Deal ten cards to each seat; split the rest into two equal stacks."""
        for seat in range(state.seats):
            state.put_all(range(seat * HAND, (seat + 1) * HAND), state.hand, seat)
        # Tokens are numbered after shuffling, so any range of them is a random one.
        first, cards = state.seats * HAND, len(state.face)
        middle = (first + cards) // 2
        state.put_all(range(first, middle), state.stacks, 0)
        state.put_all(range(middle, cards), state.stacks, 1)
        laying.begin_laying(state, state.settings.number("start"))

    @override
    def legal(self, state: Table) -> list[int]:
        if state.phase == LAYING:
            return laying.legal_laying(state)
        if state.phase == FIGHTING:
            return battle.legal_fights(state)
        return battle.legal_draws(state)

    @override
    def apply(self, state: Table, action: int) -> None:
        verb, index = VERB_AND_INDEX[action]
        match verb:
            case "lay":
                laying.lay(state, index)
                if laying.is_set_complete(state):
                    self._end_turn(state)
            case "done":
                self._end_turn(state)
            case "pass":
                laying.draw_split(state, index)
                self._end_turn(state)
            case "fight":
                battle.fight(state, index)
            case "take":
                battle.draw(state, index)

    @override
    def scores(self, state: Table) -> list[int]:
        return total_scores(state)

    def _end_turn(self, state: Table) -> None:
        """Pass the turn to the next seat, or start the battles after the last seat."""
        # The leader's whole set is the mix, so it is known only at the end of that turn.
        if state.seat == state.leader:
            laying.fix_mix(state)
        seat = left_of(state.seat, state.seats)
        if seat == state.leader:
            battle.begin_battles(state)
        else:
            state.seat = seat
