"""Public facts that follow from hidden cards, as numbers encoded in yes-or-no answers.

The next event of a game can depend on cards that a viewer has not seen: who leads, whether a card
is drawn, who has seen it. The answers make it public; a redacted record contains them.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from cardhub import State


class Next(NamedTuple):
    """The next event: a player's decision, a public outcome of chance, a draw, or the end.

    PUT_BACK: the next card of the stack cannot be drawn, so it goes under the stack.
    """

    kind: int
    of: int = 0
    """The player to act, or for a draw the players who see it, as bits."""


OPEN, HIDDEN, DRAW, NEW_DECK, CHANCE_NODE, END, PUT_BACK = range(7)
KINDS = 7


def public_number(state: State, question: Callable[[], int], likely: Sequence[int]) -> int:
    """Return a natural number that follows from hidden faces, and make it public.

    `likely`: numbers that are tried first, so that they need fewer answers.
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
    """Return the number of an event."""
    return fact.of * KINDS + fact.kind


def fact_of(code: int) -> Next:
    """Return the event with a number."""
    return Next(code % KINDS, code // KINDS)


def likely_codes(actor: int, seats: int) -> list[int]:
    """Return the numbers of the usual events after an action of a player."""
    likely = (Next(OPEN, (actor + 1) % seats), Next(DRAW, 1 << actor), Next(OPEN, actor))
    return [code_of(event) for event in likely]
