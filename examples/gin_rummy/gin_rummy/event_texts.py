"""Sentences about an action, from the states before and after it."""

from cardhub import BreakdownRow, BreakdownSection, Names, Summary
from gin_rummy.melds import MELDS, deadwood, deadwood_without, meld_label, value
from gin_rummy.showdown import knocker_gains
from gin_rummy.table import ACTIONS, Phase, Table, held
from gin_rummy.turns import left_after_discards


def describe(before: Table, action: int, after: Table, names: Names) -> list[str]:
    """Describe an action and its results."""
    verb, index = ACTIONS.verb_and_index[action]
    lines = [_action(before, verb, index, after, names)]
    return lines + ([result(before, after, names)] if after.number > before.number else [])


def _action(before: Table, verb: str, index: int, after: Table, names: Names) -> str:
    if verb == "deal":
        upcard, first = names.card(after.discards[-1]), names.player(after.first)
        return f"Deal {after.number + 1}: {first} begins, {upcard} is turned up"
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
        else "lays off no more"
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


def summary(before: Table, after: Table, names: Names) -> Summary | None:
    """Return the deadwood and the points of both, if a deal has ended."""
    if after.number == before.number:
        return None
    rows = []
    for seat, points in enumerate(after.points):
        row = [names.player(seat), f"{points} points in all"]
        if before.knocker >= 0:
            row.insert(1, f"deadwood {value(held(before, seat))}")
        rows.append(row)
    return Summary(f"Deal {after.number}: {result(before, after, names)}", rows)


def consequence(state: Table, action: int) -> str:
    """Return the deadwood that an action leaves."""
    verb, index = ACTIONS.verb_and_index[action]
    cards, face = held(state, state.seat) if state.seat >= 0 else 0, state.face
    match verb:
        case "discard":
            return f"leaves {deadwood_without(cards)[face[index]]} deadwood"
        case "take":
            upcard = face[state.discards[-1]]
            left = deadwood_without(cards | 1 << upcard)
            best = min(left[other] for other in left if other != upcard)
            return f"leaves {best} deadwood with the best discard, now {deadwood(cards)}"
        case "knock":
            return f"leaves {min(left_after_discards(state).values())} deadwood"
        case "meld":
            return f"leaves {deadwood(cards ^ MELDS[index])} deadwood"
        case "layoff":
            return f"leaves {deadwood(cards ^ 1 << face[index])} deadwood"
    return ""


def causes(state: Table) -> list[BreakdownSection]:
    """Return the lead of each seat by cause, in the last deal and in those before it."""
    lead, deal = state.points[0] - state.points[1], 0
    rows = []
    if state.knocker >= 0:
        own, other = (value(held(state, seat)) for seat in (state.knocker, 1 - state.knocker))
        sign = 1 if state.knocker == 0 else -1
        deal = sign * knocker_gains(own, other)
        bonus = deal - sign * (other - own)
        rows.append(_row("deadwood", sign * (other - own)))
        if bonus:
            rows.append(_row("gin" if own == 0 else "undercut", bonus))
    if lead != deal:
        rows.insert(0, _row("deals before", lead - deal))
    return [BreakdownSection("", rows or [_row("void deals", 0)])]


def _row(label: str, lead: int) -> BreakdownRow:
    return BreakdownRow(label, [lead, -lead])
