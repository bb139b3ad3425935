"""What happened at a Garner table, in sentences."""

from collections.abc import Iterable

from cardhub import OVER, Names
from cardhub_garner.layouts import site_name
from cardhub_garner.majorities import counts, is_decided
from cardhub_garner.table import (
    COLLECT,
    LEAVE,
    LEAVING,
    PLACE,
    SUITS,
    Table,
    layout_of,
)


def tell(before: Table, action: int, after: Table, names: Names) -> list[str]:
    """Tell what a seat did, which suits it has won by it, and why the game is over."""
    deed = _deed(before, action, after, names)
    return [deed, *_won(before, after, names), *_end(after)]


def _deed(before: Table, action: int, after: Table, names: Names) -> str:
    player = names.player(before.seat)
    if action < PLACE:
        return f"{player} lifts {_cards(after.lifted, names)}"
    if action < COLLECT:
        return f"{player} places {_placed(before, action - PLACE, names)}"
    gained = after.won[before.seat][len(before.won[before.seat]) :]
    if after.phase == LEAVING and after.seat == before.seat:
        return f"{player} would have exactly 6 and must leave a card"
    if not gained:
        return f"{player} collects nothing: exactly 6 is forbidden"
    if action >= LEAVE:
        stays = [t for t in _group(before) if t not in gained]
        return f"{player} collects {_cards(gained, names)} and leaves {_cards(stays, names)}"
    return f"{player} collects {_cards(gained, names)}"


def _placed(before: Table, site: int, names: Names) -> str:
    stack = before.board[site]
    what = f"{names.card(before.lifted[0])} on {site_name(site)}"
    if site == before.origins[0]:
        return f"{what} again"
    return f"{what}, over {names.card(stack[-1])}" if stack else what


def _won(before: Table, after: Table, names: Names) -> list[str]:
    """Tell the suits that this action won."""
    lines = []
    layout = layout_of(after)
    for seat, (was, now) in enumerate(zip(counts(before), counts(after), strict=True)):
        for suit, majority in enumerate(layout.majorities):
            if was[suit] < majority <= now[suit]:
                lines.append(f"{names.player(seat)} has won suit {SUITS[suit]}")
    return lines


def _end(after: Table) -> list[str]:
    """Tell why the game ends if that is not plain to see, and if nobody has won it."""
    if after.seat != OVER:
        return []
    turns = layout_of(after).idle_turns
    lines = [f"{turns} turns without a card: the game ends"] if after.idle >= turns else []
    return lines if is_decided(after) else [*lines, "nobody has the majority of the suits: a draw"]


def _group(state: Table) -> list[int]:
    return [stack[-1] for site, stack in enumerate(state.board) if state.group >> site & 1]


def _cards(tokens: Iterable[int], names: Names) -> str:
    return " ".join(map(names.card, tokens))
