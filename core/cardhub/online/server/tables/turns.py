"""Commands of clients to a game in play: who may send them, and who carries them out."""

import msgspec

from cardhub.online.server.tables.broadcasting.game_feeds import REPLACED
from cardhub.online.server.tables.table_context import Client, RefusedError, TableContext
from cardhub.play.history_entries import Note
from cardhub.play.host.turns.bot_turns import BotTurns
from cardhub.play.host.viewer_session import ViewerSession, change_pace
from cardhub.play.table_commands import (
    Act,
    AskHint,
    AskRetry,
    AskReview,
    ClientMessage,
    PaceCommand,
    PaceRequest,
    PlayForced,
    SetPace,
    TableCommand,
    Undo,
)

# The requests of an owner without a seat in a game of people: they only let the game go on.
HARMLESS: tuple[PaceRequest, ...] = ("resume", "retry", "wait")


class Turns:
    """Passes commands of clients to the sessions of their viewers, if the clients may send them."""

    def __init__(self, context: TableContext) -> None:
        self._context = context

    def send(self, client: Client, command: TableCommand) -> None:
        """Carry out a command, and send the answer to its client; raises RefusedError."""
        is_read = isinstance(command, PaceCommand) and command.command == "read"
        if isinstance(command, PaceCommand | SetPace) and not is_read:
            # Not by a session: an owner who only watches may not even see the game.
            self._check_pace(client, command)
            self._note_power(client, command)
            change_pace(self._context.playing, command)
        else:
            self._permitted(client, command).send(command, client.channel.send)

    def play_forced(self, client: Client, command: PlayForced) -> None:
        """Store whether turns with one legal action are played automatically, and do so now."""
        context = self._context
        seat = context.own_seat(client)
        chair = msgspec.structs.replace(context.chairs[seat], plays_forced=command.is_on)
        context.update_chair(seat, chair)
        host = context.host
        # A person has no view of a game that a bot began in the seat: then it is for later.
        if host is not None and seat in host.viewers:
            host.session(seat).send(command, client.channel.send)

    def _session(self, client: Client) -> ViewerSession:
        """Return the session of a client's viewer; raises RefusedError if it may not watch."""
        context = self._context
        if context.host is None or context.host.activity.failure is not None:
            raise RefusedError("no game is in progress")
        if not context.may_watch(client):
            raise RefusedError("spectators cannot watch at this table")
        try:
            return context.host.session(context.viewer_of(client.token))
        except ValueError:
            raise RefusedError(REPLACED) from None

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
            case AskReview() | AskRetry():
                self._context.own_seat(client)
                return self._session(client)
            case PaceCommand():
                # In a game of bots only, spectators acknowledge summaries. The last moment of a
                # game may be read after its end.
                context = self._context
                is_bots_game = not any(context.plays(seat) for seat in context.people())
                is_free = is_bots_game or context.stage == "over"
                return self._session(client) if is_free else self._own_session(client)
            case _:
                return self._session(client)

    def _check_pace(self, client: Client, command: PaceCommand | SetPace) -> None:
        """Raise RefusedError unless a client may change the pace of the game.

        The owner may. Every person with a seat may end a pause. An owner who only watches a game
        of people has no seat in whose name a power could be recorded.
        """
        context = self._context
        request = command.command if isinstance(command, PaceCommand) else None
        if request == "resume" and context.file.seat_of(client.token) is not None:
            return
        context.check_owner(client)
        if request not in HARMLESS:
            context.check_named(client)

    def _note_power(self, client: Client, command: PaceCommand | SetPace) -> None:
        """Note in record and log that a person uses a power over the bots of others' game."""
        context = self._context
        seat = context.file.seat_of(client.token)
        if seat is None or not context.people_besides(client):
            return
        note = _note_of(command, context.playing.turns)
        if note is not None:
            context.check_length()
            context.playing.note(seat, note)

    def _own_session(self, client: Client) -> ViewerSession:
        context = self._context
        seat = context.own_seat(client)
        if not context.playing.players[seat].is_human:
            raise RefusedError("a bot is playing for you. fix: take your seat back first")
        return self._session(client)


def _note_of(command: PaceCommand | SetPace, turns: BotTurns) -> Note | None:
    """Return the note on a command that changes what bots do, or None if it changes nothing."""
    if isinstance(command, SetPace):
        return "paced" if command.seconds != turns.pace else None
    match command.command:
        case "pause":
            return None if turns.is_paused else "paused"
        case "resume":
            return "resumed" if turns.is_paused else None
        case "stop" | "skip" | "step" if turns.thinking is None:
            return None
        case "stop":
            return "stopped"
        case "skip":
            return "stopped" if turns.is_unresponsive else "hurried"
        case "step":
            return "hurried"
    return None


def id_of(message: ClientMessage) -> int:
    """Return the id of a message for its refusal, or 0 if the message has no id."""
    return getattr(message, "id", 0)
