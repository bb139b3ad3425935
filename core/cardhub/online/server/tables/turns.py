"""Commands of clients to a game in play: who may send them, and who carries them out."""

import msgspec

from cardhub.online.server.tables.table_context import Client, RefusedError, TableContext
from cardhub.play.host.viewer_session import ViewerSession, change_pace
from cardhub.play.table_commands import (
    Act,
    AskHint,
    ClientMessage,
    PaceCommand,
    PlayForced,
    SetPace,
    TableCommand,
    Undo,
)


class Turns:
    """Passes commands of clients to the sessions of their viewers, if the clients may send them."""

    def __init__(self, context: TableContext) -> None:
        self._context = context

    def send(self, client: Client, command: TableCommand) -> None:
        """Carry out a command, and send the answer to its client; raises RefusedError."""
        is_read = isinstance(command, PaceCommand) and command.command == "read"
        if isinstance(command, PaceCommand | SetPace) and not is_read:
            # Not by a session: an owner who only watches may not even see the game.
            self._context.check_owner(client)
            change_pace(self._context.playing, command)
        else:
            self._permitted(client, command).send(command, client.channel.send)

    def play_forced(self, client: Client, command: PlayForced) -> None:
        """Store whether turns with one legal action are played automatically, and do so now."""
        context = self._context
        seat = context.own_seat(client)
        chair = msgspec.structs.replace(context.chairs[seat], plays_forced=command.is_on)
        context.update_chair(seat, chair)
        if context.host is not None:
            context.host.session(seat).send(command, client.channel.send)

    def _session(self, client: Client) -> ViewerSession:
        """Return the session of a client's viewer; raises RefusedError if it may not watch."""
        context = self._context
        if context.host is None or context.host.activity.failure is not None:
            raise RefusedError("no game is in progress")
        if not context.may_watch(client):
            raise RefusedError("spectators cannot watch at this table")
        return context.host.session(context.viewer_of(client.token))

    def _permitted(self, client: Client, command: TableCommand) -> ViewerSession:
        """Return the session that carries out a command; raises RefusedError."""
        match command:
            case Act():
                return self._own_session(client)
            case Undo():
                self._context.check_length()
                return self._own_session(client)
            case AskHint(request=request):
                session = self._own_session(client)
                if request == "ask":
                    self._context.check_length()
                return session
            case PaceCommand():
                return self._reader(client)
            case _:
                return self._session(client)

    def _reader(self, client: Client) -> ViewerSession:
        """Return the session whose summaries a client has read.

        In a game of bots only, spectators acknowledge summaries.
        """
        context = self._context
        is_bots_game = not any(context.plays(seat) for seat in context.people())
        return self._session(client) if is_bots_game else self._own_session(client)

    def _own_session(self, client: Client) -> ViewerSession:
        context = self._context
        seat = context.own_seat(client)
        if not context.playing.players[seat].is_human:
            raise RefusedError("a bot is playing for you. fix: take your seat back first")
        return self._session(client)


def id_of(message: ClientMessage) -> int:
    """Return the id of a message for its refusal, or 0 if the message has no id."""
    return getattr(message, "id", 0)
