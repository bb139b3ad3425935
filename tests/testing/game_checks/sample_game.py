"""A game without hidden cards, into which tests plant slips."""

from cardhub import (
    OVER,
    Actions,
    Area,
    Display,
    Game,
    Names,
    Scene,
    Seats,
    State,
    per_seat,
    shared,
)
from cardhub.model.cards import Back, Card, Cards

CARDS = Cards(
    tuple(Card(name, name, 0, 0, 1, "", {}) for name in "ABCD"),
    (Back("card", "#", "a card", "?", "grey"),),
    ("main",),
)
TURNS = 4


class Table(State):
    """A position; `taken` counts the cards that seats have taken."""

    hand = per_seat(faces="owner")
    stack = shared(faces="nobody")
    taken: list[int]
    last: int


def turns(state: Table) -> int:
    """Return how many turns have been taken."""
    return sum(state.taken)


class SampleDisplay(Display[Table]):
    """The hands and the stack."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Return the hands and the stack."""
        hands = [Area("hand", hand, seat) for seat, hand in enumerate(state.hand)]
        return Scene("name a word", [*hands, Area("stack", state.stack, look="count")])

    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str]:
        """Return a sentence."""
        return [f"{names.player(before.seat)} has taken {turns(after)} turns."]


class Sample(Game[Table]):
    """Name a word that has not just been named."""

    name, title, seats = "sample", "Sample", Seats(2)
    cards, actions, state_type = CARDS, Actions("red", "green", "blue"), Table
    display_type = SampleDisplay

    def deal(self, state: Table) -> None:
        """Deal a card each."""
        state.put(0, state.hand, 0)
        state.put(1, state.hand, 1)
        state.put_all([2, 3], state.stack)
        state.taken = [0, 0]

    def legal(self, state: Table) -> list[int]:
        """Return the words that have not just been named."""
        return [action for action in range(3) if action != state.last]

    def apply(self, state: Table, action: int) -> None:
        """Note the word."""
        state.taken[state.seat] += 1
        state.last = action
        state.seat = OVER if turns(state) == TURNS else 1 - state.seat

    def scores(self, state: Table) -> list[int]:
        """Return the number of the word, for the seat that named it last."""
        return [state.last, 2 - state.last]

    def allows(self, state: Table, token: int, face: int) -> bool:
        """Return that any card may be anywhere."""
        return True
