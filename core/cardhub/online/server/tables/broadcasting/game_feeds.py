"""The view and the log of each viewer, encoded once for all clients of this viewer."""

import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cardhub.online.server.tables.table_context import FAULT, Client, TableContext
from cardhub.online.wire.session_messages import first_change, log_message, table_message
from cardhub.online.wire.wire_codec import encode_message
from cardhub.play.host.table_host import Host
from cardhub.play.table_messages import Refused, TableMessage
from cardhub.view.view import LogLine

LOG = logging.getLogger("cardhub.online.server")
REPLACED = "a bot is playing for you in this game. fix: take your seat back"
# In seconds: the delay of callbacks from which a server is overloaded, and the delay of updates to
# inactive viewers on such a server. They see fewer steps, and active players need not wait.
BUSY, PATIENCE = 0.005, 0.25


@dataclass
class _Feed:
    """The last messages to the clients of one viewer: the table, and the end of the log.

    `lines`: the lines after the first `settled` lines, which no longer change.
    """

    table: TableMessage | None = None
    lines: Sequence[LogLine] | None = None
    settled: int = 0


class GameFeeds:
    """Sends changes of the game to the clients of each viewer.

    On an overloaded server, the player who acted and the player to act get updates immediately.
    All other viewers get one update a little later, with all changes until then.
    """

    def __init__(self, context: TableContext) -> None:
        self._context = context
        self._feeds: dict[int, _Feed] = {}
        self._host: Host | None = None
        self._is_changed = True
        # The viewers who know that they have no view of this game.
        self._explained: set[int] = set()
        # The viewers without the last change, and the seats to act before it.
        self._behind: set[int] = set()
        self._seats: set[int] = set()
        self._is_waiting = self._is_due = False

    def changed(self) -> None:
        """Mark the game as changed."""
        self._is_changed = True

    def show(self, clients: Iterable[Client]) -> None:
        """Send the changes to clients that may watch."""
        host = self._context.host
        if host is not self._host:
            self._host, self._is_changed = host, True
            self._feeds.clear()
            self._explained.clear()
        # After a failure the state is ahead of the record and must not be published.
        if host is None or host.activity.failure is not None:
            return
        groups = defaultdict(list)
        for client in clients:
            groups[client.viewer].append(client)
        if self._is_changed:
            self._behind = {*groups}
        waiting = self._can_wait(host)
        for viewer, group in groups.items():
            is_new = any(client.is_new for client in group)
            if is_new or (viewer in self._behind and viewer not in waiting):
                self._try_to_show(host, viewer, group)
                self._behind.discard(viewer)
        self._feeds = {viewer: self._feeds[viewer] for viewer in groups if viewer in self._feeds}
        self._behind &= groups.keys()
        self._is_changed = False
        if self._behind and not self._is_waiting:
            self._is_waiting = True
            self._context.later(PATIENCE, self._catch_up)

    def _can_wait(self, host: Host) -> set[int]:
        """Return the viewers whose update may be delayed; empty after the game ends."""
        seats = set(host.choices.asked)
        acting, self._seats = self._seats | seats, seats
        is_due, self._is_due = self._is_due, False
        if is_due or host.is_over or self._context.scheduler.late < BUSY:
            return set()
        return self._behind - acting

    def _catch_up(self) -> None:
        self._is_waiting, self._is_due = False, True
        self._context.game_changed()

    def _try_to_show(self, host: Host, viewer: int, clients: Sequence[Client]) -> None:
        """Send the game to a viewer; report an exception of its code to this viewer only."""
        if viewer not in self._feeds and viewer not in host.viewers:
            self._explain_absence(viewer, clients)
            return
        try:
            self._show_to(host, viewer, clients)
        except Exception:
            LOG.exception("table %s cannot be shown to viewer %d", self._context.file.table, viewer)
            self._feeds.pop(viewer, None)
            for client in clients:
                client.channel.send(Refused(why=FAULT))

    def _explain_absence(self, viewer: int, clients: Sequence[Client]) -> None:
        """Send the reason why a person has no view, because a bot began the game in their seat."""
        for client in clients:
            if client.is_new or viewer not in self._explained:
                client.channel.send(Refused(why=REPLACED))
        self._explained.add(viewer)

    def _show_to(self, host: Host, viewer: int, clients: Sequence[Client]) -> None:
        session, feed = host.session(viewer), self._feeds.setdefault(viewer, _Feed())
        table = table_message(session)
        is_same, (lines, settled) = table == feed.table, session.log_tail(feed.settled)
        # All lines are replaced in a new game, or after a rollback to the record.
        since = 0 if feed.lines is None else first_change(feed.lines, lines)
        news = None if since is None else encode_message(log_message(lines, since))
        is_shown = not is_same or any(client.is_new for client in clients)
        data = encode_message(table) if is_shown else b""
        for client in clients:
            if client.is_new:
                whole = session.log()
                client.channel.send(log_message(whole, self._first_missing(client, whole)))
                client.channel.show(data)
                continue
            # The log goes first, because a client draws a view with its lines.
            if news is not None:
                client.channel.send(news)
            if not is_same:
                client.channel.show(data)
        feed.table, feed.lines = table, lines[settled - feed.settled :]
        feed.settled = settled

    def _first_missing(self, client: Client, lines: Sequence[LogLine]) -> int:
        """Return the step from which a reconnecting client lacks lines, or 0 for all lines."""
        is_same_game = client.number == self._context.file.number
        has_lines = is_same_game and lines and client.last_step <= lines[-1].step
        # Lines since the viewer's last action are marked as new, and the marks may have changed.
        first_new = next((line.step for line in lines if line.is_new), client.last_step)
        return min(client.last_step, first_new) if has_lines else 0
