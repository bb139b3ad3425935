"""Messages about a running game, built from the session of their viewer."""

from bisect import bisect_left
from collections.abc import Sequence

import msgspec

from cardhub.play.host.viewer_session import ViewerSession
from cardhub.play.table_messages import LogMessage, TableMessage, TableStatus
from cardhub.view.view import LogLine


def table_message(session: ViewerSession) -> TableMessage:
    """Return the view of a session with everything that depends on it, for clients of a server.

    All clients of the viewer get the same message.
    """
    message = session.table_message()
    status, result = status_without_seconds(message.status), message.result
    if status is message.status and result is None:
        return message
    # Clients must not learn the server's file paths.
    public = None if result is None else msgspec.structs.replace(result, path="")
    return msgspec.structs.replace(message, status=status, result=public)


def status_without_seconds(status: TableStatus) -> TableStatus:
    """Return a status with 0 as the seconds that a bot has been thinking.

    The seconds change all the time, and the server would send each change to all clients.
    """
    if status.thinking is None:
        return status
    return msgspec.structs.replace(status, thinking=0.0)


def log_message(lines: Sequence[LogLine], since: int) -> LogMessage:
    """Return the lines of a log from a step on; step 0 stands for the whole log."""
    first = bisect_left(lines, since, key=lambda line: line.step)
    return LogMessage(since=since, lines=tuple(lines[first:]))


def first_change(old: Sequence[LogLine], new: Sequence[LogLine]) -> int | None:
    """Return the first step whose lines differ in two logs, or None if the logs are equal."""
    same = _count_same(old, new)
    steps = [log[same].step for log in (old, new) if same < len(log)]
    return min(steps) if steps else None


def _count_same(old: Sequence[LogLine], new: Sequence[LogLine]) -> int:
    """Return the length of the longest common prefix of two logs."""
    same, back = min(len(old), len(new)), 1
    # Compare from the end, because only the last lines of a long log change, and list comparison
    # runs in C.
    while same and old[:same] != new[:same]:
        same, back = max(same - back, 0), 2 * back
    for old_line, new_line in zip(old[same:], new[same:], strict=False):
        if old_line != new_line:
            break
        same += 1
    return same
