"""Models behind the wire that get the messages of a local table, byte by byte."""

from collections.abc import Sequence

from tests.play.host.conftest import Table

from cardhub.online.remote.remote_link import RemoteLink
from cardhub.online.remote.table_connection import decode_untrusted
from cardhub.online.wire.client_messages import AnyClientMessage
from cardhub.online.wire.server_messages import AnyServerMessage
from cardhub.online.wire.session_messages import first_change, log_message, table_message
from cardhub.online.wire.wire_codec import decode_client, encode_message
from cardhub.play.table_commands import AskHint, PaceCommand, TableCommand
from cardhub.play.table_messages import GameInfo, GameMessage, TableMessage
from cardhub.play.table_model import TableModel
from cardhub.view.view import LogLine


class Mirror:
    """The model of a viewer behind the wire of a local table, which answers without delay."""

    def __init__(self, at: Table, viewer: int) -> None:
        self.at = at
        self.local: TableModel = at.host.model(viewer)
        self.sent: list[AnyClientMessage] = []
        self.is_answered = True
        self._session = at.host.session(viewer)
        self._lines: Sequence[LogLine] = ()
        game, table = through(self._game()), through(self.table_message())
        assert isinstance(game, GameInfo)
        assert isinstance(table, TableMessage)
        self.link = RemoteLink(game, table, self._send, at.clock.now)
        self.remote = TableModel(self.link)
        self.follow()

    def table_message(self) -> TableMessage:
        """Return the message of the table, as a server builds it."""
        return table_message(self._session)

    def follow(self) -> None:
        """Send the view, and the part of the log that has changed."""
        lines = self.local.log()
        since = first_change(self._lines, lines)
        self._lines = list(lines)
        self.deliver(self.table_message())
        if since is not None:
            self.deliver(log_message(lines, since))

    def deliver(self, message: GameMessage) -> None:
        """Pass a message of the server through the wire to the model."""
        received = through(message)
        assert isinstance(received, GameMessage)
        self.link.receive(received)
        self.remote.outdate()

    def answer(self, command: TableCommand) -> None:
        """Carry out a command as a server does."""
        self._session.send(command, self.deliver)
        self.at.clock.wait()
        self.follow()

    def _send(self, command: TableCommand) -> None:
        self.sent.append(command)
        if self.is_answered:
            received = decode_client(encode_message(command))
            assert isinstance(received, TableCommand)
            if not isinstance(received, AskHint | PaceCommand):
                self.answer(received)

    def _game(self) -> GameInfo:
        game = self.at.host
        return GameInfo(
            game=game.game,
            title=game.title,
            number=1,
            catalogue=self.local.catalogue,
            rules=self.local.rules(),
            levels=(),
        )


def through(message: AnyServerMessage) -> AnyServerMessage:
    """Return a message as it comes from the wire."""
    return decode_untrusted(encode_message(message))
