"""Remote sessions that get the messages of a local one, byte by byte."""

from collections.abc import Sequence
from typing import TypeVar

from tests.play.host.conftest import Table

from cardhub.online.remote.remote_session import RemoteSession
from cardhub.online.remote.table_connection import decode_untrusted
from cardhub.online.wire.client_messages import AnyClientMessage
from cardhub.online.wire.server_messages import AnyServerMessage
from cardhub.online.wire.session_messages import first_change, log_message, table_message
from cardhub.online.wire.wire_codec import decode_client, encode_message
from cardhub.play.host.local_session import LocalSession
from cardhub.play.table_commands import Act, AskConsequence, AskExplain, AskPast, AskWhy, Undo
from cardhub.play.table_messages import (
    AnswerMessage,
    GameInfo,
    LogMessage,
    PastView,
    Refused,
    TableMessage,
)
from cardhub.view.view import LogLine

M = TypeVar("M", AnswerMessage, PastView, Refused)


class Mirror:
    """The remote session of a viewer at a local table, which answers without delay."""

    def __init__(self, at: Table, viewer: int) -> None:
        self.at = at
        self.local: LocalSession = at.host.session(viewer)
        self.sent: list[AnyClientMessage] = []
        self.is_answered = True
        self._lines: Sequence[LogLine] = ()
        game, table = through(self._game()), through(table_message(self.local))
        assert isinstance(game, GameInfo)
        assert isinstance(table, TableMessage)
        self.remote = RemoteSession(game, table, self._send, at.clock.now)
        self.follow()

    def follow(self) -> None:
        """Send the view, and the part of the log that has changed."""
        lines = self.local.log()
        since = first_change(self._lines, lines)
        self._lines = list(lines)
        table = through(table_message(self.local))
        assert isinstance(table, TableMessage)
        self.remote.show(table)
        if since is not None:
            log = through(log_message(lines, since))
            assert isinstance(log, LogMessage)
            self.remote.add_log(log)

    def answer(self, message: AnyClientMessage) -> None:
        """Answer a message as a server does."""
        local, remote = self.local, self.remote

        def refuse(why: str) -> None:
            refusal = _passed(Refused(why=why, id=getattr(message, "id", 0)))
            remote.refuse(refusal.why, refusal.id)

        match message:
            case Act():
                local.act(message.action, message.rev, refuse)
            case Undo():
                local.undo(refuse)
            case AskExplain():
                local.explain(message.spot, lambda text: self._tell(message.id, text))
            case AskWhy():
                local.why_not(message.subject, lambda text: self._tell(message.id, text))
            case AskConsequence():
                local.consequence(message.action, lambda text: self._tell(message.id, text))
            case AskPast():
                local.view_at(
                    message.step,
                    lambda view: remote.show_past(_passed(PastView(id=message.id, view=view))),
                )
            case _:
                return
        self.at.clock.wait()
        self.follow()

    def _send(self, message: AnyClientMessage, _key: str) -> None:
        self.sent.append(message)
        if self.is_answered:
            self.answer(decode_client(encode_message(message)))

    def _tell(self, number: int, text: str) -> None:
        self.remote.answer(_passed(AnswerMessage(id=number, text=text)))

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


def _passed(message: M) -> M:
    got = through(message)
    assert isinstance(got, type(message))
    return got
