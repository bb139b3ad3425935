"""The conversation of a program with a table: the token of its seat, then the bot protocol."""

import logging

import msgspec
from typing_extensions import override

from cardhub.online.server.bots.network_bot import NetworkBot
from cardhub.online.server.connection import CANNOT_LOAD, Connection, Conversation, Handshake
from cardhub.online.wire.client_messages import Token

LOG = logging.getLogger("cardhub.online.server")
UNKNOWN = "this token is unknown. fix: ask the owner of the table for a new link to the bot's seat"


class SeatMessage(msgspec.Struct, tag="seat"):
    """The first message of a program. Unknown keys are ignored, as in all its messages."""

    token: Token
    observation: bool = False


_FIRST = msgspec.json.Decoder(SeatMessage)


class BotConversation(Conversation):
    """Passes the messages of a program to the bot of its seat."""

    def __init__(self, handshake: Handshake) -> None:
        self._handshake = handshake
        self._id = handshake.table_id

    @override
    async def run(self, connection: Connection) -> None:
        bot = await self._enter(connection)
        try:
            while True:
                text = await connection.next_text()
                if bot is not None and text is not None:
                    self._handle(bot, connection, text)
        finally:
            if bot is not None:
                bot.disconnect(connection)

    async def _enter(self, connection: Connection) -> NetworkBot | None:
        """Return the bot of the program's seat, or None if the program was closed."""
        text = await self._handshake.first_text(connection, "seat")
        if text is None:
            return None
        try:
            first = _FIRST.decode(text)
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            connection.close(
                f"the first message is invalid: {error}. fix: send `seat` with a token"
            )
            return None
        return self._admit(connection, first)

    def _admit(self, connection: Connection, first: SeatMessage) -> NetworkBot | None:
        table = self._handshake.find(connection) if self._handshake.may_try(connection) else None
        if table is None:
            return None
        try:
            bot = table.network_bot(first.token)
        except Exception:
            LOG.exception("table %s cannot be loaded", self._id)
            connection.close(CANNOT_LOAD)
            return None
        if bot is None:
            self._handshake.count_failure()
            connection.close(UNKNOWN)
            return None
        bot.connect(connection, has_observations=first.observation)
        return bot

    def _handle(self, bot: NetworkBot, connection: Connection, text: str) -> None:
        try:
            bot.receive(connection, text)
        except Exception:
            # A failure of a game's code or of the server must not affect other tables.
            LOG.exception("table %s failed at a bot's message", self._id)
            bot.disconnect(connection, "the server failed at this message. fix: tell its host")
