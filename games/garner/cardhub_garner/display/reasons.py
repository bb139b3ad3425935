"""Reasons why an action is not legal, for the seat to act; by the predicates of the rules."""

from collections.abc import Sequence

from cardhub_garner.distributing import LINES, allowed_sites, first_sites, legal_places
from cardhub_garner.groups import groups, top_layer
from cardhub_garner.layouts import site_name
from cardhub_garner.table import (
    CARDS,
    COLLECTING,
    LEAVING,
    LIFTING,
    NUMBER,
    PLACE,
    PLACING,
    SUIT,
    Table,
    layout_of,
)

PHASE_OF = {"lift": LIFTING, "place": PLACING, "collect": COLLECTING, "leave": LEAVING}
# What the seat to act has to do in a phase, said of the actions of the others.
DUTIES = {
    LIFTING: "first lift a group of one number",
    PLACING: "first place the lifted cards",
    COLLECTING: "you have distributed a group; now collect one",
    LEAVING: "first choose the card that stays",
}


def lift(state: Table, face: int) -> str | None:
    """Return why a card names no group to lift, or None."""
    return _not_on_top(state, face) or _other_name(state, face, NUMBER)


def collect(state: Table, face: int) -> str | None:
    """Return why a card names no group to collect, or None."""
    return _not_on_top(state, face) or _other_name(state, face, SUIT)


def _not_on_top(state: Table, face: int) -> str | None:
    """Return why a card is not in the top layer (garner R2)."""
    faces = state.face
    for site, stack in enumerate(state.board):
        for level, token in enumerate(stack):
            if faces[token] != face:
                continue
            if token != stack[-1]:
                return f"{_name(faces[stack[level + 1]])} lies on it"
            if site not in top_layer(state):
                height = max(map(len, state.board))
                return f"only cards at the greatest height, {height}, are in the top layer"
            return None
    if any(faces[token] == face for won in state.won for token in won):
        return "it has been collected"
    return "it is not in this layout"


def _other_name(state: Table, face: int, kind: Sequence[int]) -> str | None:
    """Return the name of the group of a card, unless that card names it."""
    named = groups(state, kind)
    if any(name == face for name, _ in named):
        return None
    tops = {site: state.face[state.board[site][-1]] for site in top_layer(state)}
    for name, sites in named:
        if any(sites >> site & 1 and top == face for site, top in tops.items()):
            return f"its group is called {_name(name)}"
    return None


def leave(state: Table, face: int) -> str | None:
    """Return why a card cannot stay, or None."""
    tops = (state.face[stack[-1]] for site, stack in enumerate(state.board) if _is_in(state, site))
    return None if face in tops else "it is not in the group that you collect"


def _is_in(state: Table, site: int) -> bool:
    return bool(state.group >> site & 1)


def place(state: Table, site: int) -> str | None:
    """Return the rule against a site; the rules of variations are garner R10."""
    if PLACE + site in legal_places(state):
        return None
    origin, rule = state.origins[0], state.settings.word("new_position")
    name = _name(state.face[state.lifted[0]])
    if not layout_of(state).board >> site & 1:
        return f"{site_name(site)} is not in this layout"
    if state.used >> site & 1:
        return "another card of the group has been placed there"
    if state.settings.flag("straight_line") and not LINES[origin] >> site & 1:
        return f"{name} moves only along its row, its column or a diagonal"
    if rule == "all" and site == origin:
        return "every card of the group must move to another site"
    if first_sites(allowed_sites(state, rule == "all")) >> site & 1:
        return "at least one card of the group must move to another site"
    return "another card of the group would have no site left"


def _name(face: int) -> str:
    return CARDS.faces[face].name
