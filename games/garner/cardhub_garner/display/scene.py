"""The scene of a state of Garner: the layout, the lifted cards and both scoring piles."""

from cardhub import OVER, Area, Grid, Scene, Target, numbers
from cardhub_garner.groups import groups
from cardhub_garner.layouts import Layout
from cardhub_garner.majorities import counts, weights
from cardhub_garner.table import (
    CARDS,
    COLLECT,
    COLLECTING,
    LEAVE,
    LEAVING,
    LIFT,
    LIFTING,
    NUMBER,
    PLACE,
    PLACING,
    SUIT,
    SUITS,
    Table,
    layout_of,
)


def table(state: Table, viewer: int) -> Scene:
    """Return the scene, with the viewer's own pile last."""
    layout = layout_of(state)
    stacks = [state.board[site] for site in layout.sites]
    areas: list[Area | Grid] = [Grid("layout", layout.rows, layout.columns, stacks)]
    areas.append(Area("lifted", state.lifted))
    if state.idle:
        areas.append(Area("turns without a card", note=f"{state.idle} of {layout.idle_turns}"))
    # A spectator sees the table from the last seat.
    own = viewer if viewer < state.seats else state.seats - 1
    for seat in (1 - own, own):
        areas += _pile(state, layout, seat)
    return Scene(_prompt(state), areas, _points(state, layout))


def _pile(state: Table, layout: Layout, seat: int) -> list[Area]:
    """Return a scoring pile by suit, with the number of cards missing for each majority."""
    held = counts(state)
    needed = _halves(layout, layout.enough)
    areas = [Area("weight won" if _has_half(layout) else "suits won", seat=seat)]
    areas[0].note = f"{_halves(layout, weights(layout, held[seat]))}, {needed} to win"
    for suit, majority in enumerate(layout.majorities):
        is_half = layout.weights[suit] < max(layout.weights)
        caption = f"{SUITS[suit]} ½" if is_half else SUITS[suit]
        note = _standing(held[seat][suit], held[1 - seat][suit], majority)
        pile = [token for token in state.won[seat] if SUIT[state.face[token]] == suit]
        # Faces are numbered suit by suit, in ascending order.
        pile.sort(key=state.face.__getitem__)
        areas.append(Area(caption, pile, seat, look="count", note=note))
    return areas


def _standing(own: int, others: int, majority: int) -> str:
    """Return `won`, `lost` or the number of cards missing for the majority of a suit."""
    if own >= majority:
        return "won"
    return "lost" if others >= majority else f"needs {majority - own}"


def _halves(layout: Layout, weight: int) -> str:
    if not _has_half(layout):
        return str(weight)
    whole, half = divmod(weight, 2)
    return (str(whole) if whole or not half else "") + ("½" if half else "")


def _has_half(layout: Layout) -> bool:
    return len(set(layout.weights)) > 1


def _points(state: Table, layout: Layout) -> dict[int, Target | list[Target]]:
    """Return the sites that each action points at, numbered as in this layout."""
    # Actions count sites on the largest board, scenes on the layout in use.
    number = {site: Target("site", n) for n, site in enumerate(layout.sites)}
    if state.seat == OVER:
        return {}
    if state.phase in (LIFTING, COLLECTING):
        verb, kind = (LIFT, NUMBER) if state.phase == LIFTING else (COLLECT, SUIT)
        return {
            verb + face: [number[site] for site in numbers(sites)]
            for face, sites in groups(state, kind)
        }
    if state.phase == PLACING:
        return {PLACE + site: number[site] for site in layout.sites}
    tops = ((site, state.face[state.board[site][-1]]) for site in numbers(state.group))
    return {LEAVE + face: number[site] for site, face in tops}


def _prompt(state: Table) -> str:
    if state.phase == LIFTING:
        return "lift a group of one number"
    if state.phase == PLACING:
        return f"place {CARDS.faces[state.face[state.lifted[0]]].name}{_where(state)}"
    if state.phase == LEAVING:
        return "you would have exactly 6: choose the card that stays"
    return "collect a group of one suit"


def _where(state: Table) -> str:
    """Return the restrictions of variations for the next card."""
    rule = state.settings.word("new_position")
    line = " in a straight line" if state.settings.flag("straight_line") else ""
    if rule == "all":
        return f" on another site{line}"
    if rule == "any" and not state.moved:
        return f"{line}; one card must get another site"
    return line if line else " on a site"
