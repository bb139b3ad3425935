"""Groups in a state: connected cards of one number or one suit in the top layer.

A set of sites is an int whose bits are indexed by site.
"""

from collections.abc import Sequence

from cardhub import connected, numbers, orthogonal
from cardhub_garner.layouts import COLUMNS, ROWS
from cardhub_garner.table import Table, layout_of

# By site, its neighbours (garner R3); those outside of a layout are always empty.
NEXT_TO = orthogonal(ROWS, COLUMNS)
# By site, the neighbours above and to the left.
BEFORE = tuple(near & ((1 << site) - 1) for site, near in enumerate(NEXT_TO))
# An upper bound of the numbers of suits and of numbers.
KINDS = 16


def top_layer(state: Table) -> list[int]:
    """Return the sites whose top cards form the top layer (garner R2)."""
    board, sites = state.board, layout_of(state).sites
    if state.settings["top_layer"] == "surface":
        return [site for site in sites if board[site]]
    height = max(map(len, board))
    return [site for site in sites if len(board[site]) == height > 0]


def alike(state: Table, kind: Sequence[int]) -> list[int]:
    """Return the sites of the top layer by suit or by number."""
    board, face = state.board, state.face
    by_kind = [0] * KINDS
    for site in top_layer(state):
        by_kind[kind[face[board[site][-1]]]] |= 1 << site
    return by_kind


def groups(state: Table, kind: Sequence[int]) -> list[tuple[int, int]]:
    """Return the lowest face and the sites of each group of the top layer.

    `kind` is SUIT or NUMBER, which the cards of a group have in common. The lowest face has the
    first suit of a number group, or the lowest number of a suit group.
    """
    # One pass over the sites, row by row: a card joins the groups above and to its left. Flood
    # fill from each card would visit most sites several times, and this is the hot path.
    board, face = state.board, state.face
    seen, group = [0] * KINDS, [0] * len(board)
    names: list[int] = []
    parts: list[int] = []
    for site in top_layer(state):
        top = face[board[site][-1]]
        common = kind[top]
        near = seen[common] & BEFORE[site]
        seen[common] |= 1 << site
        if not near:
            group[site] = len(parts)
            names.append(top)
            parts.append(1 << site)
            continue
        group[site] = joined = group[near.bit_length() - 1]
        parts[joined] |= 1 << site
        if top < names[joined]:
            names[joined] = top
        if near & (near - 1):  # above and to the left: perhaps two groups that meet here
            _join(group[(near & -near).bit_length() - 1], joined, group, names, parts)
    return [named for named in zip(names, parts, strict=True) if named[1]]


def group_of(state: Table, face: int, kind: Sequence[int]) -> int:
    """Return the sites of the group of the top card that has this face."""
    board, faces, wanted = state.board, state.face, kind[face]
    start = sites = 0
    for site in top_layer(state):
        top = faces[board[site][-1]]
        if kind[top] == wanted:
            sites |= 1 << site
            if top == face:
                start = 1 << site
    return connected(start, sites, NEXT_TO)


def _join(other: int, joined: int, group: list[int], names: list[int], parts: list[int]) -> None:
    """Merge the group with the index `other` into that with the index `joined`."""
    if other == joined:
        return
    for site in numbers(parts[other]):
        group[site] = joined
    names[joined] = min(names[joined], names[other])
    parts[joined] |= parts[other]
    parts[other] = 0
