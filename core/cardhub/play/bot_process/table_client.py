"""The client of a table whose bots run in several places."""

from collections.abc import Iterator, Mapping
from typing import Any

from typing_extensions import override

from cardhub.bots.option import Command
from cardhub.hidden.observation import Observation
from cardhub.play.bot_process.client import BotClient, Hear
from cardhub.play.bot_process.lineup import Lineup
from cardhub.play.bot_process.pool.bot_pool import BotPool
from cardhub.play.bot_process.process import BotProcess
from cardhub.plugins.registry import PluginRegistry


class TableClient(BotClient):
    """Routes each question by its seat: to a client elsewhere, a process or a pool.

    `elsewhere` has the clients of seats whose bots run on other machines; it may change. Bots that
    run programs have a process of their own, without a pool all bots do.
    """

    def __init__(
        self,
        lineup: Lineup,
        registry: PluginRegistry,
        pool: BotPool | None,
        elsewhere: Mapping[int, BotClient],
    ) -> None:
        self._registry = registry
        self._elsewhere = elsewhere
        self._pooled = pool.client(lineup) if pool is not None else None
        self._process = BotProcess(lineup)
        self._asked: BotClient | None = None
        self._seat_in(lineup)

    @override
    def start(self) -> None:
        for client in self._local():
            client.start()

    @override
    def ask(self, observation: Observation[Any], hear: Hear) -> None:
        client = self._client_of(observation.seat)
        if client is not self._asked:
            self.stop()
        self._asked = client
        client.ask(observation, hear)

    @override
    def reseat(self, lineup: Lineup) -> None:
        self._seat_in(lineup)
        self._process.reseat(lineup)
        if self._pooled is not None:
            self._pooled.reseat(lineup)

    @override
    def hurry(self) -> None:
        if self._asked is not None:
            self._asked.hurry()

    @override
    def stop(self) -> None:
        if self._asked is not None:
            self._asked.stop()

    def close(self) -> None:
        """Cancel the pending question and close the bots; those elsewhere are not closed."""
        self.stop()
        self._process.close()
        if self._pooled is not None:
            self._pooled.close()

    def _seat_in(self, lineup: Lineup) -> None:
        specs = lineup.specs.items()
        self._seats = set(lineup.specs)
        self._own = {seat for seat, spec in specs if self._needs_process(spec, lineup.game)}

    def _needs_process(self, spec: str, game: str) -> bool:
        if self._pooled is None:
            return True
        parts = self._registry.parts(spec, game)
        options = (option for part in parts for option in part.entry.options.values())
        return any(isinstance(option, Command) for option in options)

    def _client_of(self, seat: int) -> BotClient:
        if seat in self._elsewhere:
            return self._elsewhere[seat]
        return self._process if self._pooled is None or seat in self._own else self._pooled

    def _local(self) -> Iterator[BotClient]:
        if self._own:
            yield self._process
        if self._pooled is not None and self._seats - self._own:
            yield self._pooled
