"""Reasons why an action is not legal, for the seat to act."""

from cardhub import Names
from four_piles.table import (
    JUMP,
    LAYING,
    PILES,
    RISING,
    VALUE,
    Table,
    fitting,
    required,
    step,
)


def lay(state: Table, token: int) -> str | None:
    """Return why a card cannot be chosen."""
    if token not in state.hand[state.seat]:
        return "it is not in your hand"
    return None if fitting(state, VALUE[state.face[token]]) else "it fits on no pile"


def on(state: Table, pile: int, names: Names) -> str | None:
    """Return why the chosen card does not fit on a pile."""
    if state.phase == LAYING:
        return "choose a card first"
    # The condition of the rules: then both agree.
    top, card = state.tops[pile], names.cards(state.chosen)
    if step(state, pile, VALUE[state.face[state.chosen[0]]]) is not None:
        return None
    if pile in RISING:
        return f"{PILES[pile]} rises from {top}, and {card} is not {top - JUMP}"
    return f"{PILES[pile]} falls from {top}, and {card} is not {top + JUMP}"


def stuck(state: Table) -> str | None:
    """Return why the seat to act is not stuck."""
    if any(fitting(state, VALUE[state.face[token]]) for token in state.hand[state.seat]):
        return "you can lay a card"
    return "you can end your turn" if state.laid >= required(state) else None
