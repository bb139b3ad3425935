"""Why an action is not legal, for the seat to act."""

from cardhub import numbers
from gin_rummy.cards import CARDS
from gin_rummy.melds import MELDS, deadwood, deadwood_without, value
from gin_rummy.table import ACTIONS, Phase, Table, held
from gin_rummy.turns import left_after_discards


def reason(state: Table, action: int) -> str | None:
    """Return why an action that is not legal is not; None: the legal actions say enough."""
    verb, index = ACTIONS.verb_and_index[action]
    if verb in ("discard", "layoff") and index not in state.hand[state.seat]:
        return "it is not in your hand"
    if state.knocker < 0:
        return _before_knock(state, verb)
    return _after_knock(state, verb, index)


def _before_knock(state: Table, verb: str) -> str | None:
    if verb in ("meld", "layoff", "done"):
        return "melds are laid after a knock"
    if verb in ("knock", "discard") and state.phase in (Phase.UPCARD, Phase.DRAW):
        return "you have to draw a card first"
    if verb in ("draw", "take") and state.phase == Phase.DISCARD:
        return "you have drawn a card and have to discard one, or knock"
    if verb == "knock":
        return _too_much(state, min(left_after_discards(state).values()))
    return "you took it in this turn" if verb == "discard" else None


def _after_knock(state: Table, verb: str, index: int) -> str | None:
    cards = held(state, state.seat)
    match verb, state.phase:
        case "discard", Phase.KNOCK:
            if index == state.taken:
                return "you took it in this turn"
            return _too_much(state, deadwood_without(cards)[state.face[index]])
        case "meld", (Phase.MELDS | Phase.DEFENCE):
            lacking = numbers(MELDS[index] & ~cards)
            if lacking:
                return f"you do not hold {' '.join(CARDS.faces[face].name for face in lacking)}"
            return _too_much(state, deadwood(cards ^ MELDS[index]))
        case "layoff", Phase.LAYOFFS:
            return "it fits none of the melds"
        case "layoff", Phase.DEFENCE:
            return "cards are laid off before own melds, and not against gin"
        case "done", Phase.MELDS:
            return _too_much(state, value(cards))
    return None


def _too_much(state: Table, left: int) -> str:
    limit = state.settings.number("limit")
    return f"your deadwood would be {left}, and at most {limit} is allowed"
