"""A practice table at a server, apart from its client because it has a model of its own."""

from collections.abc import Callable

from cardhub.online.remote.remote_link import RemoteLink
from cardhub.online.wire.client_messages import InPractice
from cardhub.online.wire.server_messages import PracticeUpdate
from cardhub.online.wire.wire_codec import WireError
from cardhub.play.table_commands import PracticeCommand, TableCommand
from cardhub.play.table_messages import GameInfo, LogMessage, TableMessage
from cardhub.play.table_model import OnText, TableModel


class RemotePractice:
    """The model of a practice table, None before its first view; `verdict` is about the choice.

    `send_message` sends a message to the server; `now`: a function that returns the time in
    seconds. `on_notice` is called with refusals.
    """

    def __init__(
        self,
        send_message: Callable[[InPractice], object],
        now: Callable[[], float],
        on_notice: OnText,
    ) -> None:
        self.model: TableModel | None = None
        self.verdict = ""
        self._link: RemoteLink | None = None
        self._early_log: LogMessage | None = None
        self._send_message = send_message
        self._now = now
        self._on_notice = on_notice

    def receive(self, update: PracticeUpdate, game: GameInfo | None) -> None:
        """Adopt a message about the practice table; raises WireError."""
        message, self.verdict = update.message, update.verdict
        if message is None:
            self.close()
        elif self._link is not None and self.model is not None:
            self._link.receive(message)
            self.model.outdate()
        elif isinstance(message, LogMessage):
            self._early_log = message
        elif isinstance(message, TableMessage):
            if game is None:
                raise WireError("a practice table before its game")
            self._open(message, game)

    def close(self) -> None:
        """Forget the practice table."""
        self.model = self._link = self._early_log = None

    def _open(self, table: TableMessage, game: GameInfo) -> None:
        self._link = RemoteLink(game, table, self._send, self._now)
        self.model = TableModel(self._link)
        self.model.on_notice = self._on_notice
        log, self._early_log = self._early_log, None
        if log is not None:
            self._link.receive(log)

    def _send(self, command: TableCommand) -> None:
        if isinstance(command, PracticeCommand):
            self._send_message(InPractice(command=command))
