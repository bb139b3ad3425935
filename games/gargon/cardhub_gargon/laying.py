"""The laying phase: lay cards in the mix of the round, or pass and draw.

A mix is a number of colours, one of them twice or not. A player's cards are counted as two masks of
colours, held at least once and held at least twice, with one bit per colour.
"""

from collections.abc import Iterable, Sequence
from functools import cache

from cardhub import OVER, first_seat, left_of
from cardhub_gargon.table import DONE, LAY, LAYING, PASS, SPLITS, Table

# The greatest number of cards in a mix.
MOST_LAID = 3

ColourMasks = tuple[int, int]


def begin_round(state: Table, seat: int) -> None:
    """Begin a round at this seat or the next that has cards, or end the game (gargon R1, R7)."""
    leader = first_seat(seat, state.seats, state.hand.__getitem__)
    if leader is None or not all(state.stacks):
        # At the end of the game everything is open (gargon R8).
        for hand in state.hand:
            state.reveal(hand)
        state.seat = OVER
        return
    begin_laying(state, leader)


def begin_laying(state: Table, leader: int) -> None:
    """Start a round: the laying phase, with its leader."""
    state.round += 1
    state.won_before = (*map(len, state.won), len(state.discard))
    state.leader = state.seat = leader
    state.phase = LAYING
    state.colours, state.pair, state.passed = 0, False, 0


def legal_laying(state: Table) -> list[int]:
    """Return the legal actions: end the turn or lay a card."""
    ends, lays = legal_ends(state), legal_lays(state)
    return ends + lays if ends else lays


def legal_ends(state: Table) -> list[int]:
    """Return the actions that end the turn: done (leader) or a pass (gargon R2)."""
    has_laid = bool(state.laid[state.seat])
    if state.seat == state.leader:
        return [DONE] if has_laid else []
    return [] if has_laid else _passes(*map(len, state.stacks))


def legal_lays(state: Table) -> list[int]:
    """Return the actions that lay a card and leave a set that can be completed."""
    return _leads(state) if state.seat == state.leader else _follows(state)


def lay(state: Table, token: int) -> None:
    """Apply the action that lays a card, given as a token."""
    seat = state.seat
    state.move(token, state.hand[seat], state.laid, seat)


def is_set_complete(state: Table) -> bool:
    """Return whether the seat can lay no further card in this state."""
    count = len(state.laid[state.seat])
    if state.seat != state.leader:
        return count == state.colours + state.pair
    return count == MOST_LAID or not _leads(state)


def fix_mix(state: Table) -> None:
    """Make the leader's set the mix that the others must match."""
    # Two colours and a pair are 2:1, so the number of cards is `colours + pair`.
    once, twice = count_colours(state.laid[state.leader], state.back)
    state.colours, state.pair = once.bit_count(), bool(twice)


def draw_split(state: Table, split: int) -> None:
    """Draw the cards of a pass, given as an index of SPLITS, left stack first (gargon R4)."""
    state.passed |= 1 << state.seat
    for stack, count in zip(state.stacks, SPLITS[split], strict=True):
        for _ in range(count):
            # Event texts rely on this order: the drawn cards are the last of the hand.
            state.put(stack.pop(), state.hand, state.seat)


def colours_down(state: Table) -> int:
    """Return the mask of the colours laid by the other seats (gargon R3)."""
    down = 0
    for seat in range(state.seats):
        if seat != state.seat:
            for token in state.laid[seat]:
                down |= 1 << state.back[token]
    return down


def count_colours(tokens: Iterable[int], back: Sequence[int]) -> ColourMasks:
    """Return the masks of the colours that occur at least once and at least twice."""
    once = twice = 0
    for token in tokens:
        colour = 1 << back[token]
        twice |= once & colour
        once |= colour
    return once, twice


def colours_to_lay(colours: int, pair: bool, laid: ColourMasks, held: ColourMasks) -> int:
    """Return the mask of the colours that can be laid and leave a mix that can be completed.

    The mix has `colours` colours, one of them twice if `pair`.
    """
    again, new = held[0] & laid[0], held[0] & ~laid[0]
    missing = colours - laid[0].bit_count()
    if new.bit_count() < missing:
        return 0
    if not pair or laid[1]:
        return new if missing else 0
    # The pair can come from a colour laid before, from the next one, or from a later one.
    pairs = new & held[1]
    if again or (pairs and missing > 1):
        return again | new if missing else again
    return pairs if missing else 0


def _leads(state: Table) -> list[int]:
    hand, laid, back = state.hand[state.seat], state.laid[state.seat], state.back
    if len(laid) == 2 and back[laid[0]] == back[laid[1]]:  # no third card of one colour
        return [LAY + token for token in hand if back[token] != back[laid[0]]]
    return [LAY + token for token in hand]


def _follows(state: Table) -> list[int]:
    seat, back = state.seat, state.back
    once, twice = count_colours(state.hand[seat], back)
    if left_of(seat, state.seats) == state.leader:  # the last player, by position (gargon R3)
        down = colours_down(state)
        once, twice = once & down, twice & down
    laid = count_colours(state.laid[seat], back) if state.laid[seat] else (0, 0)
    mask = colours_to_lay(state.colours, state.pair, laid, (once, twice))
    return [LAY + token for token in state.hand[seat] if mask >> back[token] & 1]


@cache
def _passes(left: int, right: int) -> list[int]:
    """Return the pass actions: splits of up to three cards over the stacks (gargon R4)."""
    if not left + right:
        return [PASS]  # 0+0
    return [
        PASS + split for split, (a, b) in enumerate(SPLITS) if a <= left and b <= right and a + b
    ]
