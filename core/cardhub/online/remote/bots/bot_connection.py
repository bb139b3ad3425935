"""The connection of a bot of this machine to a table of a server."""

from random import Random
from typing import Protocol

import msgspec
from typing_extensions import override
from websockets.asyncio.client import ClientConnection

from cardhub.base.errors import RemoteError
from cardhub.base.errors.quoting import printable
from cardhub.base.writing import clipped
from cardhub.online.remote.bots.bot_player import BotPlayer
from cardhub.online.remote.table_address import TableAddress
from cardhub.online.remote.table_connection import (
    LONGEST_WHY,
    LostError,
    Patience,
    PersistentConnection,
)


class BotListener(Protocol):
    """The receiver of a bot's events at a table. Methods are called in the connection's loop."""

    def on_started(self, game: str, seat: int) -> None:
        """Handle the start of a game, or its resumption after a reconnect."""
        ...

    def on_fault(self, why: str) -> None:
        """Handle a fault of the bot that the server has reported."""
        ...

    def on_lost(self, why: str) -> None:
        """Handle a lost connection; a reconnect follows."""
        ...

    def on_over(self) -> None:
        """Handle the end of the game."""
        ...


class FromServer(msgspec.Struct):
    """The fields of a server message that the connection reads; the bot decodes the rest."""

    type: str = ""
    game: str = ""
    seat: int = 0
    message: str = ""
    why: str = ""
    is_final: bool = True


_DECODER = msgspec.json.Decoder(FromServer)


class BotConnection(PersistentConnection):
    """A bot's connection to a table.

    `error`: the reason why the connection has ended permanently, or None.
    """

    def __init__(
        self,
        address: TableAddress,
        player: BotPlayer,
        listener: BotListener,
        rng: Random,
        patience: Patience | None = None,
    ) -> None:
        super().__init__(address, address.bot_socket, rng, patience)
        self.error: RemoteError | None = None
        self._token = address.token
        self._player = player
        self._listener = listener

    @override
    async def talk(self, socket: ClientConnection) -> None:
        first = {"type": "seat", "token": self._token, "observation": True}
        await socket.send(msgspec.json.encode(first).decode())
        try:
            async for data in socket:
                self._report(data)
                answer = await self._player.reply(_decoded(data).type, data)
                if answer is not None:
                    await socket.send(msgspec.json.encode(answer).decode())
        finally:
            # After a reconnect the server sends the game again, and the bot starts afresh.
            self._player.rest()

    @override
    def on_lost(self, why: str) -> None:
        self._listener.on_lost(why)

    @override
    def on_ended(self, error: RemoteError) -> None:
        self.error = error

    def _report(self, data: str | bytes) -> None:
        message = _decoded(data)
        match message.type:
            case "game":
                self._listener.on_started(printable(message.game), message.seat)
            case "over":
                self._listener.on_over()
            case "fault":
                self._listener.on_fault(_reason(message.message))
            case "closed" if message.is_final:
                raise RemoteError(_reason(message.why))
            case "closed":
                raise LostError(_reason(message.why))


def _reason(text: str) -> str:
    return clipped(printable(text, lines=True), LONGEST_WHY)


def _decoded(data: str | bytes) -> FromServer:
    try:
        return _DECODER.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        why = printable(str(error))
        raise RemoteError(
            f"the server sent an invalid message: {why}. fix: check the address"
        ) from error
