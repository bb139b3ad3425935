"""Patchwork: a game on a grid, only for tests: lift a top card, place it on another site."""

from pathlib import Path

from typing_extensions import override

from cardhub import (
    OVER,
    Actions,
    Area,
    Choice,
    Display,
    Game,
    Grid,
    Scene,
    Seats,
    Sites,
    State,
    Target,
    left_of,
    load_cards,
    piles,
    shared,
)

CARDS = load_cards(Path(__file__).with_name("patchwork.yaml"))
SIDE = 3
ACTIONS = Actions(Choice("lift", CARDS), Sites("place", SIDE, SIDE))
LIFT, PLACE = ACTIONS.starts
TURNS = 6


class Table(State):
    """A position: nine stacks of two at first, and the card that is lifted."""

    sites = piles(SIDE * SIDE, faces="all")
    lifted = shared(faces="all", noun="lifted cards")
    turns: int


class PatchworkDisplay(Display[Table]):
    """A game: lift a card and place it elsewhere, for six turns."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Describe the grid and the lifted cards; the target of lifting is a top card."""
        grid = Grid("layout", SIDE, SIDE, state.sites)
        points = {
            LIFT + state.face[stack[-1]]: Target("card", stack[-1])
            for stack in state.sites
            if stack
        }
        prompt = "place it" if state.lifted else "lift a card"
        return Scene(prompt, [grid, Area("lifted", state.lifted)], points)


class Patchwork(Game[Table]):
    """A game: lift a card and place it elsewhere, for six turns."""

    name, title, seats = "patchwork", "Patchwork", Seats(2)
    cards, actions, state_type = CARDS, ACTIONS, Table
    display_type = PatchworkDisplay

    def deal(self, state: Table) -> None:
        """Lay two cards on each site."""
        for token in range(len(state.face)):
            state.put(token, state.sites, token % len(state.sites))

    @override
    def legal(self, state: Table) -> list[int]:
        if state.lifted:
            return [PLACE + site for site in range(len(state.sites))]
        return sorted(LIFT + state.face[stack[-1]] for stack in state.sites if stack)

    @override
    def apply(self, state: Table, action: int) -> None:
        if action >= PLACE:
            state.put(state.lifted.pop(), state.sites, action - PLACE)
            state.turns += 1
            state.seat = OVER if state.turns == TURNS else left_of(state.seat, state.seats)
            return
        for stack in state.sites:
            if stack and state.face[stack[-1]] == action - LIFT:
                state.move(stack[-1], stack, state.lifted)

    def scores(self, state: Table) -> list[int]:
        """Return a draw."""
        return [0] * state.seats
