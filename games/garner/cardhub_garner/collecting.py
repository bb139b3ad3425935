"""The second half of a turn: collect a suit group; the end of the game."""

from cardhub import OVER, WATCHED, numbers
from cardhub_garner.groups import group_of, groups
from cardhub_garner.majorities import is_decided
from cardhub_garner.table import COLLECT, LEAVE, LEAVING, LIFTING, SUIT, Table, layout_of

# The number of cards of a suit that a seat must not hold in some layouts (garner R6).
FORBIDDEN = 6


def legal_collections(state: Table) -> list[int]:
    """Return an action for each suit group of the top layer (garner R5)."""
    return sorted([COLLECT + face for face, _ in groups(state, SUIT)])


def collect(state: Table, face: int) -> None:
    """Apply the action that collects a suit group; one card may have to stay (garner R6)."""
    sites = group_of(state, face, SUIT)
    if not _must_leave(state, SUIT[face], sites):
        _take(state, sites)
    elif sites.bit_count() > 1:
        state.group, state.phase = sites, LEAVING
    else:  # a lone card stays, without a choice
        _take(state, 0)


def legal_leaves(state: Table) -> list[int]:
    """Return an action for each card of the group that can stay (garner R6)."""
    board, face = state.board, state.face
    return sorted([LEAVE + face[board[site][-1]] for site in numbers(state.group)])


def leave(state: Table, face: int) -> None:
    """Apply the action that leaves one card of the group on its site."""
    sites, state.group = state.group, 0
    for site in numbers(sites):
        if state.face[state.board[site][-1]] == face:
            sites ^= 1 << site
    _take(state, sites)


def _must_leave(state: Table, suit: int, sites: int) -> bool:
    if not layout_of(state).never_six:
        return False
    held = sum(SUIT[state.face[token]] == suit for token in state.won[state.seat])
    return held + sites.bit_count() == FORBIDDEN


def _take(state: Table, sites: int) -> None:
    # An empty set of sites is a collection that yields no card (garner R6).
    board = state.board
    if WATCHED and sites.bit_count() > 1:
        gathered = [board[site][-1] for site in numbers(sites)]
        state.pause("{player} collects {cards}", gathered, state.seat)
    state.put_all([board[site].pop() for site in numbers(sites)], state.won, state.seat)
    state.idle = 0 if sites else state.idle + 1
    if _is_over(state):
        state.seat = OVER
    else:
        state.seat, state.phase = 1 - state.seat, LIFTING


def _is_over(state: Table) -> bool:
    if not any(state.board) or state.idle >= layout_of(state).idle_turns:  # garner R7
        return True
    return state.settings["stop_when_decided"] is True and is_decided(state)  # garner R9
