"""The card playing phase: laying a mix, or passing and drawing."""

from functools import cache

from cardhub import left_of
from cardhub_gargon.mixes import colours_to_lay, count_colours
from cardhub_gargon.table import DONE, LAY, LAYING, PASS, SPLITS, Table


def begin_laying(state: Table, leader: int) -> None:
    """Start a round with its starting player."""
    state.leader = state.seat = leader
    state.phase = LAYING
    state.colours, state.pair = 0, False


def legal_laying(state: Table) -> list[int]:
    """Return what the seat may lay, and whether it may stop (leader) or pass (others)."""
    seat = state.seat
    if seat == state.leader:
        return ([DONE] if state.laid[seat] else []) + _leads(state, seat)
    passes = [] if state.laid[seat] else _passes(*map(len, state.stacks))
    return passes + _follows(state, seat)


def lay(state: Table, token: int) -> bool:
    """Lay a card face down; return whether the seat's set is complete by that."""
    seat = state.seat
    state.move(token, state.hand[seat], state.laid, seat)
    laid = state.laid[seat]
    if seat != state.leader:
        return len(laid) == state.colours + state.pair
    return len(laid) == 3 or not _leads(state, seat)


def fix_mix(state: Table) -> None:
    """Make what the leader has laid the mix of this round."""
    once, twice = count_colours(state.laid[state.leader], state.back)
    state.colours, state.pair = once.bit_count(), bool(twice)


def draw_split(state: Table, split: int) -> None:
    """Draw the cards of a pass, the left stack's first (gargon R4)."""
    for stack, count in zip(state.stacks, SPLITS[split], strict=True):
        for _ in range(count):
            state.put(stack.pop(), state.hand, state.seat)


def _leads(state: Table, seat: int) -> list[int]:
    """Any card may join the leader's set but a third of one colour."""
    hand, laid, back = state.hand[seat], state.laid[seat], state.back
    if len(laid) == 2 and back[laid[0]] == back[laid[1]]:
        return [LAY + token for token in hand if back[token] != back[laid[0]]]
    return [LAY + token for token in hand]


def _follows(state: Table, seat: int) -> list[int]:
    back = state.back
    once, twice = count_colours(state.hand[seat], back)
    if left_of(seat, state.seats) == state.leader:  # the last player, by position (gargon R3)
        down = colours_down(state)
        once, twice = once & down, twice & down
    laid = count_colours(state.laid[seat], back) if state.laid[seat] else (0, 0)
    mask = colours_to_lay(state.colours, state.pair, laid, (once, twice))
    return [LAY + token for token in state.hand[seat] if mask >> back[token] & 1]


def colours_down(state: Table) -> int:
    """Return the mask of the colours that lie before the other players (gargon R3)."""
    down = 0
    for seat in range(state.seats):
        if seat != state.seat:
            for token in state.laid[seat]:
                down |= 1 << state.back[token]
    return down


@cache
def _passes(left: int, right: int) -> list[int]:
    """Return the passes with stacks of these sizes; 0+0 only if both are empty (gargon R4)."""
    if not left + right:
        return [PASS]
    return [
        PASS + split for split, (a, b) in enumerate(SPLITS) if a <= left and b <= right and a + b
    ]
