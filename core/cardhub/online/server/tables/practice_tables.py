"""Practice at a server: people take decisions of their reviews again, and play on with bots.

A practice table has no record and no other viewers. It ends with the connection of its person, and
with the next game of the table.
"""

from dataclasses import dataclass, field

from cardhub.model.hidden.observation import EVERYTHING
from cardhub.online.server.client import ClientChannel
from cardhub.online.server.tables.table_context import Client, RefusedError, TableContext
from cardhub.online.server.tables.table_game import TableGame
from cardhub.online.wire.client_messages import BeginPractice, EndPractice, InPractice
from cardhub.online.wire.server_messages import PracticeUpdate
from cardhub.online.wire.session_messages import first_change, log_message, table_message
from cardhub.play.host.practice import NO_PRACTICE, PracticeHost
from cardhub.play.host.table_host import Host
from cardhub.play.host.viewer_session import NOT_REVIEWED, ViewerSession
from cardhub.play.table_messages import GameMessage, TableMessage
from cardhub.view.view import LogLine


@dataclass(eq=False)
class _Practice:
    """The practice table of a client, and the last messages about it.

    `game`: the host of the finished game.
    """

    game: Host
    host: PracticeHost
    session: ViewerSession
    channel: ClientChannel
    table: TableMessage | None = None
    lines: list[LogLine] = field(default_factory=list)

    def send(self, message: GameMessage) -> None:
        """Send a message about the practice table."""
        self.channel.send(PracticeUpdate(message=message, verdict=self.host.practice.comment()))

    def show(self) -> None:
        """Send what has changed: the log first, because a client draws a view with its lines."""
        lines = list(self.session.log())
        since = 0 if self.table is None else first_change(self.lines, lines)
        if since is not None:
            self.lines = lines
            self.send(log_message(lines, since))
        table = table_message(self.session)
        if table != self.table:
            self.table = table
            self.send(table)


class PracticeTables:
    """The practice tables at the end of a table's game, at most one for each person."""

    def __init__(self, context: TableContext, game: TableGame) -> None:
        self._context = context
        self._game = game
        self._practices: dict[int, _Practice] = {}

    def begin(self, client: Client, message: BeginPractice) -> None:
        """Open a practice table at a decision of the client's review; raises CardhubError."""
        host, seat = self._context.host, self._context.own_seat(client)
        if host is None or not host.is_over or seat not in host.viewers:
            raise RefusedError("the game is not over. fix: play to its end first")
        if EVERYTHING not in host.viewers:
            raise RefusedError(NO_PRACTICE)
        decision = host.session(seat).find_costly(message.step)
        if decision is None:
            raise RefusedError(NOT_REVIEWED)
        self._end(seat)
        opener = self._game.practice_opener(host)
        table = opener.practise(host.replay(seat), seat, decision)
        practice = _Practice(host, table, table.session(seat), client.channel)
        self._practices[seat] = practice
        table.subscribe(lambda: self._show(seat))
        practice.show()
        table.begin()

    def send(self, client: Client, message: InPractice) -> None:
        """Carry out a command at the practice table of a client; raises CardhubError."""
        practice = self._practices.get(self._context.own_seat(client))
        if practice is None or practice.channel is not client.channel:
            raise RefusedError("you are not practising now. fix: try a move of the review again")
        practice.session.send(message.command, practice.send)

    def end(self, client: Client, _: EndPractice) -> None:
        """Close the practice table of a client."""
        self.leave(client.channel)

    def leave(self, channel: ClientChannel) -> None:
        """Close the practice table of a client that is leaving."""
        for seat, practice in [*self._practices.items()]:
            if practice.channel is channel:
                self._end(seat)

    def follow(self) -> None:
        """Close all practice tables of an earlier game."""
        for seat, practice in [*self._practices.items()]:
            if practice.game is not self._context.host:
                self._end(seat)

    def close(self) -> None:
        """Close all practice tables."""
        for seat in [*self._practices]:
            self._end(seat)

    def _show(self, seat: int) -> None:
        practice = self._practices.get(seat)
        if practice is None:
            return
        if practice.host.step > self._context.services.limits.steps:
            self._end(seat)
        else:
            practice.show()

    def _end(self, seat: int) -> None:
        practice = self._practices.pop(seat, None)
        if practice is not None:
            practice.channel.send(PracticeUpdate(message=None))
            practice.host.close()
