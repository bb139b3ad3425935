"""Spades: its declaration and its rules in outline."""

from random import Random

from typing_extensions import override

from cardhub import (
    CHANCE,
    OVER,
    BreakdownSection,
    Game,
    Goal,
    Names,
    Scene,
    Seats,
    Settings,
    Summary,
)
from spades import display, event_texts, hints, reasons, scoring, tricks
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
    primary = ("deal",)
    goal, state_type = Goal.WIN, Table

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

    @override
    def playout_action(self, state: Table, rng: Random) -> int:
        return hints.choose(state, self.legal(state))

    @override
    def ends_playout(self, state: Table) -> bool:
        """Return whether the next deal is to come: `evaluate` counts whole deals."""
        return state.phase == DEALING

    @override
    def evaluate(self, state: Table) -> list[float]:
        return hints.evaluate(state)

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        return display.scene(state, viewer)

    @override
    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str] | None:
        return event_texts.narration(before, action, after, names)

    @override
    def summary(self, before: Table, action: int, after: Table, names: Names) -> Summary | None:
        return event_texts.summary(before, after, names)

    @override
    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        return reasons.why_not(state, action, names)

    @override
    def consequence(self, state: Table, action: int, names: Names) -> str:
        return event_texts.consequence(state, action, names)

    @override
    def breakdown(self, state: Table) -> list[BreakdownSection]:
        return event_texts.causes(state)

    @override
    def chapter(self, state: Table) -> str:
        return f"deal {state.number + (state.seat != OVER)}"

    def _end_deal(self, state: Table) -> None:
        """Count the deal; end the game, or gather the cards for the next deal."""
        scoring.count_deal(state)
        if scoring.is_over(state):
            state.seat = OVER
            return
        state.gather(state.stack)
        state.seat, state.phase = CHANCE, DEALING
