"""The visit of a program at a table: its seat's token, then the bot protocol."""

import asyncio
import logging

import msgspec
from typing_extensions import override

from cardhub.server.bots.network_bot import NetworkBot
from cardhub.server.connection import ENTER_WITHIN, Connection, Conversation
from cardhub.server.limits import ServerLimits
from cardhub.server.visited_table import LoadError, Tables, UnknownTableError
from cardhub.wire.client_messages import Token

LOG = logging.getLogger("cardhub.server")
UNKNOWN = "unknown token. fix: ask the owner of the table for a new link to the bot's seat"
TOO_MANY = "too many unknown tokens came from your address. fix: wait a minute"


class SeatMessage(msgspec.Struct, tag="seat"):
    """The first message of a program; unknown keys are ignored, as in all its messages."""

    token: Token
    observation: bool = False


_FIRST = msgspec.json.Decoder(SeatMessage)


class BotVisit(Conversation):
    """Hands the messages of a program to the bot of its seat."""

    def __init__(self, tables: Tables, table_id: str, limits: ServerLimits, address: str) -> None:
        self._tables = tables
        self._id = table_id
        self._limits = limits
        self._address = address

    @override
    async def run(self, connection: Connection) -> None:
        bot = await self._enter(connection)
        try:
            while True:
                text = await connection.next_text()
                if bot is not None and text is not None:
                    self._take(bot, connection, text)
        finally:
            if bot is not None:
                bot.disconnect(connection)

    async def _enter(self, connection: Connection) -> NetworkBot | None:
        """Return the bot of the program's seat; None if the program was closed."""
        try:
            text = await asyncio.wait_for(connection.next_text(), ENTER_WITHIN)
        except TimeoutError:
            connection.close("no message came. fix: send `seat` first")
            return None
        if text is None:
            return None
        try:
            first = _FIRST.decode(text)
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            connection.close(f"invalid first message: {error}. fix: send `seat` with a token")
            return None
        return self._admit(connection, first)

    def _admit(self, connection: Connection, first: SeatMessage) -> NetworkBot | None:
        failed = self._limits.failed_tokens
        if not failed.has_room(self._address):
            connection.close(TOO_MANY, is_final=False)
            return None
        try:
            bot = self._tables.find(self._id).network_bot(first.token)
        except UnknownTableError as error:
            failed.take(self._address)
            connection.close(str(error))
            return None
        except LoadError as error:
            connection.close(str(error))
            return None
        except Exception:
            LOG.exception("table %s cannot be loaded", self._id)
            connection.close("the server cannot load this table. fix: tell its host")
            return None
        if bot is None:
            failed.take(self._address)
            connection.close(UNKNOWN)
            return None
        bot.connect(connection, has_observations=first.observation)
        return bot

    def _take(self, bot: NetworkBot, connection: Connection, text: str) -> None:
        try:
            bot.receive(connection, text)
        except Exception:
            # A fault of a game's code, or of the server: it must not reach other tables.
            LOG.exception("table %s failed at a bot's message", self._id)
            bot.disconnect(connection, "the server failed at this message. fix: tell its host")
