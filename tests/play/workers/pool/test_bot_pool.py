"""A pool of workers: fair turns, budgets, memory of games, faults and their limits."""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import pytest
from msgspec import structs
from tests.kit.processes import is_running
from tests.kit.waiting import PATIENCE, wait_until

from cardhub.base.errors import BotCrashError, BotExceptionError, BotGarbageError, BotTimeoutError
from cardhub.bots.asking import choose
from cardhub.bots.processes import python_process
from cardhub.play.referee import Referee
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import seated, set_up
from cardhub.play.workers.bot_messages import Lineup, advisers_of, bots_of
from cardhub.play.workers.pool.bot_pool import BotPool, PooledClient
from cardhub.play.workers.pool.worker_slot import QuestionBudgets
from cardhub.plugins.registry import find_plugins

THINKERS = Path(__file__).parents[1] / "thinkers"
REGISTRY = find_plugins([THINKERS])
LOOP, HOG, LEAVE, VANISH, KILL, RAISE, BEAR = range(7)
ROOM = "cardhub.play.workers"
LONG = 1000.0
# Hurries no bot and kills no worker: on a busy machine a worker, which has a low priority, may take
# long to hear that it is to hurry. Tests of one limit shorten that one.
PATIENT = QuestionBudgets(alone=LONG, turn=LONG, grace=LONG, drop_grace=LONG)

Heard = SimpleQueue[Any]


class Table:
    """A game whose seats all have one kind of bot, and its client of a pool."""

    def __init__(self, pool: BotPool, bot: str, *, advises: bool = False) -> None:
        self.referee = referee(bot if not advises else "human")
        lineup = bots_of(self.referee, REGISTRY)
        if advises:
            lineup = advisers_of(self.referee, REGISTRY, bot)
        self.client: PooledClient = pool.client(lineup)
        self.heard = Heard()

    @property
    def legal(self) -> list[int]:
        """The legal actions of the seat to act."""
        return list(self.referee.observe(self.referee.seat).legal())

    def ask(self) -> "Table":
        """Ask the bot of the seat to act."""
        self.client.ask(self.referee.observe(self.referee.seat), self.heard.put)
        return self

    def answer(self, seconds: float = PATIENCE) -> Any:
        """Return the answer to a question."""
        return self.heard.get(timeout=seconds)


def referee(bot: str) -> Referee[Any]:
    """Return a game of Gargon in which one kind of bot has all seats."""
    made = set_up(REGISTRY.game("gargon"), [Player(name, bot) for name in NAMES[:3]], {}, seed=4)
    made.proceed()
    return made


@pytest.fixture(scope="module")
def failing_file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return the file that makes failing bots fail, known to all workers of this module."""
    path = tmp_path_factory.mktemp("pool") / "failing"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDHUB_TEST_FAIL", str(path))
        yield path


@pytest.fixture
def trouble(failing_file: Path) -> Iterator[Path]:
    """Return the file that makes bots fail, which exists."""
    failing_file.write_text("")
    yield failing_file
    failing_file.unlink(missing_ok=True)


@pytest.fixture(scope="module")
def pool(failing_file: Path) -> Iterator[BotPool]:
    """Return a pool with one worker."""
    yield from pool_of(1)


@pytest.fixture(scope="module")
def two_workers(failing_file: Path) -> Iterator[BotPool]:
    """Return a pool with two workers."""
    yield from pool_of(2)


@pytest.fixture
def pair(two_workers: BotPool) -> Iterator[BotPool]:
    """Return the pool with two workers; a test may change its budgets."""
    yield two_workers
    two_workers.budgets = PATIENT


def pool_of(workers: int) -> Iterator[BotPool]:
    """Yield a pool whose workers have imported the plugins."""
    pool = BotPool(REGISTRY.directories, workers, PATIENT)
    for table in [Table(pool, "random").ask() for _ in range(workers)]:
        assert table.answer() in table.legal
        table.client.close()
    yield pool
    pool.close()


@pytest.fixture
def seat(request: pytest.FixtureRequest) -> Iterator[Callable[..., Table]]:
    """Return a function that opens a table, which is closed with the test."""
    tables = []

    def seat(pool: BotPool, bot: str, *, advises: bool = False) -> Table:
        tables.append(Table(pool, bot, advises=advises))
        return tables[-1]

    yield seat
    for table in tables:
        table.client.close()


Seat = Callable[..., Table]


@pytest.mark.parametrize("bot", ["counting", "drawing", "ismcts:5"])
def test_a_game_is_the_same_in_a_pool(pool: BotPool, seat: Seat, bot: str) -> None:
    """Bots remember their game and have the same seeds if tables share a worker."""
    tables = [seat(pool, bot), seat(pool, bot)]
    here = referee(bot)
    with seated(REGISTRY, here) as bots:
        for _ in range(12):
            action = choose(bots[here.seat], here.observe(here.seat))
            for table in tables:
                assert table.ask().answer() == action
                table.referee.apply(action)
            here.apply(action)


def test_tables_are_served_in_turn(pool: BotPool, seat: Seat) -> None:
    """A table that asks again immediately waits for all earlier questions."""
    order = SimpleQueue[str]()
    tables = {name: seat(pool, "ponder:10") for name in "abc"}
    before = seat(pool, "ponder:20000").ask()  # all of them wait for it

    def ask(name: str, again: bool) -> None:
        table = tables[name]

        def heard(answer: object) -> None:
            order.put(name)
            if again:
                ask(name, again=False)

        table.client.ask(table.referee.observe(0), heard)

    for name in tables:
        ask(name, again=True)
    before.client.hurry()
    assert [order.get(timeout=PATIENCE) for _ in range(6)] == list("abcabc")


def test_a_waiting_question_can_be_cancelled(pool: BotPool, seat: Seat) -> None:
    """It never reaches the worker; a question asked instead of it goes to the end of the queue."""
    first, second, third = (seat(pool, f"ponder:{time}") for time in (20000, 10, 10))
    for table in (first, second, third):
        table.ask()
    second.client.stop()
    third.ask()
    first.client.hurry()
    assert third.answer() == third.legal[-1]
    assert first.answer() == first.legal[0]
    assert pool.pending == 0
    assert second.heard.empty()
    assert third.heard.empty()


def test_a_bot_can_be_hurried_while_it_thinks_and_while_it_waits(pool: BotPool, seat: Seat) -> None:
    """It answers with its current best action; the next question gets the full time."""
    first, second = (seat(pool, "ponder:20000").ask() for _ in range(2))
    second.client.hurry()
    with pytest.raises(Empty):
        first.answer(0.2)
    first.client.hurry()
    assert first.answer() == first.legal[0]
    assert second.answer() == second.legal[0]
    brief = seat(pool, "ponder:10")
    assert brief.ask().answer() == brief.legal[-1]


def test_a_running_question_can_be_cancelled(pool: BotPool, seat: Seat) -> None:
    """Its answer is dropped, and the worker keeps the bots of other tables."""
    other = seat(pool, "counting")
    assert other.ask().answer() == other.legal[0]
    table = seat(pool, "ponder:20000").ask()
    time.sleep(0.1)
    table.client.stop()
    assert other.ask().answer() == other.legal[1]
    assert table.heard.empty()


def test_advice_is_checked(pool: BotPool, seat: Seat) -> None:
    """Hints come from the pool as well, with ratings of legal actions only."""
    table = seat(pool, "ponder:1", advises=True)
    rated = table.ask().answer()
    assert [rating.action for rating in rated] == table.legal[::-1]


def test_a_table_may_change_its_bots(pool: BotPool, seat: Seat) -> None:
    """Unchanged seats keep their bots and what these remember."""
    table = seat(pool, "counting")
    assert table.ask().answer() == table.legal[0]
    lineup = bots_of(table.referee, REGISTRY)
    table.client.reseat(_with_bot(lineup, 1, "random"))
    assert table.ask().answer() == table.legal[1]
    table.client.reseat(_with_bot(lineup, 0, "ponder:1"))
    assert table.ask().answer() == table.legal[-1]
    table.client.reseat(lineup)
    assert table.ask().answer() == table.legal[0]


def _with_bot(lineup: Lineup, seat: int, spec: str) -> Lineup:
    return structs.replace(lineup, specs={**lineup.specs, seat: spec})


def test_a_bot_that_takes_too_long_is_hurried(pair: BotPool, seat: Seat) -> None:
    pair.budgets = replace(PATIENT, alone=0.4)
    table = seat(pair, "ponder:90000").ask()
    assert table.answer() == table.legal[0]


def test_many_questions_shorten_all_searches(pair: BotPool, seat: Seat) -> None:
    """If questions outnumber workers; the last questions get the full time again."""
    pair.budgets = replace(PATIENT, turn=0.4)
    tables = [seat(pair, "ponder:90000").ask() for _ in range(8)]
    wait_until(lambda: sum(not table.heard.empty() for table in tables) == 6)
    with pytest.raises(Empty):
        tables[-1].answer(0.5)
    for table in tables:
        table.client.hurry()
        assert table.answer() == table.legal[0]


def test_only_the_table_of_a_bot_that_hangs_gets_a_fault(
    pair: BotPool, seat: Seat, trouble: Path
) -> None:
    """Its worker and the processes of the bot are killed; other tables are still served."""
    hung = seat(pair, f"failing:{BEAR}").ask()
    wait_until(lambda: len(trouble.read_text().split()) == 2)
    others = [seat(pair, "ponder:5").ask() for _ in range(3)]
    for other in others:
        assert other.answer() == other.legal[-1]
    pair.budgets = replace(PATIENT, alone=0.4, grace=0.1)
    others[0].ask()  # each question has the budgets looked at
    fault = hung.answer()
    pair.budgets = PATIENT
    assert isinstance(fault, BotTimeoutError)
    assert "no answer within" in str(fault)
    pids = [int(word) for word in trouble.read_text().split()]
    wait_until(lambda: not any(map(is_running, pids)))
    trouble.unlink()
    assert hung.ask().answer() in hung.legal


@pytest.mark.parametrize(
    ("way", "kind"), [(LEAVE, BotExceptionError), (RAISE, BotExceptionError), (KILL, BotCrashError)]
)
def test_a_bot_that_fails_is_asked_again(
    pool: BotPool, seat: Seat, trouble: Path, way: int, kind: type[Exception]
) -> None:
    """Its table gets the fault, the table after it an answer, and the next question is answered."""
    table, other = seat(pool, f"failing:{way}").ask(), seat(pool, "ponder:5").ask()
    assert isinstance(table.answer(), kind)
    assert other.answer() == other.legal[-1]
    trouble.unlink()
    assert table.ask().answer() in table.legal


def test_a_worker_that_writes_garbage_is_replaced(
    pool: BotPool, seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(python_process, "BOOT", "import os; os.write(1, b'x' * 99)")
    broken = BotPool(REGISTRY.directories, 1)
    table = seat(broken, "random").ask()
    assert isinstance(table.answer(), BotGarbageError | BotCrashError)
    monkeypatch.undo()
    assert table.ask().answer() in table.legal
    broken.close()


def test_a_pool_that_cannot_start_a_process_tells_all_tables(
    seat: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    broken = BotPool(REGISTRY.directories, 1)
    assert isinstance(seat(broken, "random").ask().answer(), BotCrashError)
    broken.close()
    monkeypatch.undo()
    monkeypatch.setattr(
        "cardhub.bots.processes.python_process.BOOT", "import sys; sys.exit(5) # {module}"
    )
    broken = BotPool(REGISTRY.directories, 2)
    tables = [seat(broken, "random").ask() for _ in range(5)]
    assert all(isinstance(table.answer(), BotCrashError) for table in tables)
    broken.close()


def test_closing_leaves_no_process(failing_file: Path) -> None:
    pool = BotPool(REGISTRY.directories, 1)
    failing_file.write_text("")
    table = Table(pool, f"failing:{HOG}").ask()
    wait_until(lambda: bool(failing_file.read_text()))
    pid = int(failing_file.read_text())
    failing_file.unlink()
    pool.close()
    assert not is_running(pid)
    assert isinstance(table.ask().answer(), BotCrashError)


def test_a_worker_keeps_people_first(pool: BotPool, seat: Seat, trouble: Path) -> None:
    """Its priority is lower than the server's, or the lowest (nice 19)."""
    table = seat(pool, f"failing:{RAISE}").ask()
    table.answer()
    pid = int(trouble.read_text())
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, pid) == min(own + 10, 19)


def test_budgets_shrink_with_the_queue() -> None:
    """Alone a bot gets all its time; in a queue the turn of each takes about the same."""
    budgets = QuestionBudgets(alone=5, turn=4, least=0.1)
    assert budgets.of(2, workers=2) == 5
    assert budgets.of(8, workers=2) == 1
    assert budgets.of(1000, workers=2) == 0.1
