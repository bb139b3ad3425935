"""Reasons why an action is not legal, for the seat to act; by the predicates of the rules."""

from cardhub import Names
from hearts import tricks
from hearts.demands import FIRST_LEAD, FOLLOW, NO_POINTS, UNBROKEN
from hearts.table import ACTIONS, DEALING, PASSING, PLAY, RANK, SUIT, SUITS, Table, suit_led


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
    playable = [play - PLAY for play in tricks.playable(state)]
    if token in playable:
        return None
    face = state.face
    playable.sort(key=lambda card: (SUIT[face[card]], RANK[face[card]]))
    # The first rule that the hand can fulfil is the one that `playable` follows.
    demanded = (rule for faces, rule in tricks.rules(state) if faces[face[playable[0]]])
    return _ruling(next(demanded), suit_led(state), names.cards(playable))


def _ruling(rule: str, suit: int, held: str) -> str:
    """Return a rule with the cards of the hand that fulfil it."""
    return {
        FOLLOW: f"{SUITS[suit]} were led and you hold {held}",
        NO_POINTS: f"no points in the first trick while you hold another card: {held}",
        FIRST_LEAD: "the two of clubs leads the first trick",
        UNBROKEN: f"no heart is led before a card with points is played, and you hold {held}",
    }[rule]
