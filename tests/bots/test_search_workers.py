"""Searches by several processes: their ratings, budgets and ends, and what the processes get."""

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from random import Random
from threading import Thread
from time import monotonic, process_time, sleep
from typing import Any

import pytest
from tests.kit.processes import is_running
from tests.kit.waiting import wait_until

from cardhub.base.errors import BotCrashError, BotError, OptionError
from cardhub.bots import Rated
from cardhub.bots.processes.child_process import ChildProcess
from cardhub.bots.processes.python_process import Failed
from cardhub.bots.search.search_bot import SearchBot
from cardhub.bots.search.workers.search_team import WorkerPool, WorkerProcess
from cardhub.bots.search.workers.tree_exchange import (
    SearchOrder,
    TreeChanges,
    TreeUpdate,
    WorkerOrder,
)
from cardhub.model.hidden.observation import Observation
from cardhub.model.hidden.serialization import deserialize
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import SEARCH_WORKER, PluginRegistry, find_plugins

ITERATIONS = "ismcts:240,workers=2"


@pytest.fixture(scope="module")
def registry() -> Iterator[PluginRegistry]:
    """Return a registry, whose workers serve all tests of this module."""
    registry = find_plugins()
    yield registry
    registry.close()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[WorkerProcess]:
    """Return a list that collects the worker processes that bots take."""
    processes_taken = []
    borrow = WorkerPool.borrow

    def noting(pool: WorkerPool, seed: int) -> WorkerProcess:
        processes_taken.append(borrow(pool, seed))
        return processes_taken[-1]

    monkeypatch.setattr(WorkerPool, "borrow", noting)
    return processes_taken


def seen(game: str = "gamon", steps: int = 0) -> Observation[Any]:
    """Return the observation of the seat to act after the first legal actions of a game."""
    rules = find_plugins().game(game)
    players = [Player(f"player {seat}", "bot") for seat in range(rules.seats.low)]
    referee = set_up(rules, players, {}, seed=4)
    referee.proceed()
    for _ in range(steps):
        referee.apply(referee.observe(referee.seat).legal()[0])
    return referee.observe(referee.seat)


def search_bot(registry: PluginRegistry, spec: str, game: str = "gamon") -> SearchBot:
    """Return a bot that searches."""
    bot = registry.make_bot(spec, game, Random(1))
    assert isinstance(bot, SearchBot)
    return bot


def visits(rated: list[Rated]) -> int:
    """Return the number of iterations that ratings rest on."""
    return sum(rating.visits for rating in rated)


@pytest.mark.parametrize("workers", [2, 3])
def test_iterations_are_divided_among_the_workers(registry: PluginRegistry, workers: int) -> None:
    """The total equals the iterations of one process."""
    bot = search_bot(registry, f"ismcts:400,workers={workers}")
    assert visits(bot.advise(seen())) == 400
    bot.close()


def test_equal_seeds_and_workers_rate_equally(registry: PluginRegistry) -> None:
    """Over several decisions with kept trees, and with processes that have had other bots."""

    def ratings() -> list[list[Rated]]:
        bot = search_bot(registry, ITERATIONS)
        answers = [bot.advise(seen(steps=steps)) for steps in (0, 2, 4)]
        bot.close()
        return answers

    assert ratings() == ratings()


def test_every_worker_keeps_its_tree(registry: PluginRegistry) -> None:
    """The second search of a position has the visits of both."""
    bot = search_bot(registry, ITERATIONS)
    assert [visits(bot.advise(seen())) for _ in range(2)] == [240, 480]
    bot.close()


def test_flat_search_and_comparisons_have_workers(registry: PluginRegistry) -> None:
    """Compared actions have equal numbers of visits."""
    flat = search_bot(registry, "pimc:300,workers=2")
    assert visits(flat.advise(seen())) == 300
    flat.close()
    bot = search_bot(registry, ITERATIONS)
    actions = seen().legal()[:3]
    assert [r[:2] for r in bot.compare(seen(), actions)] == [(action, 240) for action in actions]
    bot.close()


def test_the_best_action_has_a_line_with_workers(registry: PluginRegistry) -> None:
    """The line comes from the bot's own tree."""
    bot = search_bot(registry, "ismcts:800,workers=2")
    assert bot.advise(seen())[0].line
    bot.close()


@pytest.mark.parametrize("spec", ["ismcts:100,workers=2", "ismcts:milliseconds=50,workers=2"])
def test_short_thinking_has_no_workers(
    spec: str, registry: PluginRegistry, started: list[WorkerProcess]
) -> None:
    """The start of a process would take more time than it saves."""
    search_bot(registry, spec).choose(seen())
    assert started == []


def test_processes_are_kept_for_the_next_bot(
    registry: PluginRegistry, started: list[WorkerProcess]
) -> None:
    for _ in range(2):
        bot = search_bot(registry, ITERATIONS)
        for steps in (0, 2):
            bot.choose(seen(steps=steps))
        bot.close()
    assert len(started) == 2
    assert started[0] is started[1]


def test_processes_of_a_bot_that_nobody_closes_are_kept_for_the_next(
    registry: PluginRegistry, started: list[WorkerProcess]
) -> None:
    """The processes are free after the bot is garbage-collected."""
    for _ in range(2):
        search_bot(registry, ITERATIONS).choose(seen())
        gc.collect()
    assert started[0] is started[1]


def test_workers_search_as_long_as_the_bot(registry: PluginRegistry) -> None:
    """Once they have started; until then the bot searches alone."""
    bot = search_bot(registry, "ismcts:milliseconds=200,workers=2,keep=no")
    warm = search_bot(registry, ITERATIONS)
    warm.advise(seen())  # so that a process has started
    warm.close()
    begun, used = monotonic(), process_time()
    bot.advise(seen())
    assert monotonic() - begun >= 0.15  # it stops where no further iterations fit
    assert process_time() - used < 2
    bot.close()


def test_an_interrupt_reaches_all_workers(registry: PluginRegistry) -> None:
    """The answer comes from what was searched until then; the next search runs in full."""
    bot = search_bot(registry, "ismcts:3000000,workers=2")
    answers = []
    thread = Thread(target=lambda: answers.append(bot.advise(seen())))
    thread.start()
    while thread.is_alive():
        sleep(0.2)
        bot.interrupt()
    assert 1 < visits(answers[0]) < 3_000_000
    bot.close()


def test_a_worker_that_dies_is_replaced(
    registry: PluginRegistry, started: list[WorkerProcess]
) -> None:
    """Another process does its part of the search."""
    bot = search_bot(registry, f"{ITERATIONS},keep=no")
    first = bot.advise(seen())
    started[0].kill()
    started[0].close()
    assert bot.advise(seen()) != first
    assert visits(bot.advise(seen())) == 240
    assert len(started) == 2
    bot.close()


def test_a_worker_that_dies_while_it_searches_is_replaced(
    registry: PluginRegistry, started: list[WorkerProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other process repeats the entire part, except the changes already sent."""
    bot = search_bot(registry, "ismcts:2000,workers=2")
    update = WorkerProcess.update

    def killing(process: WorkerProcess, changes: TreeChanges) -> None:
        if process is started[0]:
            process.kill()
        update(process, changes)

    monkeypatch.setattr(WorkerProcess, "update", killing)
    assert 2000 <= visits(bot.advise(seen())) < 3000
    assert len(started) == 2
    bot.close()


def test_workers_that_die_one_after_another_are_a_fault_of_the_bot(
    registry: PluginRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardhub.plugins.registry.SEARCH_WORKER", "cardhub.no_such_module:serve")
    bot = search_bot(registry, ITERATIONS)
    with pytest.raises(BotCrashError, match="two worker processes"):
        bot.advise(seen())
    bot.close()


def test_an_error_in_a_worker_is_told(registry: PluginRegistry) -> None:
    process = WorkerProcess((), SEARCH_WORKER)
    process.begin("gamon", "random", 1)
    bot = search_bot(registry, "ismcts:300")
    process.ask(b"", None, bot._budget, TreeChanges([], []))  # the budget of any bot
    reply = process.reply(None)
    assert isinstance(reply, Failed)
    assert "random does not search" in reply.message
    assert "Traceback" in reply.details
    process.close()


def test_a_closed_bot_searches_no_more(registry: PluginRegistry) -> None:
    bot = search_bot(registry, ITERATIONS)
    bot.advise(seen())
    bot.close()
    with pytest.raises(BotError, match="closed"):
        bot.advise(seen())


def test_there_is_at_least_one_worker(registry: PluginRegistry) -> None:
    with pytest.raises(OptionError, match="from 1 to 64"):
        registry.settings_of("ismcts:workers=0", "gamon")


def test_workers_get_only_what_their_seat_may_know(
    registry: PluginRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All messages are equal in two deals that differ in cards that the seat has not seen."""
    sent: list[WorkerOrder] = []
    send = ChildProcess.send

    def noting(child: ChildProcess[Any, Any], message: WorkerOrder) -> None:
        sent.append(message)
        send(child, message)

    monkeypatch.setattr(ChildProcess, "send", noting)
    observation = seen("gargon")
    deals = [observation.determinize(Random(seed)) for seed in range(2)]
    assert deals[0].face != deals[1].face
    contents: list[list[object]] = []
    for deal in deals:
        sent.clear()
        bot = search_bot(registry, ITERATIONS, "gargon")
        bot.advise(Observation(observation.game, deal, observation.seat, observation.history))
        bot.close()
        updates = [message.changes for message in sent if isinstance(message, TreeUpdate)]
        orders = [message for message in sent if isinstance(message, SearchOrder)]
        assert len(updates) > 2
        contents.append([*((message.packed, message.tree) for message in orders), *updates])
    assert contents[0] == contents[1]
    assert deserialize(observation.game, orders[0].packed).legal() == observation.legal()


HOST = """
from random import Random
from time import sleep
from cardhub.bots.search.workers import search_team as worker_process
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins
registry = find_plugins()
game = registry.game("gamon")
referee = set_up(game, [Player("Anna", "bot"), Player("Bob", "bot")], {{}}, 4)
referee.proceed()
bot = registry.make_bot("ismcts:250,workers=2", "gamon", Random(1))
bot.choose(referee.observe(referee.seat))
print(bot._team._members[0]._process.pid, flush=True)
{then}
"""


@pytest.mark.skipif(os.name != "posix", reason="elsewhere there are no signals")
@pytest.mark.parametrize("then", ["sleep(60)", "bot.choose"])
def test_no_worker_is_left_by_a_program_that_ends(then: str) -> None:
    """They end with it, even if it is killed, and though the bot was not closed."""
    source = HOST.format(then=then)
    with subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE) as host:
        assert host.stdout is not None
        guard = int(host.stdout.readline())
        children = subprocess.run(["pgrep", "-P", str(guard)], capture_output=True, text=True)
        workers = [guard, *map(int, children.stdout.split())]
        if then == "sleep(60)":
            assert len(workers) == 2
            host.send_signal(signal.SIGKILL)
        host.wait()
    wait_until(lambda: not any(map(is_running, workers)))
