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
            taken = f" with {names.card(before.discards[-1])}" if before.phase == Phase.LAST else ""
            return f"{player} knocks{taken}"
        case "discard":
            return f"{player} discards {names.card(index)}"
        case "meld":
            return f"{player} lays {meld_label(MELDS[index])}"
        case "layoff":
            return f"{player} lays off {names.card(index)}"
        case _:
            return f"{player} {_deadwood(before)}"


def _deadwood(before: Table) -> str:
    left = value(held(before, before.seat))
    if before.phase == Phase.MELDS and not left:
        return "has gin"
    return (
        f"has {left} deadwood"
        if before.phase in (Phase.MELDS, Phase.DEFENCE)
        else "lays off no more cards"
    )


def result(before: Table, after: Table, names: Names) -> str:
    """Return the result of a deal, given the states before and after its last action."""
    gains = [now - was for was, now in zip(before.points, after.points, strict=True)]
    if not any(gains):
        return "The deal is void"
    winner = gains.index(max(gains))
    is_gin = not before.hand[before.knocker]
    how = " with gin" if is_gin else "" if winner == before.knocker else " by an undercut"
    return f"{names.player(winner)} wins {max(gains)} points{how}"
