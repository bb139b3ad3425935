"""Doppelkopf: its declaration and its rules in outline."""

from typing_extensions import override

from cardhub import OVER, Game, Goal, Range, Seats, Settings
from doppelkopf import scoring, tricks
from doppelkopf.table import (
    ACTIONS,
    ANNOUNCE,
    CARDS,
    NO_SIDE,
    OPTIONS,
    PLAY,
    RANK,
    RE,
    SEATS,
    SIDES,
    Table,
)


class Doppelkopf(Game[Table]):
    """Find your partner, and take more than half of the points."""

    name, title, seats = "doppelkopf", "Doppelkopf", Seats(SEATS)
    cards, actions, options = CARDS, ACTIONS, OPTIONS
    goal, state_type, sides = Goal.SCORE, Table, SIDES
    score_range = Range(-30, 30)
    display_type = ".display:DoppelkopfDisplay"

    @override
    def pack(self, settings: Settings, seats: int) -> list[int]:
        """Return all cards twice, with or without the nines."""
        lowest = 9 if settings.flag("nines") else 10
        return [face for face in CARDS.copies if RANK[face] >= lowest]

    @override
    def deal(self, state: Table) -> None:
        """Deal all cards."""
        size = tricks.hand_size(state)
        for seat in range(SEATS):
            state.put_all(range(seat * size, seat * size + size), state.hand, seat)
        state.announced = [NO_SIDE] * SEATS
        state.queens, state.excluded = [0] * SEATS, [0] * SEATS

    @override
    def legal(self, state: Table) -> list[int]:
        return tricks.playable(state) + tricks.announceable(state)

    @override
    def apply(self, state: Table, action: int) -> None:
        if action >= ANNOUNCE:
            tricks.announce(state, action - ANNOUNCE)
        else:
            tricks.play(state, action - PLAY)

    @override
    def scores(self, state: Table) -> list[int]:
        """Return the points of the game, 0 before its end."""
        if state.seat != OVER:
            return [0] * SEATS
        return scoring.by_seat(state, sum(cause.points for cause in scoring.causes(state)))

    @override
    def side(self, state: Table, seat: int) -> int:
        return tricks.side(state, seat)

    @override
    def possible(self, state: Table, token: int) -> int:
        """Exclude the faces that a hand would have had to play, or has denied to hold."""
        for hand, excluded in zip(state.hand, state.excluded, strict=True):
            if token in hand:
                return ~excluded
        return -1

    @override
    def plausible(self, state: Table) -> bool:
        """Return whether each player who announced Re has held a queen of clubs."""
        return all(
            state.queens[seat] or tricks.holds_queen(state, seat)
            for seat in range(SEATS)
            if state.announced[seat] == RE
        )
