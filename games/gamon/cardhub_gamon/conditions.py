"""Conditions that cards name, each asked for the card's owner."""

from cardhub_gamon.table import BASE, Table


def prize_holds_four(state: Table, seat: int) -> bool:
    """Return whether the prize holds at least four coins."""
    return state.prize >= 4


def opponent_is_richer(state: Table, seat: int) -> bool:
    """Return whether the other purse is larger; the prize belongs to nobody yet (gamon N13)."""
    return state.purse[1 - seat] > state.purse[seat]


def no_battle_lost(state: Table, seat: int) -> bool:
    """Return whether the owner has lost no battle this round."""
    return not state.lost[seat]


def always(state: Table, seat: int) -> bool:
    """Return True: the effect depends on nothing."""
    return True


def won_turn(state: Table, seat: int) -> bool:
    """Return whether the owner has won this turn, by Gamon or otherwise."""
    return state.winner == seat


def won_battle(state: Table, seat: int) -> bool:
    """Return whether the owner has won this turn, and it counts as a battle (gamon N8)."""
    return state.winner == seat and state.battle


def lost_battle(state: Table, seat: int) -> bool:
    """Return whether the owner has lost this turn, and it counts as a battle (gamon N8)."""
    return state.winner != seat and state.battle


def caught_a_lie(state: Table, seat: int) -> bool:
    """Return whether the owner has won a turn this round by crying Gamon, this one included."""
    return state.caught[seat] > 0


def opponent_never_cried(state: Table, seat: int) -> bool:
    """Return whether the opponent has not cried Gamon this round, right or wrong (gamon N17)."""
    return not state.cried[1 - seat]


def called_falsely(state: Table, seat: int) -> bool:
    """Return whether the owner's card of this turn was called something else than its base."""
    return state.called[seat] != BASE[state.face[state.played[seat][-1]]]
