"""The clients of a table whose bots run in several places."""

from collections.abc import Mapping
from typing import Any

from typing_extensions import override

from cardhub.bots import LLM
from cardhub.model.hidden.observation import Observation
from cardhub.play.workers.bot_messages import Lineup
from cardhub.play.workers.client import BotClient, OnAnswer
from cardhub.play.workers.pool.bot_pool import BotPool
from cardhub.play.workers.pool.fair_shares import TableShare
from cardhub.play.workers.process import BotProcess
from cardhub.plugins.registry import PluginRegistry


class RoutedClient(BotClient):
    """A BotClient that passes each question on to the client of its seat.

    `elsewhere`: the clients by seat, which may change; `here`: the client of all other seats.
    """

    def __init__(self, here: BotClient, elsewhere: Mapping[int, BotClient]) -> None:
        self._here = self._asked = here
        self._elsewhere = elsewhere

    @override
    def start(self) -> None:
        self._here.start()

    @override
    def ask(self, observation: Observation[Any], on_answer: OnAnswer) -> None:
        client = self._elsewhere.get(observation.seat, self._here)
        if client is not self._asked:
            self.stop()
        self._asked = client
        client.ask(observation, on_answer)

    @override
    def reseat(self, lineup: Lineup) -> None:
        self._here.reseat(lineup)

    @override
    def hurry(self) -> None:
        self._asked.hurry()

    @override
    def stop(self) -> None:
        self._asked.stop()


class TableClient(RoutedClient):
    """A client whose bots run in a pool, except those that run programs, load files or ask models.

    These run in a separate process, in which time limits do not include the loading, and in which a
    slow server of a language model keeps no other table waiting. `share`: the table's claim to the
    pool. Raises ValueError if the pool has other plugins than the registry.
    """

    def __init__(
        self,
        lineup: Lineup,
        registry: PluginRegistry,
        pool: BotPool,
        share: TableShare | None = None,
    ) -> None:
        if registry.directories != pool.directories:
            raise ValueError("the plugin directories of the table differ from the pool's")
        self._registry = registry
        self._pooled = pool.client(lineup, share)
        self._process = BotProcess(registry.directories, lineup)
        self._loading: dict[int, BotClient] = {}
        super().__init__(self._pooled, self._loading)
        self._seat_in(lineup)

    @override
    def start(self) -> None:
        if self._loading:
            self._process.start()
        if self._seats - self._loading.keys():
            self._pooled.start()

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
        self._seats = set(lineup.specs)
        self._loading.clear()
        for seat, spec in lineup.specs.items():
            parts = list(self._registry.parts(spec, lineup.game))
            if any(part.loads or part.entry == LLM for part in parts):
                self._loading[seat] = self._process
