"""Bots of this machine at a table of a server."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from tests.kit.waiting import PATIENCE, wait_until
from tests.online.server.conftest import BOT_TOKEN, EchoTables, RunningServer, running
from typing_extensions import override

from cardhub.base.errors import RemoteError
from cardhub.online.remote.bots.bot_connection import BotConnection, BotListener
from cardhub.online.remote.bots.bot_player import BotPlayer
from cardhub.online.remote.table_address import TableAddress
from cardhub.online.remote.table_connection import Patience
from cardhub.online.server.bots.network_bot import NetworkBot
from cardhub.online.server.server_options import ServerOptions
from cardhub.play.host.opening import NewGame, Opener
from cardhub.play.host.table_host import Host
from cardhub.play.records.reading import read_record
from cardhub.play.seating import Player
from cardhub.play.workers.bot_messages import NETWORK
from cardhub.plugins.registry import find_plugins

REGISTRY = find_plugins()
TOKENS = ("first", "second")
SOON = Patience(PATIENCE, PATIENCE, PATIENCE, shortest=0.05)


class BotTables(EchoTables):
    """A table with two bots over the network."""

    def __init__(self) -> None:
        super().__init__()
        self.bots: dict[int, NetworkBot] = {}
        self.table.network_bot = self.network_bot  # type: ignore[method-assign]  # bots of its own

    @override
    def begin(self) -> None:
        super().begin()
        self.table.scheduler.call_soon(lambda: None)  # finds the loop
        self.bots = {seat: NetworkBot(self.table.scheduler) for seat in range(2)}

    def network_bot(self, token: str) -> NetworkBot | None:
        """Return the bot of a seat by its token."""
        return self.bots[TOKENS.index(token)] if token in TOKENS else None


class Noting(BotListener):
    """Notes what happens to a bot."""

    def __init__(self) -> None:
        self.events: list[str] = []

    @override
    def on_started(self, game: str, seat: int) -> None:
        self.events.append(f"{game} {seat}")

    @override
    def on_fault(self, why: str) -> None:
        self.events.append(f"fault: {why}")

    @override
    def on_lost(self, why: str) -> None:
        self.events.append("lost")

    @override
    def on_over(self) -> None:
        self.events.append("over")


class Visiting:
    """A bot that is connected with a server while a block of a test runs."""

    def __init__(self, live: RunningServer, token: str, spec: str) -> None:
        address = TableAddress(f"http://{live.address}", "abc", token)
        self.listener = Noting()
        self.player = BotPlayer(REGISTRY, spec)
        self.connection = BotConnection(address, self.player, self.listener, Random(1), SOON)

    async def until(self, holds: Callable[[], object]) -> None:
        """Play until a condition holds, or the connection has ended."""
        task = asyncio.create_task(self.connection.run())
        while not (task.done() or holds()):
            await asyncio.sleep(0.02)
        self.connection.close()
        await task
        self.player.rest()


@pytest.fixture(scope="module")
def tables() -> BotTables:
    """Return a table with two seats for bots over the network."""
    return BotTables()


@pytest.fixture(scope="module")
def live(tables: BotTables) -> Iterator[RunningServer]:
    """Return a server with that table."""
    with running(ServerOptions(port=0), tables) as server:
        yield server


def start(live: RunningServer, tables: BotTables, path: Path) -> list[Host]:
    """Start a game of the two bots in the loop of the server; the list gets its host."""
    opener = Opener(REGISTRY, tables.table.scheduler, pace=0, elsewhere=tables.bots)
    hosts: list[Host] = []

    def begin() -> None:
        players = [Player("Anna", NETWORK), Player("Bob", NETWORK)]
        host = opener.start(NewGame("gamon", players, seed=3, record=path))
        hosts.append(host)
        host.begin()

    live.in_loop(begin)
    return hosts


async def test_two_bots_of_other_machines_play_a_game(
    live: RunningServer, tables: BotTables, tmp_path: Path
) -> None:
    """The server runs no bot: each seat is asked over its own connection."""
    path = tmp_path / "game.jsonl"
    bots = [Visiting(live, token, "random") for token in TOKENS]
    hosts = start(live, tables, path)

    def is_over() -> bool:
        return bool(hosts) and hosts[0].is_over

    await asyncio.gather(*(bot.until(is_over) for bot in bots))
    assert read_record(path).is_finished
    assert [bot.listener.events[0] for bot in bots] == ["gamon 0", "gamon 1"]
    live.in_loop(hosts[0].close)


async def test_a_bot_comes_back_after_a_lost_connection(
    live: RunningServer, tables: BotTables, tmp_path: Path
) -> None:
    """It gets the game again, and the game goes on where it was."""
    hosts = start(live, tables, tmp_path / "game.jsonl")
    wait_until(lambda: hosts)
    bot = Visiting(live, TOKENS[0], "random")

    lost: list[bool] = []

    def lose() -> bool:
        events = bot.listener.events
        link = tables.bots[0]._link
        if events == ["gamon 0"] and link is not None and not lost:
            lost.append(True)
            live.in_loop(lambda: link.close("restart", is_final=False))
        return events == ["gamon 0", "lost", "gamon 0"]

    await asyncio.wait_for(bot.until(lose), PATIENCE)
    assert bot.connection.error is None
    live.in_loop(hosts[0].close)


async def test_an_unknown_token_ends_the_connection_for_good(live: RunningServer) -> None:
    bot = Visiting(live, BOT_TOKEN, "random")
    await bot.until(lambda: False)
    assert "token is unknown" in str(bot.connection.error)


@pytest.mark.parametrize(
    ("kind", "message", "why"),
    [
        ("game", '{"game":"none","version":"1","seat":0,"seed":1}', "the table plays 'none'"),
        ("game", '{"game":"gamon","version":"?","seat":0,"seed":1}', "the server has version"),
        ("game", '{"game":"gamon"}', "invalid message"),
        ("game", "[", "invalid message"),
        ("turn", "{}", "turns without observations"),
        ("turn", '{"observation":5}', "invalid message"),
    ],
)
async def test_messages_of_servers_are_not_trusted(kind: str, message: str, why: str) -> None:
    """Each ends the connection, with the reason and what to do."""
    with pytest.raises(RemoteError, match=why):
        await BotPlayer(REGISTRY, "random").reply(kind, message)


@pytest.mark.parametrize("packed", ["AAAA", "@", "9" * 4001])
async def test_invalid_observations_end_the_connection(packed: str) -> None:
    """They are decoded as data, without running any code."""
    player = BotPlayer(REGISTRY, "random")
    version = REGISTRY.game("gamon").version
    begin = f'{{"game":"gamon","version":"{version}","seat":0,"seed":1}}'
    assert await player.reply("game", begin) is None
    with pytest.raises(RemoteError, match="invalid message"):
        await player.reply("turn", f'{{"observation":"{packed}"}}')
    player.rest()


async def test_a_bot_that_does_not_play_the_game_is_told_of_at_once() -> None:
    """`cardhub play` uses the same words."""
    begin = '{"game":"gamon","version":"1","seat":0,"seed":1}'
    with pytest.raises(RemoteError, match="unknown bot 'ruel'"):
        await BotPlayer(REGISTRY, "ruel").reply("game", begin)
