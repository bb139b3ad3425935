"""The client through which a table asks its bots in a pool."""

from typing import Any, Protocol

from typing_extensions import override

from cardhub.model.hidden.observation import Observation
from cardhub.play.workers.bot_child import build_begin
from cardhub.play.workers.client import BotClient, OnAnswer, pack
from cardhub.play.workers.lineup import Lineup
from cardhub.play.workers.pool.worker_slot import PooledQuestion


class BotQueue(Protocol):
    """The part of a pool that its clients use; tables are numbers."""

    def start(self) -> None:
        """Start all workers; the first questions then do not wait for them."""
        ...

    def ask(self, question: PooledQuestion) -> None:
        """Put a question at the end of the queue, instead of an earlier one of its table."""
        ...

    def hurry(self, table: int) -> None:
        """Request a quick answer to the question of a table, once it is asked."""
        ...

    def drop(self, table: int) -> None:
        """Cancel the question of a table; it is not answered."""
        ...

    def forget(self, table: int) -> None:
        """Cancel the question of a table and close its bots."""
        ...


class PooledClient(BotClient):
    """A BotClient of a pool for one table, or for the adviser of one.

    Bots remember their game as long as their worker keeps them; otherwise they are created again.
    """

    def __init__(self, pool: BotQueue, table: int, lineup: Lineup) -> None:
        self._pool = pool
        self._table = table
        self._lineup = lineup

    @override
    def start(self) -> None:
        self._pool.start()

    @override
    def ask(self, observation: Observation[Any], on_answer: OnAnswer) -> None:
        packed = pack(observation, on_answer)
        if packed is None:
            return
        # Ratings are shown as they are; the referee checks chosen actions.
        legal = observation.legal() if self._lineup.advises else None
        begin = build_begin(self._lineup)
        self._pool.ask(PooledQuestion(self._table, begin, packed, legal, on_answer))

    @override
    def hurry(self) -> None:
        self._pool.hurry(self._table)

    @override
    def stop(self) -> None:
        self._pool.drop(self._table)

    @override
    def reseat(self, lineup: Lineup) -> None:
        self._pool.drop(self._table)
        self._lineup = lineup

    def close(self) -> None:
        """Cancel the pending question and close the bots."""
        self._pool.forget(self._table)
