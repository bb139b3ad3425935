"""Games of two turns: for points, in two or three teams, and for a common cause.

Each seat lays one of its three cards in turn, twice. Its points are their values.
"""

from pathlib import Path
from random import Random

from typing_extensions import override

from cardhub import (
    OVER,
    Actions,
    Game,
    Goal,
    Observation,
    Seats,
    Settings,
    State,
    Tokens,
    load_cards,
    per_seat,
)

CARDS = load_cards(Path(__file__).with_name("lay.yaml"), value=int)
VALUE = CARDS.ints("value")
HAND, TURNS = 3, 2


class Table(State):
    """The cards in hand, and those that each seat has laid."""

    hand = per_seat(faces="owner")
    laid = per_seat(faces="all")


class Points(Game[Table]):
    """Each seat for itself; the fewest points are best."""

    name, title, seats = "laypoints", "Lay for points", Seats(2, 4)
    cards, actions, state_type = CARDS, Actions(Tokens("lay", CARDS.count)), Table
    goal, unit, lowest_wins = Goal.SCORE, "pence", True

    @override
    def deal(self, state: Table) -> None:
        for token in range(CARDS.count):
            state.put(token, state.hand, token % state.seats)

    @override
    def legal(self, state: Table) -> list[int]:
        return list(state.hand[state.seat])

    @override
    def apply(self, state: Table, action: int) -> None:
        state.move(action, state.hand[state.seat], state.laid, state.seat)
        state.seat = (state.seat + 1) % state.seats
        if len(state.laid[state.seat]) == TURNS:
            state.seat = OVER

    @override
    def scores(self, state: Table) -> list[int]:
        return [sum(VALUE[state.face[token]] for token in laid) for laid in state.laid]


class Pairs(Points):
    """Two teams, each with the sum of its points; the most win."""

    name, title, seats = "laypairs", "Lay in pairs", Seats(4, 4)
    goal, lowest_wins = Goal.WIN, False

    @override
    def teams(self, settings: Settings, seats: int) -> list[int]:
        return [0, 1, 0, 1]

    @override
    def scores(self, state: Table) -> list[int]:
        points = super().scores(state)
        return [points[seat] + points[(seat + 2) % 4] for seat in range(4)]


class Triples(Pairs):
    """Three teams of two."""

    name, title, seats = "laytriples", "Lay in three pairs", Seats(6, 6)

    @override
    def teams(self, settings: Settings, seats: int) -> list[int]:
        return [0, 1, 2, 0, 1, 2]

    @override
    def scores(self, state: Table) -> list[int]:
        points = Points.scores(self, state)
        return [points[seat] + points[(seat + 3) % 6] for seat in range(6)]


class Together(Points):
    """All for one score."""

    name, title, seats = "laytogether", "Lay together", Seats(1, 4, 2)
    goal, unit, lowest_wins = Goal.COMMON, "points", False

    @override
    def target(self, settings: Settings, seats: int) -> int:
        return 8 * seats

    @override
    def scores(self, state: Table) -> list[int]:
        return [sum(super().scores(state))] * state.seats


class High:
    """Lays its highest card."""

    def __init__(self, rng: Random) -> None:
        pass

    def choose(self, observation: Observation[Table], /) -> int:
        """Return the action with the card of the highest value."""
        return max(observation.legal(), key=lambda token: VALUE[observation.state.face[token]])


class Failing(High):
    """Lays a card that it does not have, in the third seat."""

    @override
    def choose(self, observation: Observation[Table], /) -> int:
        return -1 if observation.seat == 2 else super().choose(observation)
