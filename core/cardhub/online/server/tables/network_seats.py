"""Seats whose bots connect over the network with the token of the seat."""

from collections.abc import Iterator

from cardhub.online.server.bots.network_bot import NetworkBot
from cardhub.online.server.tables.table_context import TableContext
from cardhub.play.workers.lineup import NETWORK

ENDED = "this token no longer belongs to a seat of a bot"


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
        holder = self._context.holder_of(token)
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
                bot.close(ENDED)
        for key in seats:
            if key not in self._bots:
                context = self._context
                self._bots[key] = NetworkBot(context.scheduler, context.changed, self._ask_again)
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

    def _ask_again(self) -> None:
        """Retry the turn after a program has reconnected too late."""
        host = self._context.host
        if host is not None and host.fault is not None:
            host.request("retry")

    def _keys(self) -> Iterator[tuple[str, int]]:
        for seat, chair in enumerate(self._context.chairs):
            if chair.bot == NETWORK and not chair.name:
                yield chair.token or str(seat), seat
