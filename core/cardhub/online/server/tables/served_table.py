"""A table of a server: handles the messages of its clients, and connects its network bots."""

import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import msgspec
from typing_extensions import override

from cardhub.base.errors import CardhubError, RecordError
from cardhub.online.server.bots.network_bot import NetworkBot
from cardhub.online.server.client import ClientChannel
from cardhub.online.server.table_interface import TableInterface
from cardhub.online.server.tables.broadcasting.broadcasts import Broadcasts
from cardhub.online.server.tables.broadcasting.game_feeds import GameFeeds
from cardhub.online.server.tables.broadcasting.offers import table_offer, table_state
from cardhub.online.server.tables.members.away import AwayPlayers
from cardhub.online.server.tables.members.chat_lines import Chat
from cardhub.online.server.tables.members.consent import Newcomers, Takebacks
from cardhub.online.server.tables.members.seating import (
    FULL,
    TOO_MANY_WINDOWS,
    Rematches,
    Seating,
    excess_window,
    reissue,
)
from cardhub.online.server.tables.practice_tables import PracticeTables
from cardhub.online.server.tables.storage.table_store import TableFile
from cardhub.online.server.tables.table_clock import TableClock
from cardhub.online.server.tables.table_context import (
    FAULT,
    Client,
    RefusedError,
    TableContext,
    TableServices,
)
from cardhub.online.server.tables.table_game import RecordGuard, TableGame
from cardhub.online.server.tables.table_setup import set_up
from cardhub.online.server.tables.turns import Turns, id_of
from cardhub.online.wire import client_messages as m
from cardhub.online.wire.server_messages import TableState
from cardhub.online.wire.wire_codec import TableOffer
from cardhub.play import table_commands as c
from cardhub.play.table_messages import Refused
from cardhub.play.workers.bot_messages import NETWORK

LOG = logging.getLogger("cardhub.online.server")
# The commands that only a session carries out.
COMMANDS = (
    c.Undo,
    c.AskHint,
    c.AskReview,
    c.AskExplain,
    c.AskWhy,
    c.AskConsequence,
    c.AskPast,
    c.AskRetry,
    c.PaceCommand,
    c.SetPace,
)
HALTED = "The code of this game failed, so the game has stopped at its last step."
FULL_DISK = ". fix: ask the host of the server whether its disk is full, then try again"
GONE = "this link is no longer valid. fix: open the table without it, or ask its owner"


class ServedTable(TableInterface):
    """A table with its clients, in one thread. An error in a client's message affects only it."""

    def __init__(self, file: TableFile, services: TableServices) -> None:
        self.context = TableContext(file, services)
        self._scheduler = self.context.scheduler
        self._scheduler.on_error = self._fail
        self._left_at = self._scheduler.now()
        feeds, chat = GameFeeds(self.context), Chat(self.context)
        self._broadcasts = Broadcasts(self.context, feeds, chat)
        self.context.broadcast = self._broadcast
        self._network = NetworkSeats(self.context)
        self.context.on_update = self._network.follow
        guard = RecordGuard(self.context, self._scheduler)
        self._game = TableGame(self.context, self._network.clients, guard)
        self._seating = Seating(self.context, self._game, self._broadcasts)
        self._away = AwayPlayers(self.context, self._seating)
        self._clock = TableClock(self.context, self._away.on_timeout)
        self._game.prepare = self._clock.attach
        self._takebacks = Takebacks(self.context)
        self._newcomers = Newcomers(self.context, self._seating)
        self._rematches = Rematches(self.context, self._seating)
        self._turns = Turns(self.context)
        self._practices = PracticeTables(self.context, self._game)
        self._chat = chat
        self._game.listeners += [
            feeds.changed,
            self._clock.game_changed,
            self._away.game_changed,
            self._discard_obsolete,
            self._practices.follow,
        ]
        self._receivers = self._by_message()

    def load(self) -> None:
        """Continue the game of the table after a restart; raises CardhubError."""
        self._network.follow()
        self._game.load()
        self._away.load()
        self._takebacks.load()

    def enter(self, channel: ClientChannel, message: m.Enter) -> bool:
        """Greet a client and return True; close it and return False if its token is unknown."""
        holder = self.context.file.holder_of(message.token)
        if message.token and not holder:
            channel.close(GONE)
            return False
        if (oldest := excess_window(self.context, holder)) is not None:
            self.leave(oldest)
            oldest.close(TOO_MANY_WINDOWS)
        if not holder and self.context.is_full:
            channel.close(FULL, is_final=False)
            return True
        client = Client(
            channel, holder, last_step=message.last_step, number=message.number, chat=message.chat
        )
        self.context.clients[channel] = client
        self._broadcasts.welcome(client)
        if self.context.file.is_lesson and self.context.is_owner(client):
            self._begin_lesson(channel)
        self.context.changed()
        self._away.on_enter(client)
        self._follow_requests()
        return True

    def receive(self, channel: ClientChannel, message: m.AnyClientMessage) -> None:
        """Execute a message of an entered client, and send a refusal to this client only."""
        if self._scheduler.is_held:
            self._scheduler.call_soon(lambda: self.receive(channel, message))
            return
        client = self.context.clients.get(channel)
        receive = self._receivers.get(type(message))
        if client is None or receive is None:
            return
        host = self.context.host
        step = None if host is None else host.step
        try:
            receive(client, message)
        except CardhubError as error:
            why = (
                f"{self.context.public(error)}{FULL_DISK if isinstance(error, RecordError) else ''}"
            )
            channel.send(Refused(why=why, id=id_of(message)))
        except Exception as error:  # any exception of a game's code
            LOG.exception("table %s failed at a message", self.context.file.table, exc_info=error)
            channel.send(Refused(why=FAULT, id=id_of(message)))
            if host is not None and host is self.context.host and host.step != step:
                self._game.restore()

    def leave(self, channel: ClientChannel) -> None:
        """Remove a disconnected client."""
        client = self.context.clients.pop(channel, None)
        if client is not None:
            self._left_at = self._scheduler.now()
            self._practices.leave(channel)
            self.context.changed()
            self._away.on_leave(client.token)
            self._follow_requests()

    def is_idle(self) -> bool:
        """Return whether the table can be unloaded: it has no client, and no bot has the turn."""
        context = self.context
        idle_seconds = self._scheduler.now() - self._left_at
        if self.has_visitors:
            return False
        host, due = context.host, self.due_in()
        # Clocks with days keep running while a table is unloaded; it is loaded when a time ends.
        if idle_seconds < context.services.limits.idle or (
            due is not None and not context.is_by_days
        ):
            return False
        return host is None or host.is_waiting_for_people or not context.people()

    @property
    def has_visitors(self) -> bool:
        """Whether a client or the program of a network bot is connected."""
        return bool(self.context.clients) or self._network.are_connected

    @property
    def is_disconnected(self) -> bool:
        """Whether the game is unfinished and could not be continued from its record."""
        return self._game.is_disconnected

    def due_in(self) -> float | None:
        """Return the seconds until a person's time ends, or None if no clock is running."""
        return self._clock.due_in()

    @override
    def network_bot(self, token: str) -> NetworkBot | None:
        return self._network.find(token)

    def offer(self, holder: str = "") -> TableOffer:
        """Return the entry of the table in the lobby, with `holder` for the person with a token."""
        offer, host = table_offer(self._state()), self.context.host
        seat = self.context.file.seat_of(holder)
        # A person has no view of a game that a bot began in the seat.
        if host is None or seat is None or seat not in host.viewers:
            return offer
        view = host.session(seat).view()
        is_turn = bool(view.choices) and view.to_act == seat
        return msgspec.structs.replace(offer, is_turn=is_turn)

    def close(self, why: str) -> None:
        """Close all clients, which may reconnect, and release the record."""
        for channel in list(self.context.clients):
            channel.close(why, is_final=False)
        self.context.clients.clear()
        self._practices.close()
        self._network.close(why)
        # If the times cannot be written, the clock continues from the times of the last turn.
        with suppress(RecordError):
            self._clock.save()
        self._game.close()
        self._scheduler.close()

    def _fail(self, error: Exception) -> None:
        """Stop the game after an exception in a turn; other tables continue."""
        LOG.error("table %s failed", self.context.file.table, exc_info=error)
        is_expected = isinstance(error, CardhubError)
        if self.context.stage == "playing":
            self._game.restore(self.context.public(error) if is_expected else HALTED)

    def _broadcast(self) -> None:
        """Send all changes to the clients; a failure does not change the game."""
        try:
            state = self._state() if self._broadcasts.needs_state() else None
            self._broadcasts.send(state)
        except Exception as error:  # any exception of a game's code
            LOG.exception("table %s cannot be broadcast", self.context.file.table, exc_info=error)
            for channel in self.context.clients:
                channel.send(Refused(why=FAULT))

    def _start(self, client: Client) -> None:
        self.context.check_owner(client)
        if self.context.stage == "playing":
            raise RefusedError("the game has already started")
        self._seating.start(self.context.chairs)

    def _begin_lesson(self, channel: ClientChannel) -> None:
        """Start a lesson when its learner comes for the first time."""
        if self.context.stage == "open":
            try:
                self._seating.start(self.context.chairs)
            except RefusedError as error:
                channel.send(Refused(why=str(error)))

    def _discard_obsolete(self) -> None:
        """Discard takeback requests, network bots' games and rematch requests that are obsolete."""
        stage = self.context.stage
        self._follow_requests()
        if stage != "playing":
            self._network.over()
        else:
            self._rematches.clear()

    def _follow_requests(self) -> None:
        """Update requests for consent, because people or the game have changed."""
        self._takebacks.follow()
        self._newcomers.follow()

    def _state(self) -> TableState:
        state = table_state(self.context)
        seats = [
            msgspec.structs.replace(
                seat,
                wants_rematch=self._rematches.wants(number),
                can_replace=self._away.can_replace(number),
                is_reading=self._away.is_reading(number),
                is_here=seat.is_here or self._network.is_connected(number),
                clock=self._clock.state(number),
            )
            for number, seat in enumerate(state.seats)
        ]
        return msgspec.structs.replace(
            state,
            seats=tuple(seats),
            takeback=self._takebacks.state,
            newcomer=self._newcomers.state,
        )

    def _by_message(self) -> dict[type, Callable[[Client, Any], object]]:
        turns, seating, takebacks = self._turns, self._seating, self._takebacks
        return {
            m.Sit: self._newcomers.sit,
            m.AnswerNewcomer: self._newcomers.answer,
            m.Stand: lambda client, _: seating.stand(client),
            m.SetUp: lambda client, message: set_up(self.context, client, message),
            m.Start: lambda client, _: self._start(client),
            c.Act: turns.send,
            m.AskTakeback: lambda client, _: takebacks.ask(client),
            m.AnswerTakeback: takebacks.answer,
            m.Replace: self._away.replace,
            m.Reissue: lambda client, message: reissue(
                self.context, self._broadcasts, client, message
            ),
            m.Rematch: self._rematches.request,
            c.PlayForced: turns.play_forced,
            **dict.fromkeys(COMMANDS, turns.send),
            m.BeginPractice: self._practices.begin,
            m.InPractice: self._practices.send,
            m.EndPractice: self._practices.end,
            m.Say: lambda client, message: self._chat.say(client, message.text),
        }


SEAT_ENDED = "this token no longer belongs to a seat of a bot"


class NetworkSeats:
    """The network bots of a table. `clients`: the bots of the current seats, by seat."""

    def __init__(self, context: TableContext) -> None:
        self.clients: dict[int, NetworkBot] = {}
        self._context = context
        # By the hash of the token, or by the number of the seat before it has a token.
        self._bots: dict[str, NetworkBot] = {}

    @property
    def are_connected(self) -> bool:
        """Whether any program is connected."""
        return any(bot.is_connected for bot in self._bots.values())

    def is_connected(self, seat: int) -> bool:
        """Return whether a program is connected for a seat."""
        return seat in self.clients and self.clients[seat].is_connected

    def find(self, token: str) -> NetworkBot | None:
        """Return the bot of a token, or None if the token is unknown."""
        holder = self._context.file.holder_of(token)
        return self._bots.get(holder) if holder else None

    def follow(self) -> None:
        """Update the bots after seats have changed or received tokens."""
        seats = dict(self._keys())
        for key in [key for key in self._bots if key not in seats]:
            bot = self._bots.pop(key)
            heirs = [k for k, seat in seats.items() if key == str(seat) and k not in self._bots]
            if heirs:
                # The seat received its first token: keep its bot.
                self._bots[heirs[0]] = bot
            else:
                bot.close(SEAT_ENDED)
        for key in seats:
            if key not in self._bots:
                context = self._context
                self._bots[key] = NetworkBot(context.scheduler, self)
        self.clients.clear()
        self.clients.update({seat: self._bots[key] for key, seat in seats.items()})

    def over(self) -> None:
        """Notify all programs that the game is over."""
        for bot in self._bots.values():
            bot.over()

    def close(self, why: str) -> None:
        """Close all connections."""
        for bot in self._bots.values():
            bot.close(why, is_final=False)  # the program reconnects after the table is loaded again

    def on_change(self) -> None:
        """Show that a program has connected or disconnected."""
        self._context.changed()

    def on_return(self) -> None:
        """Retry the turn after a program has reconnected too late."""
        host = self._context.host
        if host is not None and host.activity.fault is not None:
            host.request("retry")

    def _keys(self) -> Iterator[tuple[str, int]]:
        for seat, chair in enumerate(self._context.chairs):
            if chair.bot == NETWORK and not chair.name:
                yield chair.token or str(seat), seat
