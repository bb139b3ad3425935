"""Messages on a game in progress, as functions of the session of their viewer."""

from bisect import bisect_left
from collections.abc import Sequence

import msgspec

from cardhub.online.wire.server_messages import (
    HintMessage,
    LogMessage,
    TableMessage,
)
from cardhub.play.session import Hint, Session, TableStatus
from cardhub.view.view import LogLine


def table_message(session: Session, *, is_forced: bool = False) -> TableMessage:
    """Return the view of a session with all that depends on it, for all clients of its viewer."""
    result = session.result()
    return TableMessage(
        view=session.view(),
        status=status_without_seconds(session.course()),
        why_no_undo=session.why_no_undo(),
        can_take_back=not session.why_no_takeback(),
        is_forced=is_forced,
        summaries=tuple(session.unread_summaries()),
        unseen=tuple(session.unseen()),
        # The record is a file of the server: its path is none of the clients' business.
        result=None if result is None else msgspec.structs.replace(result, path=""),
        seed=session.seed(),
    )


def status_without_seconds(status: TableStatus) -> TableStatus:
    """Return a status with 0 as the seconds that a bot has been thinking.

    The seconds change all the time, and each change would be sent to all clients.
    """
    if status.thinking is None:
        return status
    return msgspec.structs.replace(status, thinking=0.0)


def log_message(lines: Sequence[LogLine], since: int) -> LogMessage:
    """Return the lines of the log `Session.log()` from a step on, 0 for all of them."""
    first = bisect_left(lines, since, key=lambda line: line.step)
    return LogMessage(since=since, lines=tuple(lines[first:]))


def first_change(old: Sequence[LogLine], new: Sequence[LogLine]) -> int | None:
    """Return the first step whose lines differ in two logs, None if they are equal."""
    same = _count_same(old, new)
    steps = [log[same].step for log in (old, new) if same < len(log)]
    return min(steps) if steps else None


def _count_same(old: Sequence[LogLine], new: Sequence[LogLine]) -> int:
    """Return the number of lines with which both logs begin."""
    same, back = min(len(old), len(new)), 1
    # From the end: of a long log only the last lines have changed, and lists are compared in C.
    while same and old[:same] != new[:same]:
        same, back = max(same - back, 0), 2 * back
    for one, other in zip(old[same:], new[same:], strict=False):
        if one != other:
            break
        same += 1
    return same


def hint_message(answer: Hint | str) -> HintMessage:
    """Return a hint, or why there is none."""
    if isinstance(answer, str):
        return HintMessage(why_none=answer)
    return HintMessage(bot=answer.bot, rows=tuple(answer.rows), why=answer.why)
