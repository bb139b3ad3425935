"""A table of a server: its visitors enter, send messages and leave."""

import logging
from collections.abc import Callable
from typing import Any

from cardhub.errors import CardhubError
from cardhub.server.tables.broadcasts import Broadcasts
from cardhub.server.tables.chat_lines import Chat
from cardhub.server.tables.game_feeds import GameFeeds
from cardhub.server.tables.keeping.table_file import TableFile
from cardhub.server.tables.places import Places
from cardhub.server.tables.table_context import Client, RefusedError, TableContext, TableServices
from cardhub.server.tables.table_game import TableGame
from cardhub.server.tables.table_scheduler import TableScheduler
from cardhub.server.tables.table_setup import set_up
from cardhub.server.tables.table_state import table_state
from cardhub.server.tables.turns import Turns
from cardhub.server.visited_table import VisitedTable
from cardhub.server.visitor import Visitor
from cardhub.wire import client_messages as m
from cardhub.wire.lobby_messages import TableOffer
from cardhub.wire.server_messages import Refused, TableState

LOG = logging.getLogger("cardhub.server")
FAULT = "the code of this game failed. fix: try another action, or tell the host of the server"
GONE = "this link has ended. fix: open the table without it, or ask its owner for a new one"


class ServedTable(VisitedTable):
    """A table with its visitors, in one thread; a visitor's error concerns that visitor only."""

    def __init__(self, file: TableFile, services: TableServices) -> None:
        self._scheduler = TableScheduler(services.opener.scheduler)
        self._scheduler.failed = self._fail
        self.context = TableContext(file, services, self._scheduler)
        self._left_at = self._scheduler.now()
        feeds, chat = GameFeeds(self.context), Chat(self.context)
        self._broadcasts = Broadcasts(self.context, feeds, chat, self._state)
        self.context.broadcast = self._broadcasts.tell
        self._game = TableGame(self.context)
        self._game.listeners.append(feeds.changed)
        self._places = Places(self.context, self._broadcasts)
        self._turns = Turns(self.context)
        self._chat = chat
        self._receivers = self._by_message()

    def load(self) -> None:
        """Continue the game of the table, after a restart; raises CardhubError."""
        self._game.load()

    def enter(self, visitor: Visitor, message: m.Enter) -> bool:
        """Greet a visitor; False for an unknown token, after the visitor was closed."""
        holder = self.context.holder_of(message.token)
        if message.token and not holder:
            visitor.close(GONE)
            return False
        client = Client(visitor, holder, heard=message.heard, chat=message.chat)
        self.context.clients[visitor] = client
        self._broadcasts.welcome(client)
        self.context.changed()
        return True

    def receive(self, visitor: Visitor, message: m.AnyClientMessage) -> None:
        """Carry out a message of a visitor who has entered; refusals are told to it alone."""
        client = self.context.clients.get(visitor)
        receive = self._receivers.get(type(message))
        if client is None or receive is None:
            return
        try:
            receive(client, message)
        except CardhubError as error:
            visitor.send(Refused(why=self.context.public(error)))

    def leave(self, visitor: Visitor) -> None:
        """Forget a visitor whose connection has ended."""
        if self.context.clients.pop(visitor, None) is not None:
            self._left_at = self._scheduler.now()
            self.context.changed()

    def is_idle(self) -> bool:
        """Return whether the table can leave memory: nobody visits it, and no bot is to act."""
        context = self.context
        gone = self._scheduler.now() - self._left_at
        if context.clients or gone < context.services.limits.idle:
            return False
        host = context.host
        return host is None or host.is_waiting_for_people or not context.people()

    def offer(self) -> TableOffer:
        """Return the table as the lobby lists it."""
        state = self._state()
        return TableOffer(
            table=state.table,
            game=state.game,
            title=state.title,
            stage=state.stage,
            names=tuple(seat.name for seat in state.seats if seat.name),
            free=sum(not seat.name and not seat.bot for seat in state.seats),
            spectators=state.spectators,
        )

    def close(self, why: str) -> None:
        """Close all visitors, who may connect again, and release the record."""
        for visitor in list(self.context.clients):
            visitor.close(why, is_final=False)
        self.context.clients.clear()
        self._game.close()
        self._scheduler.close()

    def _fail(self, error: Exception) -> None:
        """Tell all visitors of an exception in the code of the game; other tables go on."""
        LOG.error("table %s failed", self.context.file.table, exc_info=error)
        told = self.context.public(error) if isinstance(error, CardhubError) else FAULT
        for visitor in self.context.clients:
            visitor.send(Refused(why=told))

    def _start(self, client: Client) -> None:
        self.context.check_owner(client)
        if self.context.file.stage == "playing":
            raise RefusedError("the game runs already")
        self._game.start(self._places.players())

    def _state(self) -> TableState:
        return table_state(self.context)

    def _by_message(self) -> dict[type, Callable[[Client, Any], object]]:
        turns, places = self._turns, self._places
        return {
            m.Sit: places.sit,
            m.Stand: lambda client, _: places.stand(client),
            m.SetUp: lambda client, message: set_up(self.context, client, message),
            m.Start: lambda client, _: self._start(client),
            m.Act: turns.act,
            m.Undo: lambda client, _: turns.undo(client),
            m.AskHint: turns.hint,
            m.AskExplain: turns.explain,
            m.AskWhy: turns.why,
            m.AskSays: turns.says,
            m.AskPast: turns.past,
            m.WishFor: turns.wish,
            m.SetPace: turns.pace,
            m.PlayForced: turns.forced,
            m.Say: lambda client, message: self._chat.say(client, message.text),
        }
