"""Tables whose bots and hints come from a pool of workers."""

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.kit.paths import ROOT
from typing_extensions import override

from cardhub.play.host.opening import NewGame, Opener
from cardhub.play.host.scheduler import BlockingScheduler
from cardhub.play.seating import Player
from cardhub.play.table_messages import HintMessage
from cardhub.play.workers.pool.bot_pool import BotPool
from cardhub.play.workers.pool.worker_slot import PooledQuestion
from cardhub.plugins.registry import find_plugins

REGISTRY = find_plugins()
SIMPLE_BOT = ROOT / "examples" / "bots" / "simple_bot.py"


class CountingPool(BotPool):
    """A pool that counts the questions."""

    asked = 0

    @override
    def ask(self, question: PooledQuestion) -> None:
        self.asked += 1
        super().ask(question)


@pytest.fixture(scope="module")
def pool() -> Iterator[CountingPool]:
    """Return a pool with one worker."""
    with closing(CountingPool(workers=1)) as pool:
        yield pool


def test_bots_and_hints_of_a_table_come_from_the_pool(pool: CountingPool, tmp_path: Path) -> None:
    scheduler, hints = BlockingScheduler(), list[HintMessage]()
    opener = Opener(REGISTRY, scheduler, pace=0, pool=pool)
    players = [Player("Anna", "human"), Player("Bob", "random")]
    new = NewGame("kuhn", players, seed=3, record=tmp_path / "game.jsonl", hint="ismcts:20")
    with closing(opener.start(new)) as host:
        session = host.model(0)
        host.begin()
        session.hint(hints.append)
        scheduler.run_until(lambda: bool(hints))
        assert hints[0].actions
        while not host.is_over:
            view = session.view()
            if view.choices:
                session.act(view.choices[0].action, view.revision, pytest.fail)
            scheduler.run_until(lambda: host.is_over or bool(session.view().choices))
    assert pool.asked >= 2


def test_programs_have_a_process_of_their_own(pool: CountingPool, tmp_path: Path) -> None:
    before, scheduler = pool.asked, BlockingScheduler()
    opener = Opener(REGISTRY, scheduler, pace=0, pool=pool)
    program = Player("Anna", f"cmd:{sys.executable} {SIMPLE_BOT}")
    new = NewGame("kuhn", [program, Player("Bob", "random")], seed=3, record=tmp_path / "g.jsonl")
    with closing(opener.start(new)) as host:
        host.begin()
        scheduler.run_until(lambda: host.is_over)
        record = (tmp_path / "g.jsonl").read_text("utf-8")
    of_random = record.count('{"seat": 1, ')
    assert pool.asked - before == of_random >= 1
