"""Having games played ahead of need, by an executor that may break."""

from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, wait
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from cardhub.errors import BotCrashError, BotTimeoutError, MatchError
from cardhub.match.run.batch_size import Pace
from cardhub.match.run.executors import MakeExecutor
from cardhub.match.run.playing import play_all
from cardhub.match.task import GameTask, Played

CAREFUL = 2
"""After how many broken executors a game is played with bots in processes of their own."""
DEADLY = (BotCrashError.fault, BotTimeoutError.fault)
"""The faults by which a worker may have died."""
PATIENCE = 10
"""How many executors may break while no game comes to its end."""
TICK = 0.1
"""How often whoever watches is told that a game is still waited for, in seconds."""


Handful = tuple[Played, ...]


@dataclass(slots=True)
class _Order:
    """A game that is wanted, and how often an executor has broken while it had it.

    Handful are handed over several at a time: `place` is where this one is among them.
    """

    task: GameTask
    future: "Future[Handful]"
    place: int = 0
    broken: int = 0

    @property
    def is_played(self) -> bool:
        """Whether the game is there."""
        return _is_fine(self.future)

    @property
    def played(self) -> Played:
        """The game, which is waited for."""
        return self.future.result()[self.place]


class Crew:
    """Plays games that are wanted soon; use it as a `with` block.

    A worker that dies is nobody's fault: the games it may have had are given to new ones, at last
    with all bots in processes of their own, where only the culprit can end.

    `ahead` is how many games, or handfuls of games that are quickly played, may be under way.
    """

    def __init__(
        self, make: MakeExecutor, tick: Callable[[], object] = lambda: None, ahead: int = 1
    ) -> None:
        self._make = make
        self._tick = tick
        self._ahead = ahead
        self._pace = Pace()
        self._stack = ExitStack()
        self._orders: dict[str, _Order] = {}
        self._executor: Executor | None = None
        self._fruitless = 0
        self._crashing: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._retire()

    @property
    def reach(self) -> int:
        """How many games ahead it is good to know."""
        return self._ahead * (self._pace.most if self._ahead > 1 else 1)

    def want(self, tasks: Sequence[GameTask]) -> list[Played]:
        """Have these games played; return what has come of others that are wanted no more."""
        wanted = {task.id for task in tasks}
        dropped = [self._orders.pop(name) for name in list(self._orders) if name not in wanted]
        self._hand_over(tasks)
        for future in {o.future for o in dropped} - {o.future for o in self._orders.values()}:
            future.cancel()
        return [order.played for order in dropped if order.is_played]

    def is_played(self, task: GameTask) -> bool:
        """Return whether a game that was wanted has been played already."""
        order = self._orders.get(task.id)
        return order is not None and order.is_played

    def result(self, task: GameTask) -> Played:
        """Wait for a game that was wanted; raises MatchError if no worker survives it."""
        if task.id not in self._orders:  # it waited to be one of a handful
            self._submit_together([task])
        while True:
            order = self._orders[task.id]
            while not order.future.done() and not wait([order.future], TICK).done:
                self._tick()
            try:
                played = order.played
            except BrokenExecutor:
                self._begin_anew()
            else:
                del self._orders[task.id]
                self._learn(order, played)
                return played

    def _hand_over(self, wanted: Sequence[GameTask]) -> None:
        """Have games played, as many at a time as keeps all workers busy with what is wanted.

        Those that make no handful wait for more, unless one of them comes next.
        """
        tasks = [task for task in wanted if task.id not in self._orders]
        most = min(-(-len(wanted) // self._ahead), self._pace.most) if self._ahead > 1 else 1
        is_due = bool(tasks) and tasks[0] is wanted[0]
        while tasks and (is_due or self._has_room()):
            size = self._pace.handful(tasks, most) or (len(tasks) if is_due else 0)
            if not size:
                break
            self._submit_together(tasks[:size])
            tasks, is_due = tasks[size:], False

    def _has_room(self) -> bool:
        """Return whether fewer handfuls are under way than may be."""
        return self._ahead == 1 or len({o.future for o in self._orders.values()}) < self._ahead

    def _submit_together(self, tasks: Sequence[GameTask]) -> None:
        future = self._submit(*map(self._prepared, tasks))
        for place, task in enumerate(tasks):
            self._orders[task.id] = _Order(task, future, place)

    def _submit(self, *tasks: GameTask) -> "Future[Handful]":
        if self._executor is None:
            self._executor = self._stack.enter_context(self._make())
        try:
            return self._executor.submit(play_all, *tasks)
        except BrokenExecutor as error:
            future: Future[Handful] = Future()
            future.set_exception(error)  # found when it is waited for, like those before
            return future

    def _prepared(self, task: GameTask, broken: int = 0) -> GameTask:
        """Return the game, with bots in processes of their own if it could end a worker."""
        is_suspect = any(seat.bot in self._crashing for seat in task.seats)
        return task.carefully() if is_suspect or broken >= CAREFUL else task

    def _learn(self, order: _Order, played: Played) -> None:
        """Remember whose process has died, or had to be killed, after workers had died of it."""
        self._fruitless = 0
        self._pace.take(order.task, played.timing.seconds)
        if order.broken >= CAREFUL:
            notes = played.result.faults
            self._crashing.update(note.bot for note in notes if note.fault in DEADLY)

    def _begin_anew(self) -> None:
        """Give all games that are not played yet to a new executor."""
        self._retire(keep_orders=True)
        self._fruitless += 1
        if self._fruitless > PATIENCE:
            raise MatchError(f"no game can be played: workers died {PATIENCE} times in a row")
        for order in self._orders.values():
            if not order.is_played:
                order.broken += 1
                order.place = 0
                order.future = self._submit(self._prepared(order.task, order.broken))

    def _retire(self, keep_orders: bool = False) -> None:
        """Leave the executor; what it has not begun is not begun any more."""
        for order in self._orders.values():
            order.future.cancel()
        self._executor = None
        with suppress(BrokenExecutor):
            self._stack.close()
        if not keep_orders:
            self._orders.clear()


def _is_fine(future: "Future[Handful]") -> bool:
    return future.done() and not future.cancelled() and future.exception() is None
