"""Sentences about an action, from the states before and after it."""

from cardhub import Names
from gin_rummy.melds import MELDS, meld_label, value
from gin_rummy.table import Phase, Table, held


def action_text(before: Table, verb: str, index: int, after: Table, names: Names) -> str:
    """Return an action as a sentence."""
    if verb == "deal":
        upcard, first = names.card(after.discards[-1]), names.player(after.first)
        return f"Deal {after.number + 1}: {first} begins, and {upcard} is turned up"
    player = names.player(before.seat)
    match verb:
        case "draw":
            return f"{player} draws {names.phrase(before.stock[-1])}"
        case "take":
            return f"{player} takes {names.card(before.discards[-1])}"
        case "pass":
            return f"{player} passes"
        case "knock":
            if before.phase == Phase.LAST:
                return f"{player} takes {names.card(before.discards[-1])} and knocks"
            return f"{player} knocks"
        case "discard":
            return f"{player} discards {names.card(index)}"
        case "meld":
            return f"{player} lays {meld_label(MELDS[index])}"
        case "layoff":
            return f"{player} lays off {names.card(index)}"
        case _:
            return _done(before, player)


def _done(before: Table, player: str) -> str:
    left = value(held(before, before.seat))
    if before.phase == Phase.MELDS and not left:
        return f"{player} has gin"
    if before.phase in (Phase.MELDS, Phase.DEFENCE):
        return f"{player} has {left} deadwood"
    return f"{player} lays off no more cards"


def result(before: Table, after: Table, names: Names) -> str:
    """Return the result of a deal, given the states before and after its last action."""
    gains = [now - was for was, now in zip(before.points, after.points, strict=True)]
    if not any(gains):
        return "The deal is void"
    winner = gains.index(max(gains))
    player, points = names.player(winner), max(gains)
    if not before.hand[before.knocker]:
        return f"{player} wins {points} points with gin"
    if winner != before.knocker:
        return f"{player} wins {points} points by an undercut"
    return f"{player} wins {points} points"
