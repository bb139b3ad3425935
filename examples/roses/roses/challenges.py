"""Laying, bidding, turning discs up and losing them, applied to a state."""

from cardhub import CHANCE, OVER, WATCHED, first_seat, left_of
from roses.table import (
    BID,
    BIDDING,
    COLLECTING,
    IS_SKULL,
    LAY,
    LAYING,
    LOSING,
    NO_SEAT,
    PASS,
    STARTING,
    TAKING,
    TURN,
    TURNING,
    WINS,
    Table,
    closed,
    count_laid,
    have_all_laid,
    is_in,
)

WON = f"{{player}} wins the challenge ({{number}} of {WINS})"


def legal_lays(state: Table) -> list[int]:
    """Return the discs to lay, and the bids once every mat has a disc (R2, R3)."""
    actions = [LAY + token for token in state.hand[state.seat]]
    if have_all_laid(state):
        actions += legal_bids(state)
    return actions


def legal_answers(state: Table) -> list[int]:
    """Return the higher bids and the pass (R3)."""
    return [*legal_bids(state), PASS]


def legal_bids(state: Table) -> list[int]:
    """Return the bids above the last one, up to the number of discs on the mats."""
    # The first of these actions is a bid of one rose.
    return list(range(BID + state.bid, BID + count_laid(state)))


def legal_turns(state: Table) -> list[int]:
    """Return the actions for the other mats with a closed disc (R4)."""
    return [
        TURN + seat
        for seat in range(state.seats)
        if seat != state.challenger and closed(state, seat)
    ]


def lay(state: Table, token: int) -> None:
    """Lay a disc face down."""
    state.move(token, state.hand[state.seat], state.mat, state.seat)
    state.seat = next_seat(state, state.seat)


def bid(state: Table, number: int) -> None:
    """Bid a number of roses; the highest possible bid begins the challenge (R3)."""
    state.bid, state.challenger, state.phase = number, state.seat, BIDDING
    if number == count_laid(state):
        begin_challenge(state)
    else:
        state.seat = next_bidder(state)


def pass_bid(state: Table) -> None:
    """Leave the bidding; the challenge begins when all others have passed (R3)."""
    state.passed[state.seat] = 1
    state.seat = next_bidder(state)
    if state.seat == state.challenger:
        begin_challenge(state)


def begin_challenge(state: Table) -> None:
    """Turn up the challenger's own discs from the top, as many as were bid (R4)."""
    state.seat, state.phase = state.challenger, TURNING
    # The challenger's discs come in a fixed order, so they need no actions.
    for _ in state.mat[state.seat][-state.bid :]:
        if state.phase == TURNING:
            turn(state, state.seat)


def turn(state: Table, seat: int) -> None:
    """Turn up the top disc of a mat: a skull ends the challenge, and so does the last rose."""
    token = closed(state, seat)[-1]
    # First, because the rules may read only faces that all have seen.
    state.reveal([token])
    state.turned.append(token)
    if IS_SKULL[state.face[token]]:
        state.skull_of = seat
        if WATCHED:
            state.pause("A skull: {player} loses the challenge", (token,), state.challenger)
            state.log("{player} fails and loses a disc", state.challenger)
        # Discs return in a separate action: before it, all players see them turned up.
        state.seat, state.phase = CHANCE, COLLECTING
    elif len(state.turned) == state.bid:
        state.wins[state.challenger] += 1
        number = state.wins[state.challenger]
        if WATCHED:
            state.pause("{player} wins the challenge", state.turned, state.challenger)
            state.log(WON, state.challenger, number=number)
        is_won = number == WINS
        state.seat, state.phase = OVER if is_won else CHANCE, COLLECTING


def collect(state: Table) -> None:
    """Return all discs to their hands, which are mixed; a failed challenger loses one."""
    for seat, mat in enumerate(state.mat):
        if mat:
            state.put_all(mat, state.hand, seat)
            mat.clear()
    state.turned.clear()
    if state.skull_of == NO_SEAT:
        begin_round(state, state.challenger)
    elif state.skull_of == state.challenger:
        state.seat, state.phase = state.challenger, LOSING
    else:
        # Chance takes the disc: the hand was mixed, so only its owner knows which one.
        state.seat, state.phase = CHANCE, TAKING


def lose(state: Table, token: int) -> None:
    """Remove a disc for ever, and its owner with the last one (R5, R6)."""
    loser, skull_of = state.challenger, state.skull_of
    state.move(token, state.hand[loser], state.lost, loser)
    rest = [seat for seat in range(state.seats) if is_in(state, seat)]
    if WATCHED and loser not in rest:
        state.log("{player} is out", loser)
    if len(rest) == 1:
        # The last player left wins like one with two won challenges.
        state.wins[rest[0]] = WINS
        state.seat = OVER
    elif loser in rest:
        begin_round(state, loser)
    elif skull_of == loser:
        state.phase, state.seat = STARTING, loser
    else:
        begin_round(state, skull_of)


def begin_round(state: Table, seat: int) -> None:
    """Begin the next round with this seat (R6)."""
    state.passed = [0] * state.seats
    state.bid, state.skull_of = 0, NO_SEAT
    state.seat, state.phase = seat, LAYING


def next_seat(state: Table, seat: int) -> int:
    """Return the next seat clockwise that still has discs."""
    seat_in = first_seat(left_of(seat, state.seats), state.seats, lambda other: is_in(state, other))
    assert seat_in is not None  # the game is over with a single seat left
    return seat_in


def next_bidder(state: Table) -> int:
    """Return the next seat clockwise that has not passed."""
    seat = next_seat(state, state.seat)
    # The highest bidder cannot pass, so the loop ends.
    while state.passed[seat]:
        seat = next_seat(state, seat)
    return seat
