"""Waiting time of people while search bots think: a server in this process, bots in a pool.

Half of the tables have a person and three searches by the clock, the others people only; before
that, the people are measured without the tables of bots. Every person acts with the first legal
action, a random time after their turn has begun, because otherwise all would act together. A
person's action takes from the moment when it is due until the view after it has been built, so it
includes the time for which the server was busy; the turn of a bot takes from the question to its
answer.
"""

import argparse
import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import monotonic
from typing import NamedTuple

from typing_extensions import override

from cardhub.base.errors import BotFaultError
from cardhub.play.host.opening import NewGame, Opener
from cardhub.play.host.scheduler import LoopScheduler
from cardhub.play.host.table_host import Host
from cardhub.play.host.viewer_session import ViewerSession
from cardhub.play.seating import HUMAN, NAMES, Player
from cardhub.play.table_commands import Act
from cardhub.play.workers.pool.bot_pool import BotPool
from cardhub.play.workers.pool.worker_slot import PooledQuestion
from cardhub.plugins.registry import find_plugins
from speed import surroundings

GAME, BOT, SEATS = "gargon", "adviser", 4
# Milliseconds that 99 of 100 actions of people may take.
LIMIT = 100.0
# Mean number of seconds in which a person acts.
THINK = 1.0


class BotLoad(NamedTuple):
    """The duration of each action of a person and of each turn of a bot, in seconds."""

    actions: Sequence[float]
    turns: Sequence[float]
    faults: int


class TimedPool(BotPool):
    """A pool that measures the time for each answer."""

    def __init__(self, workers: int | None) -> None:
        super().__init__(workers=workers)
        self.turns: list[float] = []
        self.faults = 0

    @override
    def ask(self, question: PooledQuestion) -> None:
        begun, on_answer = monotonic(), question.on_answer

        def heard(answer: object) -> None:
            self.turns.append(monotonic() - begun)
            self.faults += isinstance(answer, BotFaultError)
            if on_answer is not None:
                on_answer(answer)

        question.on_answer = heard
        super().ask(question)


class Person:
    """A person at a table, who acts within twice `THINK` seconds after their turn has begun."""

    def __init__(
        self, host: Host, session: ViewerSession, rng: Random, actions: list[float]
    ) -> None:
        self._session = session
        self._rng = rng
        self._actions = actions
        self._asked = -1
        host.subscribe(self._look)
        self._look()

    def _look(self) -> None:
        view = self._session.view()
        if view.choices and view.revision != self._asked:
            self._asked = view.revision
            wait = 2 * THINK * self._rng.random()
            asyncio.get_running_loop().call_later(wait, self._act, monotonic() + wait)

    def _act(self, due: float) -> None:
        view = self._session.view()
        if view.revision == self._asked:
            action = Act(action=view.choices[0].action, rev=view.revision)
            self._session.send(action, print)
            self._session.view()
            self._actions.append(monotonic() - due)


async def measure(
    tables: int,
    seconds: float,
    *,
    workers: int | None = None,
    has_bots: bool = True,
) -> BotLoad:
    """Run people and bots for `seconds`, the first tenth of which does not count."""
    pool = TimedPool(workers)
    opener = Opener(find_plugins(), LoopScheduler(), pool=pool)
    actions: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        hosts = [
            open_table(opener, kind, Path(folder) / f"{kind}-{number}.jsonl", actions)
            for number in range(tables)
            for kind in ((BOT, HUMAN) if has_bots else (HUMAN,))
        ]
        await asyncio.sleep(seconds / 10)
        actions.clear()
        pool.turns.clear()
        await asyncio.sleep(seconds)
        bot_load = BotLoad(list(actions), list(pool.turns), pool.faults)
        for host in hosts:
            host.close()
    pool.close()
    return bot_load


def open_table(opener: Opener, kind: str, path: Path, actions: list[float]) -> Host:
    """Open a table with a person and three players of one kind."""
    players = [Player(name, kind if seat else HUMAN) for seat, name in enumerate(NAMES[:SEATS])]
    host = opener.start(NewGame(GAME, players, record=path))
    host.stops_at_summaries = False
    for seat in host.people:
        Person(host, host.session(seat), Random(f"{path.name} {seat}"), actions)
    host.begin()
    return host


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value that a share of all values does not exceed."""
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=20, help="tables of each of the two kinds")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, help="default: processors minus one")
    options = parser.parse_args()
    alone = asyncio.run(measure(options.tables, options.seconds / 2, has_bots=False))
    bot_load = asyncio.run(measure(options.tables, options.seconds, workers=options.workers))
    print(surroundings(), f"{options.tables} tables of three {BOT} bots, {GAME}", "", sep="\n")
    print(f"{'':28}{'number':>8}{'p50':>11}{'p99':>11}{'longest':>11}")
    for name, values, scale, unit in (
        ("actions of people, no bots", alone.actions, 1000, "ms"),
        ("actions of people", bot_load.actions, 1000, "ms"),
        ("turns of bots", bot_load.turns, 1, "s"),
    ):
        row = [scale * quantile(values, share) for share in (0.5, 0.99, 1)]
        print(f"{name:28}{len(values):8}" + "".join(f"{value:8.2f} {unit:2}" for value in row))
    print(f"faults of bots: {bot_load.faults}; limit of actions: {LIMIT:g} ms")


if __name__ == "__main__":
    main()
