"""Reasons why an action is not legal, for the seat to act; by the predicates of the rules."""

from cardhub import Names
from hearts.table import ACTIONS, DEALING, PASSING, RANK, SUIT, SUITS, Table, suit_led
from hearts.tricks import FIRST_LEAD, FOLLOW, NO_POINTS, UNBROKEN, demand


def why_not(state: Table, action: int, names: Names) -> str | None:
    """Return the reason; None for a legal action."""
    verb, token = ACTIONS.verb_and_index[action]
    if verb == "deal":
        return None if state.phase == DEALING else "chance deals the cards"
    if (verb == "pass") != (state.phase == PASSING):
        return "first pass three cards" if state.phase == PASSING else "cards have been passed"
    if token not in state.hand[state.seat]:
        return "it is not in your hand"
    if verb == "pass":
        return None
    faces, rule = demand(state)
    return None if faces >> state.face[token] & 1 else _ruling(state, faces, rule, names)


def _ruling(state: Table, faces: int, rule: str, names: Names) -> str:
    """Return the rule that demands one of these faces, and the cards of the hand that fit it."""
    face = state.face
    fitting = [token for token in state.hand[state.seat] if faces >> face[token] & 1]
    fitting.sort(key=lambda token: (SUIT[face[token]], RANK[face[token]]))
    held = names.cards(fitting)
    suit = suit_led(state)
    return {
        FOLLOW: f"{SUITS[suit or 0]} were led and you hold {held}",
        NO_POINTS: f"no points in the first trick while you hold another card: {held}",
        FIRST_LEAD: "the two of clubs leads the first trick",
        UNBROKEN: f"no heart is led before a card with points is played, and you hold {held}",
    }[rule]
