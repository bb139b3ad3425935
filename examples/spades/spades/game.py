"""Spades: its declaration and its rules in outline."""

from typing_extensions import override

from cardhub import CHANCE, OVER, Game, Goal, Seats, Settings, Usual
from spades import scoring, tricks
from spades.table import (
    ACTIONS,
    BID,
    BIDDING,
    CARDS,
    DEAL,
    DEALING,
    HAND,
    OPTIONS,
    PHASES,
    SEATS,
    TEAMS,
    Table,
)


class Spades(Game[Table]):
    """Two teams bid how many tricks they will take; spades are trumps."""

    name, title, seats = "spades", "Spades", Seats(SEATS)
    cards, actions, options, phases = CARDS, ACTIONS, OPTIONS, PHASES
    goal, state_type = Goal.WIN, Table
    score_range = Usual(-300, 500)
    opens_at_end = True
    heuristics_type = ".heuristics:SpadesHeuristics"
    display_type = ".display:SpadesDisplay"

    @override
    def teams(self, settings: Settings, seats: int) -> tuple[int, ...]:
        """Return the teams of partners who sit opposite each other (R1)."""
        return TEAMS

    @override
    def deal(self, state: Table) -> None:
        """Stack the cards; chance deals them, as in every later deal."""
        state.total, state.bags, state.excluded = [0, 0], [0, 0], [0] * SEATS
        state.put_all(range(CARDS.count), state.stack)
        state.seat, state.phase = CHANCE, DEALING

    @override
    def legal(self, state: Table) -> list[int]:
        if state.phase == DEALING:
            return [DEAL]
        if state.phase == BIDDING:
            # Nil last: then people press the number that they bid.
            return [*range(BID + 1, BID + HAND + 1), BID]
        return tricks.playable(state)

    @override
    def apply(self, state: Table, action: int) -> None:
        verb, index = ACTIONS.verb_and_index[action]
        match verb:
            case "deal":
                tricks.deal_hands(state)
            case "bid":
                tricks.bid(state, index)
            case "play":
                tricks.play(state, index)
                if not any(state.hand):
                    self._end_deal(state)

    @override
    def scores(self, state: Table) -> list[int]:
        return [state.total[team] for team in TEAMS]

    @override
    def possible(self, state: Table, token: int) -> int:
        """Exclude the faces that a hand would have had to play."""
        for hand, excluded in zip(state.hand, state.excluded, strict=True):
            # Masks are kept for hands only; -1 excludes no face.
            if token in hand:
                return ~excluded
        return -1

    def _end_deal(self, state: Table) -> None:
        """Count the deal; end the game, or gather the cards for the next deal."""
        scoring.count_deal(state)
        if scoring.is_over(state):
            state.seat = OVER
            return
        state.gather(state.stack)
        state.seat, state.phase = CHANCE, DEALING
