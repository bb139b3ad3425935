"""The parts of the scene of a state of Garner for one viewer."""

from cardhub import OVER, TallyRow, Target, amount, numbers
from cardhub_garner.groups import groups
from cardhub_garner.layouts import Layout
from cardhub_garner.majorities import weights
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
)


def suit_label(layout: Layout, suit: int) -> str:
    """Return the name of a suit, with `½` if it counts half."""
    is_half = layout.weights[suit] < max(layout.weights)
    return f"{SUITS[suit]} ½" if is_half else SUITS[suit]


def suit_colour(suit: int) -> str:
    """Return the colour of the cards of a suit."""
    return next(card.colour for face, card in enumerate(CARDS.faces) if SUIT[face] == suit)


def race(state: Table, layout: Layout, suit: int, held: list[list[int]]) -> TallyRow:
    """Return the cards of a suit by seat, and what its majority still takes."""
    majority, cards = layout.majorities[suit], tuple(seat[suit] for seat in held)
    notes = tuple(_standing(cards[s], cards[1 - s], majority) for s in range(state.seats))
    return TallyRow(suit_label(layout, suit), cards, majority, notes, suit_colour(suit))


def _standing(own: int, others: int, majority: int) -> str:
    """Return `won`, `lost` or the number of cards missing for the majority of a suit."""
    if own >= majority:
        return "won"
    return "lost" if others >= majority else f"{majority - own} more"


def score(layout: Layout, held: list[int]) -> str:
    """Return the suits that a seat has won, and how many win the game."""
    won, needed = _halves(layout, weights(layout, held)), _halves(layout, layout.enough)
    if _has_half(layout):
        return f"weight {won} ({needed} win)"
    return f"{'1 suit' if won == '1' else f'{won} suits'} ({needed} win)"


def status(state: Table, layout: Layout) -> str:
    """Return the cards that are left, and the turns without a card."""
    left = sum(map(len, state.board)) + len(state.lifted)
    cards = f"{amount(left, 'card') if left else 'no cards'} left"
    if state.idle:
        return f"{cards} · {state.idle} of {layout.idle_turns} turns without a card"
    return cards


def _halves(layout: Layout, weight: int) -> str:
    if not _has_half(layout):
        return str(weight)
    whole, half = divmod(weight, 2)
    return (str(whole) if whole or not half else "") + ("½" if half else "")


def _has_half(layout: Layout) -> bool:
    return len(set(layout.weights)) > 1


def points(state: Table, layout: Layout) -> dict[int, Target | list[Target]]:
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


def prompt(state: Table) -> str:
    """Return the prompt for the seat to act."""
    if state.seat == OVER:
        return "the game is over"
    if state.phase == LIFTING:
        return "lift a card, or a group of one number"
    if state.phase == PLACING:
        return _placing(state, CARDS.faces[state.face[state.lifted[0]]].name)
    if state.phase == LEAVING:
        return "the total would be exactly 6: choose the card that stays"
    return "collect a group of one suit"


def _placing(state: Table, card: str) -> str:
    """Return the prompt for the next card, with the restrictions of variations."""
    rule, is_straight = state.settings.word("new_position"), state.settings.flag("straight_line")
    if rule == "all":
        if is_straight:
            return f"place {card} on another site in a straight line"
        return f"place {card} on another site"
    where = "in a straight line" if is_straight else "on a site"
    if rule == "any" and not state.moved:
        return f"place {card} {where}; at least one card must move"
    return f"place {card} {where}"
