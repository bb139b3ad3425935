"""Actions as sentences; the rules log what follows from them."""

from cardhub import Names, amount
from cardhub_gamon.table import ACTIONS, Table


def coins(number: int) -> str:
    """Return a number of coins with its noun."""
    return amount(number, "coin") if number else "no coins"


def action_text(before: Table, action: int, names: Names) -> str:
    """Return an action as a sentence."""
    verb, value = ACTIONS.verb_and_value[action]
    if verb == "first":
        return f"{names.player(value)} attacks first"
    seat = before.seat
    player, other = names.player(seat), names.player(1 - seat)
    match verb:
        case "place":
            return f"{player} places {names.phrase(action)}"
        case "call":
            return f"{player} calls {value}"
        case "gamon":
            return f"{player} doubts {other}'s {before.called[1 - seat]} and cries GAMON!"
        case "believe":
            return f"{player} believes {other}'s {before.called[1 - seat]}"
        case "prize" if value > before.prize:
            return f"{player} raises the prize to {coins(value)}"
        case "prize":
            return f"{player} leaves the prize at {coins(value)}"
        case _:
            return _effect_text(verb, value, player, other)


def _effect_text(verb: str, number: int, player: str, other: str) -> str:
    if verb == "move":
        return f"{player} moves {coins(number)} from {other}'s purse to the prize"
    if verb == "remove":
        return f"{player} removes {coins(number)} from the prize"
    if number:
        return f"{player} pays a coin into the prize: +2 for the next card"
    return f"{player} pays nothing into the prize: no +2 for the next card"
