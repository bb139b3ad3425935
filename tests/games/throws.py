"""Throws: a game for tests alone, rock, paper, scissors in which rock wins two points.

In an equilibrium a player throws rock and scissors once in four times, and paper twice.
"""

from cardhub import OVER, Actions, Game, Goal, Seats, State, shared, simultaneous
from cardhub.model.cards import Back, Card, Cards

CARDS = Cards(
    (Card("T1", "T1", 0, 0, 1, "", {}),), (Back("back", "back", "b", "?", "white"),), ("deck",)
)
ROCK, PAPER, SCISSORS = range(3)
# The points of the first seat, by both throws.
POINTS = ((0, -1, 2), (1, 0, -1), (-2, 1, 0))
EQUILIBRIUM = (0.25, 0.5, 0.25)


class Table(State):
    """A position; `throws` are the last throws by seat."""

    choices = simultaneous()
    aside = shared(faces="all")
    points: list[int]
    throws: tuple[int, ...]


class Throws(Game[Table]):
    """Two players throw at the same time, once."""

    name, title, seats = "throws", "Throws", Seats(2)
    cards, actions, state_type = CARDS, Actions("rock", "paper", "scissors"), Table
    goal = Goal.SCORE

    def deal(self, state: Table) -> None:
        """Ask both seats."""
        state.put(0, state.aside)
        state.points = [0, 0]
        state.ask(range(2))

    def legal(self, state: Table) -> list[int]:
        """Return all throws."""
        return [ROCK, PAPER, SCISSORS]

    def apply(self, state: Table, action: int) -> None:
        """Throw; the second throw ends the game."""
        throws = state.choose(action)
        if throws:
            gain = POINTS[throws[0]][throws[1]]
            state.points = [gain, -gain]
            state.throws = (throws[0], throws[1])
            state.seat = OVER

    def scores(self, state: Table) -> list[int]:
        """Return the points."""
        return state.points[:]
