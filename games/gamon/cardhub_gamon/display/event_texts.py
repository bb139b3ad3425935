"""What happened at a Gamon table, in sentences."""

from cardhub import Names
from cardhub_gamon.display.wording import coins, sentences
from cardhub_gamon.table import (
    BELIEVE,
    CALL,
    FIRST,
    GAMON,
    MOVE,
    PAY,
    PRIZE,
    REMOVE,
    SIDES,
    Table,
)


def tell(before: Table, action: int, after: Table, names: Names) -> list[str]:
    """Tell what a seat did, and all that came of it."""
    return [_deed(before, action, names), *sentences(after.news)]


def _deed(before: Table, action: int, names: Names) -> str:
    if action >= FIRST:
        return f"{SIDES[action - FIRST]} is to attack first"
    seat = before.seat
    player, other = f"{names.player(seat)} ({SIDES[seat]})", SIDES[1 - seat]
    if action < CALL:
        return f"{player} places {names.phrase(action)}"
    if action < GAMON:
        return f"{player} calls {action - CALL + 1}"
    if action == GAMON:
        return f"{player} cries GAMON! on {other}'s {before.called[1 - seat]}"
    if action == BELIEVE:
        return f"{player} believes {other}'s {before.called[1 - seat]}"
    return f"{player} {_handled(before, action, other)}"


def _handled(before: Table, action: int, other: str) -> str:
    """Return what somebody did with coins."""
    if action < MOVE:
        now = action - PRIZE + 1
        return f"{'raises' if now > before.prize else 'leaves'} the prize {_to(before, now)}"
    if action < REMOVE:
        return f"moves {coins(action - MOVE)} from {other}'s purse to the prize"
    if action < PAY:
        return f"removes {coins(action - REMOVE)} from the prize"
    return "pays a coin into the prize: +2 for the next card" if action > PAY else "pays nothing"


def _to(before: Table, now: int) -> str:
    return f"{'to' if now > before.prize else 'at'} {coins(now)}"
