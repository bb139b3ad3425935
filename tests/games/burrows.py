"""Burrows: a game for tests alone whose rules have a branch that random games hardly reach."""

from cardhub import OVER, Actions, Game, Seats, State, shared
from cardhub.model.cards import Back, Card, Cards

CARDS = Cards(
    (Card("B1", "B1", 0, 0, 1, "", {}),), (Back("back", "back", "b", "?", "white"),), ("deck",)
)
ACTIONS = Actions("left", "right", "ahead", "stop")
LEFT, RIGHT, AHEAD, STOP = ACTIONS.starts
# The way to the end of the burrow; any other action leads back to its entrance.
WAY = (LEFT, AHEAD, RIGHT, RIGHT, LEFT, AHEAD, LEFT, RIGHT)
STEPS = 24


class Table(State):
    """A position `depth` steps into the burrow."""

    aside = shared(faces="all")
    depth: int
    steps: int
    treasure: int


class Burrows(Game[Table]):
    """Find the treasure at the end of the burrow."""

    name, title, seats = "burrows", "Burrows", Seats(2)
    cards, actions, state_type = CARDS, ACTIONS, Table

    def deal(self, state: Table) -> None:
        """Lay the card aside."""
        state.put(0, state.aside)

    def legal(self, state: Table) -> list[int]:
        """Return all directions, and to stop."""
        return [LEFT, RIGHT, AHEAD, STOP]

    def apply(self, state: Table, action: int) -> None:
        """Go a step."""
        state.depth = state.depth + 1 if action == WAY[state.depth] else 0
        self.look(state)
        state.steps += 1
        is_over = action == STOP or state.steps == STEPS or state.depth == len(WAY)
        state.seat = OVER if is_over else 1 - state.seat

    def look(self, state: Table) -> None:
        """Note how far the seat has come."""
        match state.depth:
            case 2:
                state.treasure = 1
            case 3:
                state.treasure = 2
            case 4:
                state.treasure = 3
            case 5:
                state.treasure = 4
            case 6:
                state.treasure = 5
            case 7:
                state.treasure = 6
            case 8:
                self.open_chest(state)

    def open_chest(self, state: Table) -> None:
        """Take the treasure."""
        state.treasure = 9

    def scores(self, state: Table) -> list[int]:
        """Return the treasure, for one of the seats."""
        return [state.treasure, 0]


class FaultyBurrows(Burrows):
    """Has a chest that cannot be opened."""

    def open_chest(self, state: Table) -> None:
        """Divide by zero."""
        state.treasure //= state.depth - len(WAY)


class SealedBurrows(Burrows):
    """Has a chamber without an entrance."""

    def open_chest(self, state: Table) -> None:
        """Take the treasure, or a thing that cannot be there."""
        if state.depth < len(WAY):
            state.treasure = 10
            state.steps = 0
        state.treasure = 9
