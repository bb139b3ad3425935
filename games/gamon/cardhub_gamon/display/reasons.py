"""Reasons why an action is not legal, for the seat to act; by the predicates of the rules."""

from cardhub import Names
from cardhub_gamon import rules_of_cards as rules
from cardhub_gamon.display.consequences import coins
from cardhub_gamon.effects import legal_choices
from cardhub_gamon.placing import unplayable
from cardhub_gamon.rounds import legal_prizes
from cardhub_gamon.table import (
    ACTIONS,
    CALLING,
    CARDS,
    CHOOSING,
    DOUBTING,
    MOVE,
    PAY,
    PLACING,
    PRICING,
    REMOVE,
    Table,
)

PHASE_OF = {"place": PLACING, "call": CALLING, "prize": PRICING}
PHASE_OF |= dict.fromkeys(("gamon", "believe"), DOUBTING)
PHASE_OF |= dict.fromkeys(("move", "remove", "pay"), CHOOSING)
# What the seat to act has to do in a phase, said of the actions of the others.
DUTIES = {
    PRICING: "first set the prize of this round",
    PLACING: "first place a card face down",
    CALLING: "first call a value for the card that you have placed",
    DOUBTING: "first believe the call or cry Gamon",
}
EFFECTS = {
    MOVE: "move to the prize",
    REMOVE: "remove from the prize",
    PAY: "pay into the prize",
}
# The conditions of cards, which the rules of the cards name by their functions (gamon N14).
CONDITIONS: dict[rules.Condition, str] = {
    rules.prize_holds_four: "it may be placed only while the prize holds at least four coins",
    rules.opponent_is_richer: "it may be placed only while the other purse is larger",
    rules.no_battle_lost: "it may be placed only if you have lost no battle this round",
}


def duty(state: Table) -> str:
    """Return what the seat to act has to do in this phase."""
    if state.phase == CHOOSING:
        return f"first say how many coins to {EFFECTS[state.choice]}"
    return DUTIES[state.phase]


def place(state: Table, token: int) -> str | None:
    """Return why a card cannot be placed, or None."""
    seat = state.seat
    if token not in state.hand[seat]:
        return "it is not in your hand"
    face = state.face[token]
    if not unplayable(state, seat) >> face & 1:
        return None
    return CONDITIONS[rules.BY_FACE[face].place]


def call(state: Table, number: int) -> str | None:
    """Return why a number cannot be called for the placed card, or None."""
    face = state.face[state.placed[state.seat][0]]
    if not rules.NEVER_CALLED[number] >> face & 1:
        return None
    return f"{CARDS.faces[face].title} must not be called {number}"


def prize(state: Table, action: int) -> str | None:
    """Return why the prize cannot be set so high, or None."""
    if action in legal_prizes(state):
        return None
    return f"the pile has only {coins(state.pile)} to add"


def choice(state: Table, action: int, names: Names) -> str | None:
    """Return why so many coins cannot be moved, removed or paid, or None."""
    if action in legal_choices(state):
        return None
    most = state.choices - 1
    if ACTIONS.verb_and_index[action][0] != ACTIONS.verb_and_index[state.choice][0]:
        return f"you are asked how many coins to {EFFECTS[state.choice]}"
    source = f"{names.player(1 - state.seat)}'s purse" if state.choice == MOVE else "the prize"
    return f"{source} holds only {coins(most)}"
