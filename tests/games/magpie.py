"""Magpie: a game for tests only that uses the whole contract.

Each turn chance rolls how many cards the player fetches, from the stack or the discard pile. As
many are then laid away: face up on the discard pile, or one of them face down into the own nest.
"""

from pathlib import Path

from typing_extensions import override

from cardhub import (
    CHANCE,
    OVER,
    Actions,
    Area,
    Choice,
    Display,
    Flag,
    Game,
    Number,
    Option,
    Scene,
    Seats,
    Settings,
    State,
    Target,
    Tokens,
    left_of,
    load_cards,
    per_seat,
    shared,
)

CARDS = load_cards(Path(__file__).with_name("magpie.yaml"), value=int)
VALUE = CARDS.ints("value")
ACTIONS = Actions(
    Choice("roll", (1, 2, 3)),
    "draw",
    "take",
    Tokens("hide", CARDS.count),
    Tokens("drop", CARDS.count),
)
ROLL, DRAW, TAKE, HIDE, DROP = ACTIONS.starts
PHASES = ("rolling", "fetching", "laying away")
ROLLING, FETCHING, LAYING = range(3)
HAND = 3
OPTIONS: dict[str, Option] = {
    "nest": Number(4, "How many cards fill a nest, which ends the game.", 3, 5),
    "peek": Flag(False, "Who rolls a 3 looks at the card to be drawn next."),
}


class Table(State):
    """A position: `player` has `fetches` to make and `debts` cards to lay away this turn."""

    hand = per_seat(faces="owner", mixed=True)
    nest = per_seat(faces="owner")
    stack = shared(faces="nobody")
    discard = shared(faces="all")
    player: int
    fetches: int
    debts: int
    has_hidden: bool


class MagpieDisplay(Display[Table]):
    """Fill your nest with what is worth most."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Show the stack, the discard pile and the cards of each seat."""
        areas = [
            Area("stack", state.stack, look="count"),
            Area("discard", state.discard, look="pile"),
        ]
        for seat in range(state.seats):
            areas.append(Area("nest", state.nest[seat], seat))
            areas.append(Area("hand", state.hand[seat], seat, "hand" if seat == viewer else "row"))
        points = {DRAW: Target("area", "stack"), TAKE: Target("area", "discard")}
        return Scene(f"{PHASES[state.phase]}: {state.debts} cards", areas, points)


class Magpie(Game[Table]):
    """Fill your nest with what is worth most."""

    name, title, seats = "magpie", "Magpie", Seats(2, 4)
    cards, actions, phases, state_type = CARDS, ACTIONS, PHASES, Table
    options = OPTIONS
    display_type = MagpieDisplay

    def pack(self, settings: Settings, seats: int) -> list[int]:
        """Return the cards up to a value that depends on the number of seats."""
        return [face for face in CARDS.all_copies() if VALUE[face] <= seats + 3]

    def deal(self, state: Table) -> None:
        """Deal three cards each and turn one up."""
        first = state.seats * HAND
        for seat in range(state.seats):
            state.put_all(range(seat * HAND, seat * HAND + HAND), state.hand, seat)
        state.put(first, state.discard)
        state.put_all(range(first + 1, len(state.face)), state.stack)
        state.seat = CHANCE

    @override
    def legal(self, state: Table) -> list[int]:
        if state.phase == ROLLING:
            return [ROLL, ROLL + 1, ROLL + 2]
        if state.phase == FETCHING:
            return [DRAW] * bool(state.stack) + [TAKE] * bool(state.discard)
        hand = state.hand[state.seat]
        hides = [] if state.has_hidden else [HIDE + token for token in hand]
        return hides + [DROP + token for token in hand]

    def chance_weights(self, state: Table) -> list[float] | None:
        """Return the weights of a loaded die."""
        return [3, 2, 1]

    @override
    def apply(self, state: Table, action: int) -> None:
        if action < DRAW:
            self._roll(state, action - ROLL + 1)
        elif action < HIDE:
            pile = state.stack if action == DRAW else state.discard
            state.put(pile.pop(), state.hand, state.seat)
            state.fetches -= 1
        else:
            self._lay_away(state, action)
        self._go_on(state)

    def _roll(self, state: Table, pips: int) -> None:
        state.seat, state.phase = state.player, FETCHING
        state.fetches = state.debts = pips
        state.has_hidden = False
        if pips == HAND and state.settings.flag("peek") and state.stack:
            state.show(state.stack[-1], state.seat)

    def _lay_away(self, state: Table, action: int) -> None:
        hand = state.hand[state.seat]
        state.debts -= 1
        if action < DROP:
            state.has_hidden = True
            state.move(action - HIDE, hand, state.nest, state.seat)
        else:
            state.move(action - DROP, hand, state.discard)

    def _go_on(self, state: Table) -> None:
        """Refill the stack, and end fetching, the turn or the game if that is due."""
        if not state.stack and len(state.discard) > 1:
            *used, top = state.discard
            state.discard = [top]
            state.put_all(used, state.stack)
            state.shuffle(used)
        if state.phase == FETCHING and not (state.fetches and (state.stack or state.discard)):
            state.phase = LAYING
        if state.phase == LAYING and not (state.debts and state.hand[state.seat]):
            self._end_turn(state)

    def _end_turn(self, state: Table) -> None:
        if len(state.nest[state.player]) >= state.settings.number("nest"):
            for nest in state.nest:
                state.reveal(nest)
            state.seat = OVER
            return
        state.player = left_of(state.player, state.seats)
        state.seat, state.phase = CHANCE, ROLLING

    def scores(self, state: Table) -> list[int]:
        """Return the values of the nests."""
        return [sum(VALUE[state.face[token]] for token in nest) for nest in state.nest]
