"""A table of a server: its visitors enter, send messages and leave."""

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
from typing_extensions import override

from cardhub.base.errors import CardhubError, RecordError
from cardhub.online.server.bots.network_bot import NetworkBot
from cardhub.online.server.client import Visitor
from cardhub.online.server.table_interface import VisitedTable
from cardhub.online.server.tables.broadcasting.broadcasts import Broadcasts
from cardhub.online.server.tables.broadcasting.game_feeds import GameFeeds
from cardhub.online.server.tables.broadcasting.offers import table_offer
from cardhub.online.server.tables.broadcasting.table_state import table_state
from cardhub.online.server.tables.members.away import Absences
from cardhub.online.server.tables.members.chat_lines import Chat
from cardhub.online.server.tables.members.seating import (
    FULL,
    TOO_MANY_WINDOWS,
    Rematches,
    Seating,
    reissue,
    window_too_many,
)
from cardhub.online.server.tables.members.takebacks import Takebacks
from cardhub.online.server.tables.network_seats import NetworkSeats
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
from cardhub.online.wire.server_messages import Refused, TableState
from cardhub.online.wire.wire_codec import TableOffer

LOG = logging.getLogger("cardhub.online.server")
HALTED = "The code of this game failed: the game stands still since its last step."
FULL_DISK = ". fix: tell the host of the server, whose disk may be full, then try again"
GONE = "this link has ended. fix: open the table without it, or ask its owner for a new one"


class ServedTable(VisitedTable):
    """A table with its visitors, in one thread; a visitor's error concerns that visitor only."""

    def __init__(self, file: TableFile, services: TableServices) -> None:
        self.context = TableContext(file, services)
        self._scheduler = self.context.scheduler
        self._scheduler.failed = self._fail
        self._left_at = self._scheduler.now()
        feeds, chat = GameFeeds(self.context), Chat(self.context)
        self._broadcasts = Broadcasts(self.context, feeds, chat, self._state)
        self.context.broadcast = self._tell
        self._network = NetworkSeats(self.context)
        self.context.updated = self._network.follow
        guard = RecordGuard(self.context, self._scheduler)
        self._game = TableGame(self.context, self._network.clients, guard.sync)
        self._places = Seating(self.context, self._game, self._broadcasts)
        self._absences = Absences(self.context, self._places)
        self._clock = TableClock(self.context, self._absences.timed_out)
        self._game.prepare = self._clock.attach
        self._takebacks = Takebacks(self.context)
        self._rematches = Rematches(self.context, self._places)
        self._turns = Turns(self.context)
        self._chat = chat
        self._game.listeners += [
            feeds.changed,
            self._clock.game_changed,
            self._absences.game_changed,
            self._moved,
        ]
        self._receivers = self._by_message()

    def load(self) -> None:
        """Continue the game of the table, after a restart; raises CardhubError."""
        self._network.follow()
        self._game.load()
        self._absences.load()

    def enter(self, visitor: Visitor, message: m.Enter) -> bool:
        """Greet a visitor; False for an unknown token, after the visitor was closed."""
        holder = self.context.holder_of(message.token)
        if message.token and not holder:
            visitor.close(GONE)
            return False
        if (oldest := window_too_many(self.context, holder)) is not None:
            self.leave(oldest)
            oldest.close(TOO_MANY_WINDOWS)
        if not holder and self.context.is_full:
            visitor.close(FULL, is_final=False)
            return True
        client = Client(
            visitor, holder, heard=message.last_step, number=message.number, chat=message.chat
        )
        self.context.clients[visitor] = client
        self._broadcasts.welcome(client)
        self.context.changed()
        self._absences.entered(client)
        return True

    def receive(self, visitor: Visitor, message: m.AnyClientMessage) -> None:
        """Carry out a message of a visitor who has entered; refusals are told to it alone."""
        if self._scheduler.is_held:
            self._scheduler.call_soon(lambda: self.receive(visitor, message))
            return
        client = self.context.clients.get(visitor)
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
            visitor.send(Refused(why=why, id=id_of(message)))
        except Exception as error:  # any exception of a game's code
            LOG.exception("table %s failed at a message", self.context.file.table, exc_info=error)
            visitor.send(Refused(why=FAULT, id=id_of(message)))
            if host is not None and host is self.context.host and host.step != step:
                self._game.restore()

    def leave(self, visitor: Visitor) -> None:
        """Forget a visitor whose connection has ended."""
        client = self.context.clients.pop(visitor, None)
        if client is not None:
            self._left_at = self._scheduler.now()
            self.context.changed()
            self._absences.left(client.token)
            self._rematches.left()

    def is_idle(self) -> bool:
        """Return whether the table can leave memory: nobody visits it, and no bot is to act."""
        context = self.context
        gone = self._scheduler.now() - self._left_at
        if context.clients or self._network.are_connected:
            return False
        host, due = context.host, self.due_in()
        # The times of days run on while a table is put away; it is loaded when one ends.
        if gone < context.services.limits.idle or (due is not None and not context.is_by_days):
            return False
        return host is None or host.is_waiting_for_people or not context.people()

    @property
    def is_disconnected(self) -> bool:
        """Whether the game runs, but could not be continued from its record."""
        return self._game.is_disconnected

    def due_in(self) -> float | None:
        """Return the seconds until a person's time ends; None if none runs."""
        return self._clock.due_in()

    @override
    def network_bot(self, token: str) -> NetworkBot | None:
        return self._network.find(token)

    def offer(self) -> TableOffer:
        """Return the table as the lobby lists it."""
        return table_offer(self._state())

    def close(self, why: str) -> None:
        """Close all visitors, who may connect again, and release the record."""
        for visitor in list(self.context.clients):
            visitor.close(why, is_final=False)
        self.context.clients.clear()
        self._network.close(why)
        # A clock whose times cannot be written goes on from those of the last turn.
        with suppress(RecordError):
            self._clock.save()
        self._game.close()
        self._scheduler.close()

    def _fail(self, error: Exception) -> None:
        """Let the game stand still after an exception in a turn; other tables go on."""
        LOG.error("table %s failed", self.context.file.table, exc_info=error)
        is_known = isinstance(error, CardhubError)
        if self.context.file.stage == "playing":
            self._game.restore(self.context.public(error) if is_known else HALTED)

    def _tell(self) -> None:
        """Tell all clients of the changes; a failure of this leaves the game as it is."""
        try:
            self._broadcasts.tell()
        except Exception as error:  # any exception of a game's code
            LOG.exception("table %s cannot be told", self.context.file.table, exc_info=error)
            for visitor in self.context.clients:
                visitor.send(Refused(why=FAULT))

    def _start(self, client: Client) -> None:
        self.context.check_owner(client)
        if self.context.file.stage == "playing":
            raise RefusedError("the game runs already")
        self._places.start(self.context.chairs)

    def _moved(self) -> None:
        """Drop what concerned the game or the step before."""
        stage = self.context.file.stage
        if stage != "playing":
            self._takebacks.lapse()
            self._network.over()
        else:
            self._rematches.drop()

    def _act(self, client: Client, message: m.Act) -> None:
        host = self.context.playing
        revision = host.revision
        self._turns.act(client, message)
        if host.revision != revision:
            self._takebacks.lapse()

    def _state(self) -> TableState:
        state = table_state(self.context)
        seats = [
            msgspec.structs.replace(
                seat,
                wants_rematch=self._rematches.wants(number),
                can_replace=self._absences.can_replace(number),
                is_here=seat.is_here or self._network.is_connected(number),
                clock=self._clock.state(number),
            )
            for number, seat in enumerate(state.seats)
        ]
        return msgspec.structs.replace(state, seats=tuple(seats), takeback=self._takebacks.state)

    def _by_message(self) -> dict[type, Callable[[Client, Any], object]]:
        turns, places, takebacks = self._turns, self._places, self._takebacks
        return {
            m.Sit: places.sit,
            m.Stand: lambda client, _: places.stand(client),
            m.SetUp: lambda client, message: set_up(self.context, client, message),
            m.Start: lambda client, _: self._start(client),
            m.Act: self._act,
            m.AskTakeback: lambda client, _: takebacks.ask(client),
            m.AnswerTakeback: takebacks.answer,
            m.Replace: self._absences.replace,
            m.Reissue: lambda *given: reissue(self.context, self._broadcasts, *given),
            m.Rematch: lambda client, _: self._rematches.wish(client),
            m.Undo: turns.undo,
            m.AskHint: turns.hint,
            m.AskExplain: turns.explain,
            m.AskWhy: turns.why,
            m.AskConsequence: turns.consequence,
            m.AskPast: turns.past,
            m.PaceCommand: turns.wish,
            m.SetPace: turns.pace,
            m.PlayForced: turns.forced,
            m.Say: lambda client, message: self._chat.say(client, message.text),
        }
