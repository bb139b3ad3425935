"""Reasons why an action is not legal, for the seat to act."""

from cardhub import Names
from spades.display import sort
from spades.table import ACTIONS, BIDDING, DEALING, PLAY, PLAYING, SUITS, Table, suit_led
from spades.tricks import playable


def why_not(state: Table, action: int, names: Names) -> str | None:
    """Return the reason; None for a legal action."""
    verb, token = ACTIONS.verb_and_index[action]
    match verb:
        case "deal":
            return None if state.phase == DEALING else "chance deals the cards"
        case "bid":
            return "the bids are made" if state.phase == PLAYING else None
    if state.phase != PLAYING:
        return "first bid" if state.phase == BIDDING else "the cards are not dealt yet"
    if token not in state.hand[state.seat]:
        return "it is not in your hand"
    legal = playable(state)
    if action in legal:
        return None
    held = names.cards(sort(state, (choice - PLAY for choice in legal)))
    suit = suit_led(state)
    if suit is None:
        return f"no spade is led before one is played, and you hold {held}"
    return f"{SUITS[suit]} were led and you hold {held}"
