"""The view and the log of every viewer, encoded once and sent to all of its clients."""

import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cardhub.model.table.state import OVER
from cardhub.online.server.tables.table_context import FAULT, Client, TableContext
from cardhub.online.wire.server_messages import Refused, TableMessage
from cardhub.online.wire.session_messages import first_change, log_message, table_message
from cardhub.online.wire.wire_codec import encode_message
from cardhub.play.host.table_host import Host
from cardhub.view.view import LogLine

LOG = logging.getLogger("cardhub.online.server")
# Seconds by which a broadcast is late on a server that has too much to do, and those that viewers
# who need not act wait there: they see fewer steps, so that others need not wait for their turn.
BUSY, PATIENCE = 0.005, 0.25


@dataclass
class _Feed:
    """The last messages to the clients of one viewer: the table, and the end of the log.

    `lines` are those after the first `settled`, which do not change any more.
    """

    table: TableMessage | None = None
    lines: Sequence[LogLine] | None = None
    settled: int = 0


class GameFeeds:
    """Tells the clients of each viewer what is new in the game.

    While the server is behind, who acted and who is to act is told at once. All others are told
    together a little later, whatever has happened by then.
    """

    def __init__(self, context: TableContext) -> None:
        self._context = context
        self._feeds: dict[int, _Feed] = {}
        self._host: Host | None = None
        self._is_changed = True
        # The viewers who have not been told of the last change, and the seat to act before it.
        self._behind: set[int] = set()
        self._seat = OVER
        self._is_waiting = self._is_due = False

    def changed(self) -> None:
        """Note that the game has changed."""
        self._is_changed = True

    def show(self, clients: Iterable[Client]) -> None:
        """Send clients that may watch what is new to them."""
        host = self._context.host
        if host is not self._host:
            self._host, self._is_changed = host, True
            self._feeds.clear()
        # After a failure the state is ahead of the record: it must not be told to anybody.
        if host is None or host.failure is not None:
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
        self._catch_up_later()

    def _can_wait(self, host: Host) -> set[int]:
        """Return the viewers who are told later; nobody once the game is over."""
        acting, self._seat = {self._seat, host.seat}, host.seat
        is_due, self._is_due = self._is_due, False
        if is_due or host.is_over or self._context.scheduler.late < BUSY:
            return set()
        return self._behind - acting

    def _catch_up_later(self) -> None:
        if self._behind and not self._is_waiting:
            self._is_waiting = True
            self._context.later(PATIENCE, self._catch_up)

    def _catch_up(self) -> None:
        self._is_waiting, self._is_due = False, True
        self._context.game_changed()

    def _try_to_show(self, host: Host, viewer: int, clients: Sequence[Client]) -> None:
        """Show the game to a viewer; an exception of its code is told to this viewer only."""
        try:
            self._show_to(host, viewer, clients)
        except Exception:
            LOG.exception("table %s cannot be shown to viewer %d", self._context.file.table, viewer)
            self._feeds.pop(viewer, None)
            for client in clients:
                client.visitor.send(Refused(why=FAULT))

    def _show_to(self, host: Host, viewer: int, clients: Sequence[Client]) -> None:
        session, feed = host.session(viewer), self._feeds.setdefault(viewer, _Feed())
        table = table_message(session, is_forced=viewer in host.only_choice_seats)
        is_same, tail = table == feed.table, session.log_tail(feed.settled)
        # The lines of another game, or of one that went back to its record, are all replaced.
        since = 0 if feed.lines is None else first_change(feed.lines, tail.lines)
        news = None if since is None else encode_message(log_message(tail.lines, since))
        is_shown = not is_same or any(client.is_new for client in clients)
        data = encode_message(table) if is_shown else b""
        for client in clients:
            if client.is_new:
                lines = session.log()
                client.visitor.send(log_message(lines, self._known(client, lines)))
                client.visitor.show(data)
                continue
            # The log first: a client draws a view with its lines.
            if news is not None:
                client.visitor.send(news)
            if not is_same:
                client.visitor.show(data)
        feed.table, feed.lines = table, tail.lines[tail.settled - feed.settled :]
        feed.settled = tail.settled

    def _known(self, client: Client, lines: Sequence[LogLine]) -> int:
        """Return the step from which a client that connects again lacks lines, 0 for all."""
        is_same_game = client.number == self._context.file.number
        is_known = is_same_game and lines and client.heard <= lines[-1].step
        # Lines since the viewer's last action are marked as new, so their marks may have changed.
        first_new = next((line.step for line in lines if line.is_new), client.heard)
        return min(client.heard, first_new) if is_known else 0
