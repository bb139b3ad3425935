"""Positions of Gargon set up by hand."""

from collections.abc import Mapping

from cardhub.model.table.settings import Value
from cardhub.testing import ByHand
from cardhub_gargon import Gargon
from cardhub_gargon.laying import begin_laying
from cardhub_gargon.table import Table

Position = ByHand[Table]


def set_up(
    hands: Mapping[int, str],
    stacks: tuple[str, str] = ("", ""),
    won: Mapping[int, str] | None = None,
    *,
    leader: int = 0,
    seats: int = 4,
    only_named: bool = False,
    options: Mapping[str, Value] | None = None,
) -> Position:
    """Set up a position: cards by name, a stack's top card last.

    All other cards go below the named cards of the stacks, or are discarded if `only_named`.
    """
    at = ByHand(Gargon(), seats, options)
    state = at.state
    named = [at.take(cards) for cards in stacks]
    for seat, cards in hands.items():
        state.put_all(at.take(cards), state.hand, seat)
    for seat, cards in (won or {}).items():
        state.put_all(at.take(cards), state.won, seat)
    if only_named:
        state.put_all(at.left, state.discard)
    for number, tokens in enumerate(named):
        state.put_all([] if only_named else at.left[number::2], state.stacks, number)
        state.put_all(tokens, state.stacks, number)
    begin_laying(state, leader)
    return at
