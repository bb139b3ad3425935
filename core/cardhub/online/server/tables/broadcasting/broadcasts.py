"""Broadcasts of changes to all clients of a table."""

from collections.abc import Sequence

from cardhub.online.server.tables.bot_choice import offered_here
from cardhub.online.server.tables.broadcasting.game_feeds import GameFeeds
from cardhub.online.server.tables.members.chat_lines import Chat
from cardhub.online.server.tables.table_context import Client, TableContext
from cardhub.online.wire.server_messages import TableState, Welcome
from cardhub.online.wire.wire_codec import encode_message
from cardhub.play.table_messages import GameInfo
from cardhub.plugins.level_texts import describe_levels
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.explain.explanations import rules_with_options


class Broadcasts:
    """Sends each client the changes that it does not have."""

    def __init__(self, context: TableContext, feeds: GameFeeds, chat: Chat) -> None:
        self._context = context
        self._feeds = feeds
        self._chat = chat
        self._state = b""
        self._game_key: object = None
        self._state_key: object = None
        self._seen: object = None
        self._watchers: Sequence[Client] = ()

    def needs_state(self) -> bool:
        """Return whether the table or its players have changed since the last state."""
        host = self._context.host
        has_clock = host is not None and host.clock is not None
        return has_clock or self._key_of_state() != self._state_key

    def send(self, state: TableState | None) -> None:
        """Send all changes to the clients; `state`: the table if `needs_state`, else None."""
        context = self._context
        # Most changes are actions; the clients and their permissions are the same as before.
        if self._seen != (context.changes, context.file):
            self._seen = context.changes, context.file
            for client in context.clients.values():
                self._greet(client)
            self._watchers = [c for c in context.clients.values() if context.may_watch(c)]
        clients = list(context.clients.values())
        table = self._state if state is None else encode_message(state)
        self._state_key = self._key_of_state()
        self._send_table(clients, table)
        self._feeds.show(self._watchers)
        for client in clients:
            self._chat.send(client)
            client.is_new = False

    def _send_table(self, clients: Sequence[Client], state: bytes) -> None:
        file = self._context.file
        game_key = file.number, dict(file.options), len(file.chairs)
        is_other_game = game_key != self._game_key
        has_new = is_other_game or any(client.is_new for client in clients)
        # Not cached: a catalogue with drawings may have 100 kB, and few clients are new.
        game = self._game_info() if has_new else b""
        for client in clients:
            if client.is_new or state != self._state:
                client.channel.send(state)
            if client.is_new or is_other_game:
                client.channel.send(game)
        self._state, self._game_key = state, game_key

    def welcome(self, client: Client, token: str = "") -> None:
        """Send a client its viewer, and its new token if there is one."""
        context = self._context
        viewer, is_owner = context.viewer_of(client.token), context.is_owner(client)
        if viewer != client.viewer:
            # Each viewer has its own log.
            client.last_step = client.last_step if client.viewer < 0 else 0
            client.is_new = True
        client.viewer, client.is_owner = viewer, is_owner
        table = context.file.table
        client.channel.send(Welcome(table=table, viewer=viewer, is_owner=is_owner, token=token))

    def _greet(self, client: Client) -> None:
        context = self._context
        role = context.viewer_of(client.token), context.is_owner(client)
        if role != (client.viewer, client.is_owner):
            self.welcome(client)

    def _key_of_state(self) -> object:
        context = self._context
        host = context.host
        return context.changes, context.file, None if host is None else host.players

    def _game_info(self) -> bytes:
        context, file, game = self._context, self._context.file, self._context.game
        registry = context.services.registry
        return encode_message(
            GameInfo(
                game=game.name,
                title=game.title,
                number=file.number,
                catalogue=build_catalogue(game),
                rules=rules_with_options(game, context.settings(), len(file.chairs)),
                levels=offered_here(context),
                opponents=describe_levels(game, registry.levels(game.name)),
            )
        )
