"""Reasons why an action is not legal, for the seat to act; by the predicates of the rules."""

from cardhub import amount, left_of
from cardhub_gargon import laying
from cardhub_gargon.display.scene import MIXES
from cardhub_gargon.table import (
    COLOURS,
    DRAWING,
    FIGHTING,
    LAY,
    LAYING,
    PASS,
    SPLITS,
    STACKS,
    Table,
)

# What the seat to act has to do in a phase, said of the actions of the others.
DUTIES = {
    LAYING: "the battles begin when all players have laid cards or passed",
    FIGHTING: "all cards of this round are laid; choose the colour of the next battle",
    DRAWING: "you lost a battle; first take a card from a stack",
}
PHASE_OF = {"lay": LAYING, "done": LAYING, "pass": LAYING, "fight": FIGHTING, "take": DRAWING}


def other_phase(state: Table, verb: str) -> str:
    """Return why an action of another phase is not legal."""
    if verb == "take":
        return "a card is taken only after a lost battle"
    return DUTIES[state.phase]


def lay(state: Table, token: int) -> str | None:
    """Return why a card cannot be laid, or None."""
    seat = state.seat
    if token in state.laid[seat]:
        return "you have laid it already"
    if token not in state.hand[seat]:
        return "it is not in your hand"
    if LAY + token in laying.legal_lays(state):
        return None
    if seat == state.leader:
        return "three cards need at least two colours"
    colour = state.back[token]
    down = laying.colours_down(state)
    # The last player is so by position, also if others have passed (gargon R3).
    is_last = left_of(seat, state.seats) == state.leader
    if is_last and not down >> colour & 1:
        open_colours = ", ".join(c for bit, c in enumerate(COLOURS) if down >> bit & 1)
        return f"the last player may lay only colours that others have laid: {open_colours}"
    mix = MIXES[state.colours, state.pair]
    laid = laying.count_colours(state.laid[seat], state.back)
    if laid[0] >> colour & 1 and (laid[1] or not state.pair):
        return f"the mix is {mix}, and you need no more {COLOURS[colour]} cards for it"
    return f"with it you could not complete the mix: {mix}"


def done(state: Table) -> str | None:
    """Return why the turn cannot be ended, or None."""
    if state.seat == state.leader:
        return None if state.laid[state.seat] else "lay at least one card first"
    return "only the starting player may stop early; all others lay the whole mix or pass"


def pass_turn(state: Table, split: int) -> str | None:
    """Return why the cards of a split cannot be drawn by passing, or None."""
    if state.seat == state.leader:
        return "the starting player may not pass"
    if state.laid[state.seat]:
        return "you have begun to lay cards, so complete the mix"
    if PASS + split in laying.legal_ends(state):
        return None
    if not any(SPLITS[split]):
        return "draw at least one card while the stacks have any"
    short = next(
        (side, len(stack))
        for side, stack, count in zip(STACKS, state.stacks, SPLITS[split], strict=True)
        if count > len(stack)
    )
    side, cards = short
    return (
        f"the {side} stack has only {amount(cards, 'card')}"
        if cards
        else f"the {side} stack is empty"
    )
