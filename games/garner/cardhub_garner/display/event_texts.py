"""Sentences about an action, from the states before and after it."""

from cardhub import OVER, Names, listed
from cardhub_garner.layouts import site_name
from cardhub_garner.majorities import counts, is_decided
from cardhub_garner.table import ACTIONS, LEAVING, SUITS, Table, layout_of


def action_text(before: Table, action: int, after: Table, names: Names) -> str:
    """Return an action as a sentence."""
    player = names.player(before.seat)
    verb, index = ACTIONS.verb_and_index[action]
    match verb:
        case "lift":
            return f"{player} lifts {names.phrases(after.lifted)}"
        case "place":
            return f"{player} places {_placed(before, index, names)}"
        # No card has moved yet: the seat is to choose the one that stays (garner R6).
        case "collect" if after.phase == LEAVING:
            return f"{player} would have exactly 6 cards of the suit and must leave one"
    gained = after.won[before.seat][len(before.won[before.seat]) :]
    if not gained:
        return f"{player} collects nothing, because exactly 6 cards of a suit are not allowed"
    if verb == "leave":
        stays = [t for t in _group(before) if t not in gained]
        return f"{player} collects {names.phrases(gained)} and leaves {names.phrases(stays)}"
    return f"{player} collects {names.phrases(gained)}"


def _placed(before: Table, site: int, names: Names) -> str:
    stack = before.board[site]
    card, place = names.card(before.lifted[0]), site_name(site)
    if site == before.origins[0]:
        return f"{card} back on {place}"
    return f"{card} on {place}, over {names.card(stack[-1])}" if stack else f"{card} on {place}"


def suits_won(before: Table, after: Table, names: Names) -> list[str]:
    """Return a sentence for each suit that an action has decided."""
    lines = []
    layout = layout_of(after)
    for seat, (was, now) in enumerate(zip(counts(before), counts(after), strict=True)):
        for suit, majority in enumerate(layout.majorities):
            # Reported once, in the turn in which the majority is reached.
            if was[suit] < majority <= now[suit]:
                lines.append(f"{names.player(seat)} has won suit {SUITS[suit]}")
    return lines


def ending(after: Table, names: Names) -> list[str]:
    """Return the reason for the end if no card shows it, and the suits won if it is a draw."""
    if after.seat != OVER:
        return []
    turns = layout_of(after).idle_turns
    lines = (
        [f"The game ends after {turns} turns without a collected card"]
        if after.idle >= turns
        else []
    )
    if is_decided(after):
        return lines
    # Both scores are 0 then, so the result does not show the suits (garner R7, R8).
    won = (f"{names.player(seat)} has won {_suits(after, seat)}" for seat in range(after.seats))
    return [
        *lines,
        f"{' and '.join(won)}: neither has won more than half of the suits, so it is a draw",
    ]


def _suits(state: Table, seat: int) -> str:
    held, majorities = counts(state)[seat], layout_of(state).majorities
    won = [
        SUITS[suit]
        for suit, (count, majority) in enumerate(zip(held, majorities, strict=True))
        if count >= majority
    ]
    return listed(won) or "no suit"


def _group(state: Table) -> list[int]:
    return [stack[-1] for site, stack in enumerate(state.board) if state.group >> site & 1]
