"""Garner: what it is, and its rules in outline."""

from random import Random

from cardhub import Game, Names, Scene, Seats, Settings
from cardhub_garner import collecting, distributing
from cardhub_garner.display import event_texts, scene
from cardhub_garner.layouts import LAYOUTS
from cardhub_garner.majorities import total_scores
from cardhub_garner.strategy import evaluation, playout
from cardhub_garner.table import (
    ACTIONS,
    CARDS,
    COLLECT,
    COLLECTING,
    LEAVE,
    LIFT,
    LIFTING,
    NUMBER,
    OPTIONS,
    PHASES,
    PLACE,
    PLACING,
    SUIT,
    Table,
    layout_of,
)


class Garner(Game[Table]):
    """Cards of one number are spread over an open layout so that suits can be gathered in."""

    name = "garner"
    title = "Garner"
    version = "1"
    seats = Seats(2)
    cards = CARDS
    actions = ACTIONS
    options = OPTIONS
    phases = PHASES
    playout_depth = 2
    state_type = Table

    def pack(self, settings: Settings, seats: int) -> list[int]:
        """Return the cards of the layout: from each of its suits the lowest numbers."""
        counts = LAYOUTS[settings.word("layout")].cards
        return [
            face
            for face in CARDS.all_copies()
            if SUIT[face] < len(counts) and NUMBER[face] <= counts[SUIT[face]]
        ]

    def deal(self, state: Table) -> None:
        """Lay out the stacks, face up; seat 0 acts first (garner R1)."""
        height = layout_of(state).height
        for number, site in enumerate(layout_of(state).sites):
            state.put_all(range(number * height, (number + 1) * height), state.board, site)

    def legal(self, state: Table) -> list[int]:
        """See Game."""
        if state.phase == LIFTING:
            return distributing.legal_lifts(state)
        if state.phase == PLACING:
            return distributing.legal_places(state)
        if state.phase == COLLECTING:
            return collecting.legal_collections(state)
        return collecting.legal_leaves(state)

    def apply(self, state: Table, action: int) -> None:
        """See Game."""
        if action < PLACE:
            distributing.lift(state, action - LIFT)
        elif action < COLLECT:
            distributing.place(state, action - PLACE)
        elif action < LEAVE:
            collecting.collect(state, action - COLLECT)
        else:
            collecting.leave(state, action - LEAVE)

    def scores(self, state: Table) -> list[int]:
        """See Game."""
        return total_scores(state)

    def playout_action(self, state: Table, rng: Random) -> int:
        """See Game."""
        if state.phase == PLACING:
            return playout.placed(state, rng)
        if state.phase == COLLECTING:
            return playout.collected(state)
        if state.phase == LIFTING:
            return playout.lifted(state, rng)
        return self.random_action(state, rng)

    def evaluate(self, state: Table) -> list[float]:
        """See Game."""
        return evaluation.evaluate(state)

    def scene(self, state: Table, viewer: int) -> Scene:
        """See Game."""
        return scene.table(state, viewer)

    def story(self, before: Table, action: int, after: Table, names: Names) -> list[str] | None:
        """See Game."""
        return event_texts.tell(before, action, after, names)
