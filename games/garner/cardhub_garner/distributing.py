"""The first half of a turn: lift a number group and place its cards one by one."""

from collections.abc import Sequence

from cardhub import numbers
from cardhub_garner.groups import group_of, groups
from cardhub_garner.layouts import COLUMNS, ROWS
from cardhub_garner.table import COLLECTING, LIFT, NUMBER, PLACE, PLACING, Table, layout_of


def _line(site: int) -> int:
    """Return the sites on the row, the column and the diagonals of a site, itself included."""
    row, column = divmod(site, COLUMNS)
    return sum(
        1 << r * COLUMNS + c
        for r in range(ROWS)
        for c in range(COLUMNS)
        if r == row or c == column or abs(r - row) == abs(c - column)
    )


# By site, the sites that a card can reach in a straight line (garner R10).
LINES = tuple(map(_line, range(ROWS * COLUMNS)))


def legal_lifts(state: Table) -> list[int]:
    """Return an action for each number group of the top layer."""
    return sorted([LIFT + face for face, _ in groups(state, NUMBER)])


def lift(state: Table, face: int) -> None:
    """Apply the action that lifts a group, before its first card is placed (garner R4)."""
    board, faces = state.board, state.face
    sites = numbers(group_of(state, face, NUMBER))
    # Faces are numbered suit by suit, and a number group has one card of each suit at most.
    sites.sort(key=lambda site: faces[board[site][-1]])
    state.put_all([board[site].pop() for site in sites], state.lifted)
    state.origins = sites
    state.phase = PLACING


def legal_places(state: Table) -> list[int]:
    """Return the actions that place the next card and leave a site for each of the others."""
    rule = state.settings["new_position"]
    allowed = allowed_sites(state, rule == "all")
    # Each card must leave a site for every later card: then a turn can always be finished.
    if rule == "any" and not state.moved:
        sites = _first_of_any(allowed, state.origins)
    else:
        sites = first_sites(allowed)
    return [PLACE + site for site in layout_of(state).sites if sites >> site & 1]


def place(state: Table, site: int) -> None:
    """Apply the action that puts the next lifted card on a site, occupied or not."""
    state.put(state.lifted.pop(0), state.board, site)
    state.moved = state.moved or site != state.origins[0]
    state.used |= 1 << site
    del state.origins[0]
    if not state.lifted:
        state.used, state.moved = 0, False
        state.phase = COLLECTING


def first_sites(allowed: Sequence[int]) -> int:
    """Return the sites for the first card that leave a different site for each other card.

    `allowed` has a mask of sites for each card.
    """
    first, rest = allowed[0], allowed[1:]
    # With as many sites for each card as there are cards, every order of placing succeeds.
    if min(map(int.bit_count, allowed)) >= len(allowed):
        return first
    return sum(
        1 << site for site in numbers(first) if can_place([sites & ~(1 << site) for sites in rest])
    )


def can_place(allowed: Sequence[int]) -> bool:
    """Return whether all cards can be placed on different sites."""
    return not allowed or first_sites(allowed) != 0


def allowed_sites(state: Table, must_move: bool) -> list[int]:
    """Return the mask of the sites for each lifted card; `must_move` excludes where it lay."""
    free = layout_of(state).board & ~state.used
    lines = state.settings["straight_line"]
    allowed = [free & LINES[origin] if lines else free for origin in state.origins]
    if must_move:
        return [
            sites & ~(1 << origin) for sites, origin in zip(allowed, state.origins, strict=True)
        ]
    return allowed


def _first_of_any(allowed: list[int], origins: list[int]) -> int:
    """Return the sites for the first card with which at least one card gets a new site."""
    first = 0
    for card, origin in enumerate(origins):
        moved = allowed[:]
        moved[card] &= ~(1 << origin)
        first |= first_sites(moved)
    return first
