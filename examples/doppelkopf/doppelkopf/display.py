"""The display of Doppelkopf: the table and all texts for people."""

from collections.abc import Iterable
from typing import Literal

from typing_extensions import override

from cardhub import (
    OVER,
    Area,
    BreakdownRow,
    BreakdownSection,
    Card,
    Display,
    Names,
    Scene,
    SeatLine,
    amount,
    clockwise,
)
from doppelkopf import scoring, tricks
from doppelkopf.table import (
    ACTIONS,
    ANNOUNCE,
    NO_SIDE,
    NO_SUIT,
    PLAY,
    POINTS,
    POWER,
    SEATS,
    SIDES,
    SUIT,
    SUIT_NAMES,
    TRUMP,
    Table,
    points,
    suit_led,
)


class DoppelkopfDisplay(Display[Table]):
    """The trick, the hands and the announcements."""

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        """Return the last trick, and the areas of each seat, the viewer's own last."""
        areas = [Area("last trick", state.taken[state.leader][-SEATS:], room=SEATS)]
        # A spectator sees the table from the last seat.
        own = viewer if viewer < SEATS else SEATS - 1
        for seat in clockwise(own + 1, SEATS):
            areas += areas_of(state, seat, viewer)
        lines = {seat: SeatLine(amount(points(state, seat), "point")) for seat in range(SEATS)}
        return Scene(prompt(state), areas, status=self._status(state), seats=lines)

    @override
    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str]:
        """Return an action as a sentence; the rules log who takes the trick."""
        player = names.player(before.seat)
        if action >= ANNOUNCE:
            return [f"{player} announces {SIDES[action - ANNOUNCE]}"]
        return [f"{player} plays {names.card(action - PLAY)}"]

    @override
    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        if action in self.game.legal(state):
            return None
        verb, index = ACTIONS.verb_and_index[action]
        if verb == "announce":
            if tricks.side(state, state.seat) != index:
                return "you play on the other side"
            if index in state.announced:
                return "your side has announced already"
            return "you may announce only before you play your second card"
        if index not in state.hand[state.seat]:
            return "it is not in your hand"
        held = names.cards(sort(state, (choice - PLAY for choice in tricks.playable(state))))
        return f"{SUIT_NAMES[suit_led(state)]} were led, and you hold {held}"

    @override
    def consequence(self, state: Table, action: int, names: Names) -> str:
        """Return whether a card would take the current trick, and what it is worth."""
        if action >= ANNOUNCE:
            return "the game is worth 2 more points, and all know your side"
        led, face = suit_led(state), state.face
        if led == NO_SUIT:
            return ""
        best, card = tricks.best_seat(state), face[action - PLAY]
        is_best = tricks.power(card, led) > tricks.power(face[state.laid[best][0]], led)
        laid = [face[pile[0]] for pile in state.laid if pile]
        worth = amount(sum(POINTS[other] for other in (*laid, card)), "point")
        if len(laid) == SEATS - 1:
            if is_best:
                return f"you take the trick with {worth}"
            return f"{names.player(best)} takes the trick with {worth}"
        if is_best:
            return f"this is the best card so far; the trick has {worth}"
        return f"{names.player(best)} stays ahead; the trick has {worth}"

    @override
    def breakdown(self, state: Table) -> list[BreakdownSection]:
        """Return the points of the game by cause."""
        rows = [
            BreakdownRow(cause.label, scoring.by_seat(state, cause.points))
            for cause in scoring.causes(state)
        ]
        return [BreakdownSection("", rows)]

    @override
    def chapter(self, state: Table) -> str:
        done, size = sum(map(len, state.taken)) // SEATS, tricks.hand_size(state)
        return f"trick {min(done + 1, size)} of {size}"

    def _status(self, state: Table) -> str:
        """Return the trick, and the sides that have been announced."""
        announced = [f"{SIDES[side]} announced" for side in sorted({*state.announced} - {NO_SIDE})]
        return " · ".join([self.chapter(state), *announced])

    @override
    def detail(self, card: Card) -> str:
        """Return the points of a card."""
        return f"{card.fields['points']}●" if card.fields["points"] else ""


def areas_of(state: Table, seat: int, viewer: int) -> list[Area]:
    """Return the card played and the hand of a seat."""
    laid = Area("plays", state.laid[seat], seat, place="front", room=1, slots=1)
    size = tricks.hand_size(state)
    if seat == viewer:
        return [laid, Area("hand", sort(state, state.hand[seat]), seat, "hand", room=size)]
    # Other players' hands are numbers only; viewers without a seat may see their cards.
    look: Literal["count", "row"] = "count" if viewer < SEATS else "row"
    return [Area("hand", state.hand[seat], seat, look, room=size), laid]


def sort(state: Table, tokens: Iterable[int]) -> list[int]:
    """Return cards sorted by suit, the trumps first, and from high to low."""

    def place(token: int) -> tuple[bool, int, int]:
        face = state.face[token]
        return SUIT[face] != TRUMP, SUIT[face], -POWER[face]

    return sorted(tokens, key=place)


def prompt(state: Table) -> str:
    """Return the prompt for the seat to act; it depends on no hand."""
    if state.seat == OVER:
        return "the game is over"
    led = suit_led(state)
    return "lead a card" if led == NO_SUIT else f"play a card: {SUIT_NAMES[led]} if possible"
