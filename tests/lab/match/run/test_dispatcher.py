"""Workers that die, executors that break, and games that are not wanted any more."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import active_children
from typing import Any

import pytest
from typing_extensions import override

from cardhub.base.errors import MatchError
from cardhub.lab.match.blocks import Block, Games
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.run.dispatcher import MOST, PATIENCE, ChunkSizer, Dispatcher
from cardhub.lab.match.run.executors import InProcess, process_pool
from cardhub.lab.match.run.playing import play
from cardhub.lab.match.task import GameTask
from cardhub.plugins.registry import PluginRegistry

CUP = """
    cardhub_match: 1
    name: cup
    seed: 3
    bots:
      - {id: a, use: USE}
      - {id: b, use: random}
    games:
      - {game: kuhn}
      - {game: gargon, players: 3}
    schedule: {blocks: 5}
"""
Tasks = Callable[..., list[GameTask]]


class Fragile(InProcess):
    """Breaks after a number of games, like a pool that has lost a worker."""

    def __init__(self, games: int) -> None:
        self._left = games
        self.asked: list[GameTask] = []

    @override
    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        self.asked += args
        self._left -= 1
        if self._left < -1:
            raise BrokenExecutor
        if self._left < 0:
            broken: Future[Any] = Future()
            broken.set_exception(BrokenExecutor())
            return broken
        return super().submit(fn, *args, **kwargs)


class Pools:
    """Makes pools of processes and counts them."""

    def __init__(self, workers: int = 1) -> None:
        self._workers = workers
        self.made = 0

    @contextmanager
    def make(self) -> Iterator[Executor]:
        """Yield a new one."""
        self.made += 1
        with process_pool(self._workers) as executor:
            yield executor

    def kill_once(self) -> None:
        """Kill a worker of the first pool, if it has one already."""
        if self.made == 1 and (workers := active_children()):
            os.kill(workers[0].pid or 0, signal.SIGKILL)


@pytest.fixture
def tasks(match: Callable[[str], Match], registry: PluginRegistry) -> Tasks:
    """Return a function that returns some games against a bot."""

    def make(use: str = "first", contest: str = "kuhn", deals: int = 5) -> list[GameTask]:
        games = Games(match(CUP.replace("USE", use)), registry.directories)
        blocks = [games.of(Block(contest, deal, ("a", "b"))) for deal in range(deals)]
        return [task for block in blocks for task in block]

    return make


def test_broken_executors_are_replaced_and_games_played_again(tasks: Tasks) -> None:
    """Every game has the result it would have had."""
    games, made = tasks(), [Fragile(n) for n in (3, 2, 100)]
    left = iter(made)
    with Dispatcher(lambda: next(left)) as dispatcher:
        dispatcher.want(games)
        results = [dispatcher.result(task).result for task in games]
    assert results == [play(task).result for task in games]
    assert [task.in_processes for task in made[1].asked] == [False] * 7
    assert [task.in_processes for task in made[2].asked] == [True] * 5


def test_executors_that_only_break_are_an_error(tasks: Tasks) -> None:
    made: list[Fragile] = []

    def make() -> Fragile:
        made.append(Fragile(0))
        return made[-1]

    with Dispatcher(make) as dispatcher:
        dispatcher.want(tasks()[:2])
        with pytest.raises(MatchError, match="workers died 10 times in a row"):
            dispatcher.result(tasks()[0])
    assert len(made) == PATIENCE + 1


def test_cancelled_games_are_handed_back(tasks: Tasks) -> None:
    one, two, three = tasks()[:3]
    with Dispatcher(InProcess) as dispatcher:
        dispatcher.want([one, two])
        assert dispatcher.is_played(two)
        dropped = dispatcher.want([one, three])
        assert [played.result.id for played in dropped] == [two.id]
        assert not dispatcher.is_played(two)
        assert dispatcher.result(one).result.id == one.id


def test_any_standard_executor_will_do(tasks: Tasks) -> None:
    """Threads run games as worker processes do."""
    games = tasks()
    with Dispatcher(lambda: ThreadPoolExecutor(3)) as dispatcher:
        dispatcher.want(games)
        results = [dispatcher.result(task).result for task in games]
    assert results == [play(task).result for task in games]


class Counting(InProcess):
    """Keeps how many games it is given at a time."""

    def __init__(self) -> None:
        self.chunks: list[int] = []

    @override
    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        self.chunks.append(len(args))
        return super().submit(fn, *args, **kwargs)


@pytest.mark.parametrize("ahead", [1, 3])
def test_short_games_are_handed_over_several_at_a_time(tasks: Tasks, ahead: int) -> None:
    """Each once, and with the same results, unless one is wanted at a time."""
    games, executor, results = tasks(deals=60), Counting(), []
    with Dispatcher(lambda: executor, ahead=ahead) as dispatcher:
        for number, game in enumerate(games):
            dispatcher.want(games[number : number + dispatcher.reach])
            results.append(dispatcher.result(game).result)
    assert results == [play(game).result for game in games]
    assert sum(executor.chunks) == len(games)
    assert executor.chunks[0] == 1
    assert max(executor.chunks) == (MOST if ahead > 1 else 1)


def test_one_of_a_chunk_may_be_given_up(tasks: Tasks) -> None:
    """The others are played all the same, however many come after them."""
    (busy, *_), games = tasks("slow", "gargon", 1), tasks(deals=20)
    with Dispatcher(lambda: ThreadPoolExecutor(1), ahead=2) as dispatcher:
        while dispatcher.reach < 2 * MOST:  # until it is known that they are short
            dispatcher.want(games[:1])
            dispatcher.result(games.pop(0))
        dispatcher.want([busy])
        dispatcher.want([busy, *games])
        kept = games[1::2]
        assert dispatcher.want([busy, *kept]) == []
        assert [dispatcher.result(task).result for task in kept] == [
            play(task).result for task in kept
        ]


def test_games_that_take_their_time_are_handed_over_one_by_one(tasks: Tasks) -> None:
    pace, short, long = ChunkSizer(), tasks("first", "kuhn", 20), tasks("first", "gargon", 20)
    assert pace.chunk(short, 4) == 1
    assert pace.most == 1
    for _ in range(3):
        pace.record(short[0], 0.019)
        pace.record(long[0], 5)
    assert pace.most == MOST
    assert pace.chunk(short, MOST) == 5
    assert pace.chunk(short, 4) == 4
    assert pace.chunk(short[:3], 4) == 0
    assert pace.chunk(short[:2] + long, MOST) == 2
    assert pace.chunk(long, MOST) == 1


def test_a_watcher_is_called_while_time_passes(tasks: Tasks) -> None:
    ticks: list[float] = []
    (game, *_) = tasks("slow", "gargon", 1)
    with Dispatcher(
        lambda: ThreadPoolExecutor(1), lambda: ticks.append(time.monotonic())
    ) as dispatcher:
        dispatcher.want([game])
        dispatcher.result(game)
    assert ticks


def test_a_killed_worker_is_replaced(tasks: Tasks) -> None:
    """Its games are played by another one, and scored in the same way."""
    games, pools = tasks("slow", "gargon", 1), Pools()
    with Dispatcher(pools.make, pools.kill_once) as dispatcher:
        dispatcher.want(games[:1])
        played = dispatcher.result(games[0])
    assert pools.made == 2
    assert played.result.faults == ()
    assert played.result == play(games[0]).result


def test_a_worker_may_die_when_games_were_given_up(tasks: Tasks) -> None:
    """All others are played all the same."""
    games, pools = tasks("slow", "gargon", 3), Pools()
    with Dispatcher(pools.make, pools.kill_once) as dispatcher:
        dispatcher.want(games)
        time.sleep(0.3)  # so that the pool has made up its mind which it begins with
        dispatcher.want([games[-1]])
        assert dispatcher.result(games[-1]).result.faults == ()
    assert pools.made == 2


def test_a_bot_that_kills_its_worker_is_found_out(tasks: Tasks) -> None:
    games, pools = tasks("killer:after=1", "gargon", 1), Pools(workers=2)
    with Dispatcher(pools.make) as dispatcher:
        dispatcher.want(games[:2])
        results = [dispatcher.result(task).result for task in games[:2]]
        dispatcher.want(games[2:3])
        results.append(dispatcher.result(games[2]).result)
    assert pools.made == 3
    for result in results:
        assert {note.fault for note in result.faults} == {"crash"}
        assert {note.bot for note in result.faults} == {"a"}
        assert result.end == "over"


def test_a_bot_that_hears_no_alarm_is_stopped_with_its_process(tasks: Tasks) -> None:
    """It exceeds its time limit, even in compiled code."""
    game = tasks("diver:after=1", "gargon", 1)[0]
    game = replace(
        game, limits=replace(game.limits, budget=replace(game.limits.budget, guard_seconds=0.05))
    )
    with Dispatcher(lambda: process_pool(1)) as dispatcher:
        dispatcher.want([game])
        result = dispatcher.result(game).result
    assert {note.fault for note in result.faults} == {"timeout"}
    assert result.end == "over"


def test_workers_end_with_their_pool(tasks: Tasks) -> None:
    (game, *_) = tasks("slow", "gargon", 1)
    before = set(active_children())
    begun = time.monotonic()
    with Dispatcher(lambda: process_pool(1)) as dispatcher:
        dispatcher.want([game])
        while not set(active_children()) - before:
            time.sleep(0.01)
    assert not set(active_children()) - before
    assert time.monotonic() - begun < 60
