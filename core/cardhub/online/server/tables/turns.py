"""Actions and questions of clients in a game."""

import msgspec

from cardhub.online.server.tables.table_context import Client, RefusedError, TableContext
from cardhub.online.wire.client_messages import AnyClientMessage
from cardhub.online.wire.session_messages import hint_message
from cardhub.play.host.local_session import LocalSession
from cardhub.play.session import OnReply
from cardhub.play.table_commands import (
    Act,
    AskConsequence,
    AskExplain,
    AskHint,
    AskPast,
    AskWhy,
    PaceCommand,
    PlayForced,
    SetPace,
    Undo,
)
from cardhub.play.table_messages import AnswerMessage, PastView, Refused


class Turns:
    """Passes messages of clients to the sessions of their viewers."""

    def __init__(self, context: TableContext) -> None:
        self._context = context

    def act(self, client: Client, message: Act) -> None:
        """Execute an action."""
        session = self._own_session(client)
        session.act(message.action, message.rev, _refusal_of(client, message))

    def undo(self, client: Client, message: Undo) -> None:
        """Take the last action back."""
        self._context.check_length()
        self._own_session(client).undo(_refusal_of(client, message))

    def hint(self, client: Client, message: AskHint) -> None:
        """Ask for a hint."""
        session = self._own_session(client)
        if message.request != "ask" and session.viewer != self._context.playing.seat:
            return  # another person asked for the pending hint
        if message.request == "hurry":
            session.hurry_hint()
        elif message.request == "cancel":
            session.cancel_hint()
        else:
            self._context.check_length()
            session.hint(lambda hint: client.channel.send(hint_message(hint)))

    def explain(self, client: Client, message: AskExplain) -> None:
        """Describe a spot."""
        self.session(client).explain(message.spot, _answer_to(client, message.id))

    def why(self, client: Client, message: AskWhy) -> None:
        """Explain why a spot or a typed text is not a legal action."""
        self.session(client).why_not(message.subject, _answer_to(client, message.id))

    def consequence(self, client: Client, message: AskConsequence) -> None:
        """Describe the consequence of an action."""
        self.session(client).consequence(message.action, _answer_to(client, message.id))

    def past(self, client: Client, message: AskPast) -> None:
        """Send the view at a past step."""
        host, session = self._context.host, self.session(client)
        if host is None or message.step > host.step:
            client.channel.send(PastView(id=message.id, view=None))
            return
        session.view_at(
            message.step, lambda view: client.channel.send(PastView(id=message.id, view=view))
        )

    def command(self, client: Client, message: PaceCommand) -> None:
        """Execute a pace command: `read` for the client's person, all others for the owner only."""
        if message.command == "read":
            self._reader(client).request("read")
        else:
            self._context.check_owner(client)
            self._context.playing.request(message.command)

    def set_pace(self, client: Client, message: SetPace) -> None:
        """Set the pace of bots."""
        self._context.check_owner(client)
        host = self._context.playing
        host.turns.set_pace(message.seconds)
        host.notify()

    def play_forced(self, client: Client, message: PlayForced) -> None:
        """Choose whether turns with one legal action are played automatically."""
        context = self._context
        seat = context.own_seat(client)
        chair = msgspec.structs.replace(context.chairs[seat], plays_forced=message.is_on)
        context.update_chair(seat, chair)
        if context.host is not None:
            context.host.session(seat).play_only_choices(message.is_on)
            context.host.notify()

    def session(self, client: Client) -> LocalSession:
        """Return the session of a client's viewer; raises RefusedError if it may not watch."""
        context = self._context
        if context.host is None or context.host.failure is not None:
            raise RefusedError("no game is in progress")
        if not context.may_watch(client):
            raise RefusedError("spectators cannot watch at this table")
        return context.host.session(context.viewer_of(client.token))

    def _reader(self, client: Client) -> LocalSession:
        """Return the session whose summaries a client has read.

        In a game of bots only, spectators acknowledge summaries.
        """
        context = self._context
        is_bots_game = not any(context.plays(seat) for seat in context.people())
        return self.session(client) if is_bots_game else self._own_session(client)

    def _own_session(self, client: Client) -> LocalSession:
        context = self._context
        seat = context.own_seat(client)
        if not context.playing.players[seat].is_human:
            raise RefusedError("a bot is playing for you. fix: take your seat back first")
        return self.session(client)


def id_of(message: AnyClientMessage) -> int:
    """Return the id of a message for its refusal, or 0 if the message has no id."""
    return getattr(message, "id", 0)


def _refusal_of(client: Client, message: AnyClientMessage) -> OnReply:
    return lambda why: client.channel.send(Refused(why=why, id=id_of(message)))


def _answer_to(client: Client, number: int) -> OnReply:
    return lambda text: client.channel.send(AnswerMessage(id=number, text=text))
