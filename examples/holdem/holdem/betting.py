"""Rounds of betting: whose turn it is, how much may be raised, and when a round is over."""

from holdem.table import (
    BET,
    CALL,
    CHECK,
    FOLD,
    NOT_ACTED,
    RAISE,
    Table,
    owed,
)


def legal(state: Table) -> list[int]:
    """Return the legal actions of the seat to act."""
    actions = [FOLD, CALL] if owed(state, state.seat) else [CHECK]
    low, high = raise_limits(state)
    group = RAISE if state.bet else BET
    return [*actions, *group.between(low, high)]


def raise_limits(state: Table) -> tuple[int, int]:
    """Return the least and the highest bet that the seat to act may raise to; (1, 0) for none.

    Who has acted may raise again only after a full raise: an all-in for less does not reopen the
    betting. All chips may always be bet.
    """
    seat = state.seat
    acted = state.acted[seat]
    is_open = acted == NOT_ACTED or state.bet - acted >= state.raised_by
    most = state.bets[seat] + state.chips[seat]
    if not is_open or most <= state.bet or not any(has_choices(state, s) for s in others(state)):
        return 1, 0
    return min(state.bet + state.raised_by, most), most


def others(state: Table) -> list[int]:
    """Return the other seats."""
    return [seat for seat in range(state.seats) if seat != state.seat]


def has_choices(state: Table, seat: int) -> bool:
    """Return whether a seat is in the hand and is not all-in."""
    return state.is_in[seat] and state.chips[seat] > 0


def stake(state: Table, seat: int, chips: int) -> None:
    """Move chips of a seat into the pot, at most those that it has."""
    chips = min(chips, state.chips[seat])
    state.chips[seat] -= chips
    state.bets[seat] += chips
    state.staked[seat] += chips


def post_blinds(state: Table) -> bool:
    """Have two seats post the blinds, with two players the button the small one.

    Return whether a seat has to act.
    """
    first = state.button if sum(state.is_in) == 2 else next_in(state, state.button)
    second = next_in(state, first)
    blind = state.settings.number("blind")
    stake(state, first, blind // 2)
    stake(state, second, blind)
    state.bet = state.raised_by = blind
    return pass_turn(state, second)


def open_round(state: Table) -> bool:
    """Begin a round of betting with the first seat after the button, if a seat has to act."""
    state.bets, state.acted = [0] * state.seats, [NOT_ACTED] * state.seats
    state.bet, state.raised_by = 0, state.settings.number("blind")
    return pass_turn(state, state.button)


def return_uncalled(state: Table) -> None:
    """Return to their owner the chips that no other seat has called."""
    *_, second, most = sorted(state.staked)
    seat = state.staked.index(most)
    state.staked[seat] = second
    state.chips[seat] += most - second


def fold(state: Table) -> None:
    """Put the hand of the seat to act away."""
    seat = state.seat
    state.put_all(state.hand[seat], state.folded)
    state.hand[seat].clear()
    state.is_in[seat] = False


def call(state: Table) -> None:
    """Stake what is owed; nothing is a check."""
    stake(state, state.seat, owed(state, state.seat))
    state.acted[state.seat] = state.bet


def raise_to(state: Table, bet: int) -> None:
    """Bet, or raise to a bet; only a full raise changes the least raise."""
    seat = state.seat
    stake(state, seat, bet - state.bets[seat])
    state.raised_by = max(state.raised_by, bet - state.bet)
    state.bet = state.acted[seat] = bet


def next_in(state: Table, seat: int) -> int:
    """Return the next seat in the hand."""
    seats = [(seat + step) % state.seats for step in range(1, state.seats + 1)]
    return next(other for other in seats if state.is_in[other])


def pass_turn(state: Table, seat: int) -> bool:
    """Pass the turn to the next seat that has to act in this round; return whether there is one."""
    able = [has_choices(state, other) for other in range(state.seats)]
    for step in range(1, state.seats + 1):
        other = (seat + step) % state.seats
        # If nobody else can answer, a seat acts only if it owes chips.
        is_due = owed(state, other) or (state.acted[other] == NOT_ACTED and sum(able) > 1)
        if able[other] and is_due and sum(state.is_in) > 1:
            state.seat = other
            return True
    return False
