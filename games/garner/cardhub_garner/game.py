"""Garner: its declaration and its rules in outline."""

from collections.abc import Mapping
from typing import ClassVar

from typing_extensions import override

from cardhub import Game, Goal, Range, Seats, Settings
from cardhub_garner import collecting, distributing
from cardhub_garner.layouts import LAYOUTS
from cardhub_garner.majorities import total_scores
from cardhub_garner.table import (
    ACTIONS,
    CARDS,
    COLLECTING,
    LIFTING,
    NUMBER,
    OPTIONS,
    PHASES,
    PLACING,
    SUIT,
    Table,
    layout_of,
)

VERB_AND_INDEX = ACTIONS.verb_and_index  # read for every action


class Garner(Game[Table]):
    """Cards of one number are spread over an open layout to gather in suits."""

    name = "garner"
    title = "Garner"
    tagline = "nothing hidden"
    minutes = 15
    version = "1"
    seats = Seats(2)
    cards = CARDS
    actions = ACTIONS
    options = OPTIONS
    phases = PHASES
    goal = Goal.WIN
    score_range = Range(0, 7)
    opens_at_end = True
    networks = ("networks/two.net",)
    levels: ClassVar[Mapping[str, str]] = {
        "beginner": "hasty:12,player=rule",
        "easy": "hasty:3,player=rule",
        "medium": "trained",
        "hard": "ismcts:50",
        "expert": "ismcts:300",
    }
    unit = "suits"
    state_type = Table
    heuristics_type = ".strategy.heuristics:GarnerHeuristics"
    display_type = ".display.display:GarnerDisplay"

    @override
    def pack(self, settings: Settings, seats: int) -> list[int]:
        """Return the cards of the layout: the lowest numbers of each of its suits."""
        counts = LAYOUTS[settings.word("layout")].cards
        # Suits that a layout does not use, and numbers above its highest, stay out of the game.
        return [
            face
            for face in CARDS.all_copies()
            if SUIT[face] < len(counts) and NUMBER[face] <= counts[SUIT[face]]
        ]

    @override
    def deal(self, state: Table) -> None:
        """Lay out the stacks face up; seat 0 acts first (garner R1)."""
        height = layout_of(state).height
        # The state begins with seat 0 and the phase LIFTING.
        for number, site in enumerate(layout_of(state).sites):
            state.put_all(range(number * height, (number + 1) * height), state.board, site)

    @override
    def legal(self, state: Table) -> list[int]:
        if state.phase == LIFTING:
            return distributing.legal_lifts(state)
        if state.phase == PLACING:
            return distributing.legal_places(state)
        if state.phase == COLLECTING:
            return collecting.legal_collections(state)
        return collecting.legal_leaves(state)

    @override
    def apply(self, state: Table, action: int) -> None:
        verb, index = VERB_AND_INDEX[action]
        match verb:
            case "lift":
                distributing.lift(state, index)
            case "place":
                distributing.place(state, index)
            case "collect":
                collecting.collect(state, index)
            case "leave":
                collecting.leave(state, index)

    @override
    def scores(self, state: Table) -> list[int]:
        return total_scores(state)

    @override
    def unit_size(self, settings: Settings) -> int:
        """Return 2 if a suit counts half (layout c): scores then count half suits."""
        return max(LAYOUTS[settings.word("layout")].weights)
