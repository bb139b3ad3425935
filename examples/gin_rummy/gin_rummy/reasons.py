"""Why an action is not legal, for the seat to act."""

from cardhub import numbers
from gin_rummy.cards import CARDS
from gin_rummy.melds import MELDS, deadwood, deadwood_without, value
from gin_rummy.table import ACTIONS, Phase, Table, held
from gin_rummy.turns import left_after_discards

DRAW_FIRST = "first draw a card"
UPCARD_FIRST = "the upcard is offered first: take it or pass"
NO_PASS = "only the first upcard can be declined"
TOO_MANY = "you have drawn a card, so discard one, or knock"
DISCARD_FIRST = "first discard a card"
TAKEN = "you have taken it in this turn"
# By phase and verb. A reason that depends on cards is worked out by `_of_cards`.
BY_PHASE = {
    Phase.UPCARD: {"knock": DRAW_FIRST, "discard": DRAW_FIRST, "draw": UPCARD_FIRST},
    Phase.DRAW: {"knock": DRAW_FIRST, "discard": DRAW_FIRST, "pass": NO_PASS},
    Phase.DISCARD: {"draw": TOO_MANY, "take": TOO_MANY, "pass": TOO_MANY, "discard": TAKEN},
    Phase.KNOCK: {"meld": DISCARD_FIRST, "layoff": DISCARD_FIRST, "done": DISCARD_FIRST},
    Phase.MELDS: {"layoff": "you knocked, so the other player lays off"},
    Phase.LAYOFFS: {
        "layoff": "it fits none of the melds",
        "meld": "first lay off cards, or choose done; your own melds come after that",
    },
    Phase.DEFENCE: {"layoff": "cards are laid off before your own melds, and never against gin"},
}
BOTH_PASSED = "both have passed: draw from the stock"
LAST = "the stock ends here: knock with the upcard or pass"
BEFORE_KNOCK = "melds are laid after a knock"
AFTER_KNOCK = "after a knock, melds are laid, and no card is drawn or discarded"


def reason(state: Table, action: int) -> str:
    """Return why an action that is not legal is not."""
    verb, index = ACTIONS.verb_and_index[action]
    if verb == "deal":
        return "cards are dealt by chance"
    if verb in ("discard", "layoff") and index not in state.hand[state.seat]:
        return "it is not in your hand"
    text = _of_cards(state, verb, index) or BY_PHASE.get(state.phase, {}).get(verb)
    if text:
        return text
    if state.knocker >= 0:
        return AFTER_KNOCK
    if verb in ("meld", "layoff", "done"):
        return BEFORE_KNOCK
    return LAST if state.phase == Phase.LAST else BOTH_PASSED


def _of_cards(state: Table, verb: str, index: int) -> str | None:
    cards = held(state, state.seat)
    match verb, state.phase:
        case "knock", (Phase.DISCARD | Phase.LAST):
            return _too_much(state, min(left_after_discards(state).values()))
        case "discard", Phase.KNOCK:
            left = deadwood_without(cards)[state.face[index]]
            return TAKEN if index == state.taken else _too_much(state, left)
        case "meld", (Phase.MELDS | Phase.DEFENCE):
            lacking = [CARDS.faces[face].label for face in numbers(MELDS[index] & ~cards)]
            if lacking:
                return f"you do not hold {' '.join(lacking)}"
            return _too_much(state, deadwood(cards ^ MELDS[index]))
        case "done", Phase.MELDS:
            return _too_much(state, value(cards))
    return None


def _too_much(state: Table, left: int) -> str:
    limit = state.settings.number("limit")
    return f"your deadwood would be {left}, and at most {limit} is allowed"
