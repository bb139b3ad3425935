"""The workers of one search bot: orders to them, and their ratings merged with the bot's own."""

import weakref
from collections.abc import Iterable, Sequence
from queue import Empty
from random import Random
from threading import Lock
from typing import Any

from cardhub.bots.bot import Rated
from cardhub.bots.search.search_budget import SearchBudget
from cardhub.bots.search.workers.search_messages import SearchFailed
from cardhub.bots.search.workers.worker_lender import WorkerLender
from cardhub.bots.search.workers.worker_process import WorkerProcess
from cardhub.errors import BotCrashError, BotError, BotExceptionError
from cardhub.hidden.observation import Observation
from cardhub.hidden.serialization import serialize

# Bits of the seed of a worker's generator.
SEED_BITS = 63
# Seconds for a worker to answer once the time is over; then its ratings are left out.
GRACE = 1.0


class SearchMember:
    """One worker of a bot, which starts another process for one that has ended.

    Raises BotCrashError if a second process ends before the first reply.
    """

    def __init__(self, lender: WorkerLender, seed: int, budget: SearchBudget) -> None:
        self._lender = lender
        self._seed = seed
        self._budget = budget
        self._process: WorkerProcess | None = lender.take(seed)
        self._lock = Lock()  # a bot may be closed while it is asked
        self._ended = 0

    def ask(self, packed: bytes, actions: Sequence[int] | None) -> None:
        """Send an observation; see SearchOrder."""
        self._running().ask(packed, actions, self._budget)

    def stop(self) -> None:
        """Let the worker answer soon."""
        process = self._process
        if process is not None:
            process.stop()

    def answer(self, packed: bytes, actions: Sequence[int] | None) -> list[Rated]:
        """Return the ratings for what was asked; none if time is over and the worker is late."""
        grace = GRACE if self._budget.milliseconds else None
        try:
            while (reply := self._running().reply(grace)) is None:
                self._replace()
                if grace is not None:
                    return []
                self.ask(packed, actions)
        except Empty:
            return []
        self._ended = 0
        if isinstance(reply, SearchFailed):
            raise BotExceptionError(reply.message, details=reply.details)
        return [Rated(*each) for each in reply.rated]

    def close(self) -> None:
        """Give the process back, or kill it if it has not answered."""
        with self._lock:
            process, self._process = self._process, None
        if process is None:
            return
        if process.is_asked:
            self._lender.processes.drop(process)
        else:
            self._lender.processes.give_back(process)

    def _running(self) -> WorkerProcess:
        process = self._process
        if process is None:
            raise BotError("the bot has been closed")
        return process

    def _replace(self) -> None:
        with self._lock:
            ended = self._running()
            self._lender.processes.drop(ended)
            self._ended += 1
            if self._ended > 1:
                self._process = None
                raise BotCrashError(
                    "two worker processes of the search have ended, one after another"
                )
            self._process = self._lender.take(self._seed)


class SearchTeam:
    """The workers of one bot, with seeds from its generator; they are started when first asked.

    `budgets` are those of the workers.
    """

    def __init__(self, lender: WorkerLender, rng: Random, budgets: Sequence[SearchBudget]) -> None:
        self._lender = lender
        self._rng = rng
        self._budgets = budgets
        self._members: list[SearchMember] = []
        # A bot may be dropped without a call of `close`.
        weakref.finalize(self, _close, self._members).atexit = False
        self._asked: tuple[bytes, Sequence[int] | None] = b"", None

    def ask(self, observation: Observation[Any], actions: Sequence[int] | None) -> None:
        """Let all workers rate `actions`, with None the legal ones; raises BotError."""
        if not self._members:
            seeds = [self._rng.getrandbits(SEED_BITS) for _ in self._budgets]
            for seed, budget in zip(seeds, self._budgets, strict=True):
                self._members.append(SearchMember(self._lender, seed, budget))
        try:
            self._asked = serialize(observation), actions
        except TypeError as error:
            game = observation.game.name
            raise BotError(
                f"{game} cannot be searched by workers: {error}. fix: workers=1"
            ) from error
        for member in self._members:
            member.ask(*self._asked)

    def stop(self) -> None:
        """Let all workers answer soon; called from any thread."""
        for member in self._members:
            member.stop()

    def answers(self) -> list[list[Rated]]:
        """Return the ratings of all workers; raises BotError."""
        return [member.answer(*self._asked) for member in self._members]

    def close(self) -> None:
        """Give the workers back; called from any thread."""
        _close(self._members)


def merged(ratings: Sequence[Iterable[Rated]]) -> list[Rated]:
    """Return the ratings of several searches as one: by action, visits and values are added.

    The actions and their order are those of the first search.
    """
    visits: dict[int, int] = {}
    totals: dict[int, float] = {}
    for rated in ratings:
        for each in rated:
            visits[each.action] = visits.get(each.action, 0) + each.visits
            totals[each.action] = totals.get(each.action, 0.0) + each.visits * each.value
    return [
        Rated(action, visits[action], totals[action] / max(visits[action], 1))
        for action in (each.action for each in ratings[0])
    ]


def _close(members: Iterable[SearchMember]) -> None:
    for member in members:
        member.close()
