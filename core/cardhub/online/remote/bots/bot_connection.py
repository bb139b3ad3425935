"""The connection of a bot of this machine with a table of a server."""

from random import Random
from typing import Protocol

import msgspec
from typing_extensions import override
from websockets.asyncio.client import ClientConnection

from cardhub.base.errors import RemoteError
from cardhub.base.errors.quoting import printable
from cardhub.online.remote.bots.bot_player import BotPlayer
from cardhub.online.remote.table_address import TableAddress
from cardhub.online.remote.table_connection import LastingConnection, LostError, Patience


class BotListener(Protocol):
    """Hears how a bot fares at a table; its methods are called in the connection's loop."""

    def started(self, game: str, seat: int) -> None:
        """Note that the bot plays a game, or has it again after a connection was lost."""
        ...

    def failed(self, why: str) -> None:
        """Note that the server has found the bot at fault."""
        ...

    def lost(self, why: str) -> None:
        """Note that the connection was lost; it is tried again."""
        ...

    def over(self) -> None:
        """Note that the game is over."""
        ...


class FromServer(msgspec.Struct):
    """A message of the server, as far as it is not the bot's."""

    type: str = ""
    game: str = ""
    seat: int = 0
    message: str = ""
    why: str = ""
    is_final: bool = True


_DECODER = msgspec.json.Decoder(FromServer)


class BotConnection(LastingConnection):
    """Has a bot play at a table while `run` runs; `error` tells why it has ended for good."""

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
                self._note(data)
                answer = await self._player.reply(_decoded(data).type, data)
                if answer is not None:
                    await socket.send(msgspec.json.encode(answer).decode())
        finally:
            # The server sends the game again; the bot that comes back begins anew.
            self._player.rest()

    @override
    def lost(self, why: str) -> None:
        self._listener.lost(why)

    @override
    def ended(self, error: RemoteError) -> None:
        self.error = error

    def _note(self, data: str | bytes) -> None:
        message = _decoded(data)
        match message.type:
            case "game":
                self._listener.started(printable(message.game), message.seat)
            case "over":
                self._listener.over()
            case "fault":
                self._listener.failed(printable(message.message, lines=True))
            case "closed" if message.is_final:
                raise RemoteError(printable(message.why, lines=True))
            case "closed":
                raise LostError(printable(message.why, lines=True))


def _decoded(data: str | bytes) -> FromServer:
    try:
        return _DECODER.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        why = printable(str(error))
        raise RemoteError(
            f"the server sent an invalid message: {why}. fix: check the address"
        ) from error
