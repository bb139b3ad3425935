"""Four piles: its declaration and its rules."""

from typing_extensions import override

from cardhub import OVER, Game, Goal, Range, Seats, Settings, first_seat, left_of
from four_piles.table import (
    ACTIONS,
    CARDS,
    DONE,
    KEEP,
    LAY,
    LAYING,
    LOWEST,
    NO_PILE,
    ON,
    OPTIONS,
    PHASES,
    PILES,
    PLACING,
    STUCK,
    VALUE,
    Table,
    count_laid,
    fitting,
    hand_size,
    required,
)


class FourPiles(Game[Table]):
    """All players together lay the cards on two rising and two falling piles."""

    name, title, seats = "four_piles", "Four piles", Seats(1, 5, 3)
    cards, actions, options, phases = CARDS, ACTIONS, OPTIONS, PHASES
    goal, unit, state_type = Goal.COMMON, "cards", Table
    score_range = Range(0, "tokens")
    opens_at_end = True
    heuristics_type = ".playouts:FourPilesHeuristics"
    display_type = ".display:FourPilesDisplay"

    @override
    def target(self, settings: Settings, seats: int) -> int:
        """Return the number of cards in the game (R7)."""
        return settings.number("highest") - LOWEST + 1

    @override
    def pack(self, settings: Settings, seats: int) -> list[int]:
        """Return the cards up to the highest by option."""
        highest = settings.number("highest")
        return [face for face in CARDS.all_copies() if VALUE[face] <= highest]

    @override
    def deal(self, state: Table) -> None:
        """Deal a full hand to each seat; the rest is the stack (R1)."""
        # Tokens are shuffled already: any of them can be the first hand.
        size, top = hand_size(state.seats), state.settings.number("highest") + 1
        for seat in range(state.seats):
            state.put_all(range(size * seat, size * (seat + 1)), state.hand, seat)
        state.put_all(range(size * state.seats, len(state.face)), state.stack)
        state.tops = [LOWEST - 1, LOWEST - 1, top, top]
        state.kept = [NO_PILE] * state.seats

    @override
    def legal(self, state: Table) -> list[int]:
        face = state.face
        if state.phase == PLACING:
            return [ON + pile for pile in fitting(state, VALUE[face[state.chosen[0]]])]
        hand = state.hand[state.seat]
        # A ruling: a first card is legal even if no second card will fit.
        actions = [LAY + token for token in hand if fitting(state, VALUE[face[token]])]
        if state.laid >= required(state):
            actions += self._endings(state)
        # Before the end there must be a legal action.
        return actions or [STUCK]

    @override
    def apply(self, state: Table, action: int) -> None:
        verb, index = ACTIONS.verb_and_index[action]
        match verb:
            case "lay":
                state.move(index, state.hand[state.seat], state.chosen)
                state.phase = PLACING
            case "on":
                place(state, index)
            case "stuck":
                end(state)
            case _:
                state.kept[state.seat] = NO_PILE if action == DONE else index
                end_turn(state)

    @override
    def scores(self, state: Table) -> list[int]:
        return [count_laid(state)] * state.seats

    def _endings(self, state: Table) -> list[int]:
        """Return the actions that end a turn: with or without a signal (R5)."""
        if state.seats == 1 or not state.settings.flag("signals"):
            return [DONE]
        return [DONE, *range(KEEP, KEEP + len(PILES))]


def place(state: Table, pile: int) -> None:
    """Lay the chosen card on a pile; the last card of all wins (R7)."""
    token = state.chosen.pop()
    state.put(token, state.pile, pile)
    state.tops[pile] = VALUE[state.face[token]]
    state.laid += 1
    state.phase = LAYING
    if not state.stack and not any(state.hand):
        state.log("All {number} cards are laid", number=count_laid(state))
        state.seat = OVER


def end_turn(state: Table) -> None:
    """Draw up to a full hand, and pass the turn to the next player with cards (R4, R6)."""
    hand = state.hand[state.seat]
    while state.stack and len(hand) < hand_size(state.seats):
        state.put(state.stack.pop(), state.hand, state.seat)
    following = first_seat(left_of(state.seat, state.seats), state.seats, state.hand.__getitem__)
    assert following is not None  # the last card of all ends the game in `place`
    state.seat, state.laid = following, 0
    # A signal holds until its player's next turn.
    state.kept[following] = NO_PILE


def end(state: Table) -> None:
    """End the game with open hands: a player could not lay enough cards (R7)."""
    for hand in state.hand:
        state.reveal(hand)
    left = len(state.stack) + sum(map(len, state.hand))
    state.log("The game ends with {left:card} left", left=left)
    state.seat = OVER
