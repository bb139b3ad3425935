"""The clients of a table whose bots run in several places."""

from collections.abc import Iterator, Mapping
from typing import Any

from typing_extensions import override

from cardhub.model.hidden.observation import Observation
from cardhub.play.workers.client import BotClient, OnAnswer
from cardhub.play.workers.lineup import Lineup
from cardhub.play.workers.pool.bot_pool import BotPool
from cardhub.play.workers.process import BotProcess
from cardhub.plugins.registry import PluginRegistry


class RoutingClient(BotClient):
    """Passes each question on to the client of its seat."""

    _asked: BotClient | None = None

    def client_of(self, seat: int) -> BotClient:
        """Return the client for the bot of a seat."""
        raise NotImplementedError

    @override
    def ask(self, observation: Observation[Any], on_answer: OnAnswer) -> None:
        client = self.client_of(observation.seat)
        if client is not self._asked:
            self.stop()
        self._asked = client
        client.ask(observation, on_answer)

    @override
    def hurry(self) -> None:
        if self._asked is not None:
            self._asked.hurry()

    @override
    def stop(self) -> None:
        if self._asked is not None:
            self._asked.stop()


class NetworkRouter(RoutingClient):
    """A client whose bots run here, except in the seats `elsewhere`, which may change."""

    def __init__(self, here: BotClient, elsewhere: Mapping[int, BotClient]) -> None:
        self._here = here
        self._elsewhere = elsewhere

    @override
    def client_of(self, seat: int) -> BotClient:
        return self._elsewhere.get(seat, self._here)

    @override
    def start(self) -> None:
        self._here.start()

    @override
    def reseat(self, lineup: Lineup) -> None:
        self._here.reseat(lineup)


class TableClient(RoutingClient):
    """A client whose bots run in a pool, except bots that run programs or load files.

    These run in a separate process, in which time limits do not include the loading.
    """

    def __init__(self, lineup: Lineup, registry: PluginRegistry, pool: BotPool) -> None:
        self._registry = registry
        self._pooled = pool.client(lineup)
        self._process = BotProcess(lineup)
        self._seat_in(lineup)

    @override
    def client_of(self, seat: int) -> BotClient:
        return self._process if seat in self._own else self._pooled

    @override
    def start(self) -> None:
        for client in self._used():
            client.start()

    @override
    def reseat(self, lineup: Lineup) -> None:
        self._seat_in(lineup)
        self._process.reseat(lineup)
        self._pooled.reseat(lineup)

    def close(self) -> None:
        """Cancel the pending question and close the bots."""
        self.stop()
        self._process.close()
        self._pooled.close()

    def _seat_in(self, lineup: Lineup) -> None:
        specs = lineup.specs.items()
        self._seats = set(lineup.specs)
        self._own = {seat for seat, spec in specs if self._loads(spec, lineup.game)}

    def _loads(self, spec: str, game: str) -> bool:
        return any(part.loads for part in self._registry.parts(spec, game))

    def _used(self) -> Iterator[BotClient]:
        if self._own:
            yield self._process
        if self._seats - self._own:
            yield self._pooled
