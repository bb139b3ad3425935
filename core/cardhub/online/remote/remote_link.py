"""A viewer's link to a game at a server: the latest messages, and what the server leaves out."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from cardhub.model.game.scene import Summary
from cardhub.online.remote.view_checks import check_view
from cardhub.online.wire.wire_codec import WireError
from cardhub.play.table_commands import PaceCommand, TableCommand
from cardhub.play.table_messages import (
    GameInfo,
    GameMessage,
    LogMessage,
    OnReply,
    PastView,
    TableMessage,
    TableStatus,
)
from cardhub.view.view import CardCatalogue, LogLine

# The maximum length of a log, in lines.
MOST_LINES = 100_000


class RemoteLink:
    """The link of one viewer to one game at a server.

    `send_message` sends a command to the server; `now`: a function that returns the time in
    seconds. Messages are checked before a front end gets them, because it draws what they say.
    """

    def __init__(
        self,
        game: GameInfo,
        table: TableMessage,
        send_message: Callable[[TableCommand], object],
        now: Callable[[], float],
    ) -> None:
        check_view(table.view, game.catalogue)
        self.viewer = table.view.viewer
        self._game = game
        self._table = table
        self._send_message = send_message
        self._now = now
        self._lines: list[LogLine] = []
        # Summaries that are acknowledged, until the server knows it.
        self._read: tuple[Summary, ...] = ()
        self._thinking_since = now()
        self._on_reply: OnReply = lambda message: None

    @property
    def catalogue(self) -> CardCatalogue:
        """All faces and backs of the game."""
        return self._game.catalogue

    def rules(self) -> str:
        """Return the rules of the game and the options in use, in Markdown."""
        return self._game.rules

    def table_message(self) -> TableMessage:
        """Return the latest view, without acknowledged summaries."""
        if not self._read:
            return self._table
        return replace(self._table, summaries=self._table.summaries[len(self._read) :])

    def status(self) -> TableStatus:
        """Return the latest status, with the seconds for which a bot has been thinking."""
        status = self._table.status
        if status.thinking is None:
            return status
        # The server reports that a bot is thinking, but not since when.
        elapsed = self._now() - self._thinking_since
        return replace(status, thinking=status.thinking + elapsed)

    def log(self, since: int = 0) -> Sequence[LogLine]:
        """Return the lines of the log of the steps after `since`; by default all lines."""
        return [line for line in self._lines if line.step > since] if since else self._lines

    def last_step(self) -> int:
        """Return the number of the last step of the log, or 0 if the log is empty."""
        return self._lines[-1].step if self._lines else 0

    def send(self, command: TableCommand, on_reply: OnReply) -> None:
        """Send a command to the server; all replies of this game go to `on_reply`."""
        if isinstance(command, PaceCommand) and command.command == "read":
            self._read = self._table.summaries
        self._on_reply = on_reply
        self._send_message(command)

    def change_game(self, game: GameInfo) -> None:
        """Adopt the game's description after a reconnect; raises WireError."""
        check_view(self._table.view, game.catalogue)
        self._game = game

    def receive(self, message: GameMessage) -> None:
        """Adopt a message, or pass it on as a reply.

        Raises WireError if a view cannot be drawn, or the log gets too long.
        """
        match message:
            case TableMessage():
                self._show(message)
            case LogMessage():
                self._add_log(message)
            case _:
                if isinstance(message, PastView) and message.view is not None:
                    check_view(message.view, self._game.catalogue)
                self._on_reply(message)

    def _show(self, table: TableMessage) -> None:
        for view in (table.view, *(beat.view for beat in table.beats)):
            check_view(view, self._game.catalogue)
        if table.view.viewer != self.viewer:
            raise WireError("a view of another viewer")
        is_next = self._table.view.revision != table.view.revision
        if is_next or self._table.status.thinking is None:
            self._thinking_since = self._now()
        self._table = table
        if self._read != table.summaries[: len(self._read)]:
            self._read = ()

    def _add_log(self, message: LogMessage) -> None:
        """Replace the end of the log."""
        earlier = [line for line in self._lines if line.step < message.since]
        if len(earlier) + len(message.lines) > MOST_LINES:
            raise WireError("the log is too long")
        self._lines = [*earlier, *message.lines]
