"""Public facts that follow from hidden cards, as numbers given by yes-or-no answers.

What comes next in a game can depend on cards that a viewer has not seen: who leads, whether a card
is drawn, who has seen it. Everybody is told; a redacted record has the answers.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from cardhub.model.table.state import State


class Next(NamedTuple):
    """What comes next: a decision of a player, a public outcome of chance, a draw, or the end.

    PUT_BACK: the next card of the stack cannot be drawn here, so it goes under the stack.
    """

    kind: int
    of: int = 0
    """The player to act; for a draw the players who see it, as bits."""


OPEN, HIDDEN, DRAW, NEW_DECK, CHANCE_NODE, END, PUT_BACK = range(7)
KINDS = 7


def public_number(state: State, question: Callable[[], int], likely: Sequence[int]) -> int:
    """Return a number from 0 on that follows from hidden faces, and make it public.

    Likely numbers take fewer answers.
    """
    memo = list[int]()

    def value() -> int:
        if not memo:
            memo.append(question())
        return memo[0]

    for guess in likely:
        if state.answer(lambda: value() == guess):  # noqa: B023  # called at once
            return guess
    length, number = 0, 0
    while state.answer(lambda: value() >> length > 0):  # noqa: B023  # called at once
        length += 1
    for bit in range(length):
        number |= state.answer(lambda: bool(value() >> bit & 1)) << bit  # noqa: B023  # called at once
    return number


def code_of(fact: Next) -> int:
    """Return a number for what comes next."""
    return fact.of * KINDS + fact.kind


def fact_of(code: int) -> Next:
    """Return what comes next, by its number."""
    return Next(code % KINDS, code // KINDS)


def likely_codes(actor: int, seats: int) -> list[int]:
    """Return the numbers of what usually comes after an action of a player."""
    likely = (Next(OPEN, (actor + 1) % seats), Next(DRAW, 1 << actor), Next(OPEN, actor))
    return [code_of(each) for each in likely]
