"""Hosts with a clock and bots that tests drive by hand."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from cardhub import Game
from cardhub.model.hidden.observation import Observation
from cardhub.play.host.scheduler import Callback, Scheduler, Timer
from cardhub.play.host.table_host import Host
from cardhub.play.records.recording import record_to
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.play.workers.bot_messages import Lineup
from cardhub.play.workers.client import BotClient, OnAnswer
from cardhub_garner import Garner

NAMES = ("Anna", "Bob", "Chris", "David")


class FakeTimer(Timer):
    """A callback at a time of a FakeScheduler."""

    def __init__(self, due: float, callback: Callback) -> None:
        self.due, self.callback = due, callback
        self.is_cancelled = False

    @override
    def cancel(self) -> None:
        self.is_cancelled = True
        self.callback = lambda: None  # what it refers to may be freed


class FakeScheduler(Scheduler):
    """A scheduler whose clock goes on only with `wait`, and where callbacks take `slowness`."""

    def __init__(self) -> None:
        self.time = self.slowness = 0.0
        self._soon: list[Callback] = []
        self._timers: list[FakeTimer] = []

    @override
    def now(self) -> float:
        return self.time

    @override
    def call_soon(self, callback: Callback) -> None:
        self._soon.append(callback)

    @override
    def call_later(self, seconds: float, callback: Callback) -> FakeTimer:
        timer = FakeTimer(self.time + seconds, callback)
        self._timers.append(timer)
        return timer

    def wait(self, seconds: float = 0) -> None:
        """Let time pass, and call what is due in its order."""
        end = self.time + seconds
        self._run()
        while due := [t for t in self._timers if t.due <= end and not t.is_cancelled]:
            first = min(due, key=lambda timer: timer.due)
            self._timers.remove(first)
            self.time = max(self.time, first.due)
            first.callback()
            self._run()
        self.time = max(self.time, end)

    def _run(self) -> None:
        while self._soon:
            self.time += self.slowness
            self._soon.pop(0)()


class FakeClient(BotClient):
    """A client whose questions are answered by the test."""

    def __init__(self) -> None:
        self.question: tuple[Observation[Any], OnAnswer] | None = None
        self.asked = self.hurried = self.stopped = 0
        self.lineups: list[Lineup] = []

    @override
    def start(self) -> None:
        pass

    @override
    def ask(self, observation: Observation[Any], on_answer: OnAnswer) -> None:
        self.asked += 1
        self.question = observation, on_answer

    @override
    def reseat(self, lineup: Lineup) -> None:
        self.lineups.append(lineup)

    @override
    def hurry(self) -> None:
        self.hurried += 1

    @override
    def stop(self) -> None:
        self.stopped += 1
        self.question = None

    def answer(self, answer: object = None) -> None:
        """Answer the pending question, by default with the first legal action."""
        assert self.question is not None
        observation, on_answer = self.question
        self.question = None
        on_answer(observation.legal()[0] if answer is None else answer)


class Table:
    """A host with a fake clock, fake bots and a fake adviser."""

    def __init__(
        self,
        game: Game[Any] | None = None,
        *,
        people: Iterable[int] = (0,),
        seats: int = 2,
        pace: float = 0.0,
        path: Path | None = None,
        resumed: Referee[Any] | None = None,
    ) -> None:
        kinds = ["human" if seat in people else "random" for seat in range(seats)]
        players = [Player(name, kind) for name, kind in zip(NAMES, kinds, strict=False)]
        self.referee = resumed or set_up(game or Garner(), players, {}, seed=1)
        if path is not None and resumed is None:
            record_to(self.referee, path)
        self.referee.proceed()
        self.clock, self.bots, self.adviser = FakeScheduler(), FakeClient(), FakeClient()
        clients = self.bots, self.adviser
        self.host = Host(self.referee, *clients, self.clock, hint="rule", pace=pace, path=path)
        self.told: list[str] = []

    def begin(self) -> "Table":
        """Begin the game."""
        self.host.begin()
        self.clock.wait()
        return self

    def act(self, seat: int = 0, choice: int = 0) -> None:
        """Take a choice of a person."""
        session = self.host.model(seat)
        view = session.view()
        session.act(view.choices[choice].action, view.revision, self.told.append)
        self.clock.wait()

    def to_bots_turn(self) -> None:
        """Take first choices of people until a bot is to act."""
        while not self.host.is_bots_turn:
            self.act(self.referee.seat)

    def answer(self, answer: object = None, seconds: float = 0) -> None:
        """Answer for the bot to act, and advance the time."""
        self.bots.answer(answer)
        self.clock.wait(seconds)


@pytest.fixture
def table() -> Callable[..., Table]:
    """Return the class that sets up a table."""
    return Table
