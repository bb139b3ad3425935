"""A test is not fooled by the order in which games are finished (games lost slowly, won fast)."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from heapq import heappop, heappush
from random import Random
from typing import Any

import pytest
from tests.lab.match.match_files import KUHN
from tests.lab.match.results import invented_result
from typing_extensions import override

from cardhub.lab.match.blocks import Games
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.run import dispatcher as dispatcher_module
from cardhub.lab.match.run.dispatcher import Dispatcher
from cardhub.lab.match.run.match_state import MatchState
from cardhub.lab.match.task import GameResult, GameTask, Played, Timing
from cardhub.lab.stats import Hypotheses, Sprt

CUP = KUHN.replace("blocks: 10", "blocks: 100") + "    stop: {sprt: {a: a, b: b, nelo: [0, 120]}}\n"
WORKERS, MATCHES = 32, 60


class Clockwork(Executor):
    """Draws results at random, with simulated time: games that b wins take longer."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._now = 0.0
        self._free = [0.0] * WORKERS
        self._running: list[tuple[float, int, Future[Any], Played]] = []
        self._number = 0
        self.finished: list[GameResult] = []

    @override
    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        # The game begins when a worker is free.
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()
        (task,) = args
        played = self._played(task)
        winner = played.result.seats[played.result.places.index(1)]
        begin = max(heappop(self._free), self._now)
        end = begin + (5.0 if winner == "b" else 1.0)
        heappush(self._free, end)
        self._number += 1
        heappush(self._running, (end, self._number, future, played))
        return future

    def advance(self) -> None:
        """Finish the next game."""
        self._now, _, future, played = heappop(self._running)
        self.finished.append(played.result)
        future.set_result((played,))

    def _played(self, task: GameTask) -> Played:
        places = self._rng.choice([(1, 2), (2, 1)])
        result = invented_result(task, scores=(0, 0), places=places)
        return Played(result, Timing(task.id, 1, {}, "", 0))


def identity(executor: Executor) -> Executor:
    """Return the executor unchanged."""
    return executor


def by_finishing_order(games: list[GameResult]) -> str:
    """Return the verdict of a test that counts games in the order in which they finish."""
    test = Sprt(Hypotheses(0, 120, games_per_block=1), (0, 1))
    for game in games:
        test.add(float(game.seats[game.places.index(1)] == "a"))
    return test.verdict.value


def test_equal_bots_are_rarely_called_better(
    match: Callable[[str], Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within the error bound, while counting games as they finish often gives a false positive."""
    monkeypatch.setattr(dispatcher_module, "TICK", 0)  # nobody has to wait for a made-up clock
    cup = match(CUP)
    verdicts, naive = [], []
    for number in range(MATCHES):
        state = MatchState(cup, Games(cup))
        clockwork = Clockwork(Random(number))
        with Dispatcher(partial(identity, clockwork), clockwork.advance) as dispatcher:
            while tasks := state.upcoming(2 * WORKERS):
                dispatcher.want(tasks)
                state.record(dispatcher.result(tasks[0]).result)
        assert state.test is not None
        verdicts.append(state.test.state().verdict)
        naive.append(by_finishing_order(clockwork.finished))
    assert verdicts.count("better") <= 0.06 * MATCHES
    assert naive.count("better") >= 0.5 * MATCHES
