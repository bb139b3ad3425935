"""Pockets: a game for tests alone with mixed hands, in which cards are seen and lost again.

Cards are drawn, laid down, taken back, turned up, looked at, stolen and gathered; a seat that has
none of a number may say so. Small packs can be enumerated, large ones are hard to determinize.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar

from cardhub import (
    OVER,
    Actions,
    Area,
    Display,
    Game,
    Number,
    Option,
    Scene,
    Seats,
    State,
    Tokens,
    per_seat,
    shared,
)
from cardhub.model.cards import Back, Card, Cards

STEPS = Number(12, "How many actions a game has.", 1, 1000)


def box(*names: str) -> Cards:
    """Return a deck of cards with these names, whose first letter is their back."""
    backs = sorted({name[0] for name in names})
    return Cards(
        tuple(
            Card(name, name, backs.index(name[0]), 0, count, "", {"value": int(name[1:])})
            for name, count in Counter(names).items()
        ),
        tuple(Back(back, back, back, f"{back}?", "white") for back in backs),
        ("deck",),
    )


class Table(State):
    """A position; `denied` has by token the faces it is said not to bear, as bits."""

    hand = per_seat(faces="owner", mixed=True)
    stack = shared(faces="nobody")
    discard = shared(faces="all")
    denied: list[int]
    steps: int


class PocketsDisplay(Display[Table]):
    """Do what you like with your cards, until enough has been done."""

    def scene(self, state: Table, viewer: int) -> Scene:
        """Show the piles and the hands."""
        hands = [Area("hand", hand, seat) for seat, hand in enumerate(state.hand)]
        piles = [Area("stack", state.stack, look="count"), Area("discard", state.discard)]
        return Scene("play", [*piles, *hands])


class Pockets(Game[Table]):
    """Do what you like with your cards, until enough has been done."""

    name, title, seats = "pockets", "Pockets", Seats(2, 6)
    state_type = Table
    options: ClassVar[Mapping[str, Option]] = {
        "steps": Number(12, "How many actions a game has.", 1, 1000)
    }
    dealt: ClassVar[int] = 1
    values: ClassVar[Sequence[int]] = ()
    display_type = PocketsDisplay

    def __init_subclass__(cls) -> None:
        """Declare actions for the cards of the game."""
        count = cls.cards.count
        cls.values = cls.cards.ints("value")
        top = max(cls.values) + 1
        cls.actions = Actions(
            "draw", "take", "peek", "gather", *(f"deny{n}" for n in range(top)),
            Tokens("lay", count), Tokens("turn", count), Tokens("steal", count),
        )  # fmt: skip  # one group of actions a line would hide what belongs together

    def deal(self, state: Table) -> None:
        """Deal a hand to every seat and turn one card up."""
        state.denied = [0] * len(state.face)
        used = 0
        for seat in range(state.seats):
            state.put_all(range(used, used + self.dealt), state.hand, seat)
            used += self.dealt
        state.put(used, state.discard)
        state.put_all(range(used + 1, len(state.face)), state.stack)

    def legal(self, state: Table) -> list[int]:
        """Offer all that can be done; a number can be denied by who has none of it."""
        draw, take, peek, gather, *deny, lay, turn, steal = self.actions.starts
        hand = state.hand[state.seat]
        actions = [draw, peek] if state.stack else []
        actions += [take] * bool(state.discard)
        actions += [gather] if len(state.discard) > 1 else []
        held = {self.values[state.face[token]] for token in hand}
        actions += [action for value, action in enumerate(deny) if value not in held and hand]
        actions += [lay + token for token in hand]
        actions += [turn + token for token in hand if state.seen[token] != state.everybody]
        others = (hand for seat, hand in enumerate(state.hand) if seat != state.seat)
        return actions + [steal + token for other in others for token in other] or [draw]

    def apply(self, state: Table, action: int) -> None:
        """Do it; then it is the next seat's turn."""
        draw, take, peek, gather, *deny, lay, turn, steal = self.actions.starts
        hand = state.hand[state.seat]
        if action in (draw, take):
            pile = state.stack if action == draw else state.discard
            if pile:
                self._pocket(state, pile.pop())
        elif action == peek:
            state.show(state.stack[-1], state.seat)
        elif action == gather:
            state.put_all(state.discard, state.stack)
            state.discard.clear()
            state.shuffle(state.stack)
            self._forget(state, state.stack)
        elif action < lay:
            value = action - deny[0]
            none = sum(1 << face for face, other in enumerate(self.values) if other == value)
            for token in hand:
                state.denied[token] |= none
        elif action < turn:
            state.move(action - lay, hand, state.discard)
        elif action < steal:
            state.reveal([action - turn])
        else:
            token = action - steal
            next(other for other in state.hand if token in other).remove(token)
            self._pocket(state, token)
        self._go_on(state)

    def _pocket(self, state: Table, token: int) -> None:
        """Put a card into the mixed hand of the seat to act."""
        state.put(token, state.hand, state.seat)
        self._forget(state, state.hand[state.seat])

    def _forget(self, state: Table, tokens: Sequence[int]) -> None:
        for token in tokens:
            state.denied[token] = 0

    def _go_on(self, state: Table) -> None:
        state.steps += 1
        state.seat = (state.seat + 1) % state.seats
        if state.steps == state.settings.number("steps"):
            state.seat = OVER

    def possible(self, state: Table, token: int) -> int:
        """Exclude the denied numbers."""
        return ~state.denied[token]

    def scores(self, state: Table) -> list[int]:
        """Count the cards in hand."""
        return [len(hand) for hand in state.hand]


class TinyPockets(Pockets):
    """Few enough cards to enumerate all worlds."""

    name, title = "tiny-pockets", "Tiny pockets"
    seats = Seats(2, 3)
    cards = box("R0", "R0", "R1", "R2", "B0", "B1", "B1")


class BigPockets(Pockets):
    """Enough cards for six, some of them twice."""

    name, title = "big-pockets", "Big pockets"
    seats = Seats(3, 6)
    options: ClassVar[Mapping[str, Option]] = {
        "steps": Number(80, "How many actions a game has.", 1, 1000)
    }
    dealt = 2
    cards = box(*(f"{back}{n}" for back in "RB" for n in range(5) for _ in range(2 + n % 2)))
