"""The scheduler of one table: an exception in a callback concerns that table only."""

from collections import deque
from collections.abc import Callable

from typing_extensions import override

from cardhub.play.host.scheduler import Callback, Scheduler, Timer


class TableScheduler(Scheduler):
    """Runs callbacks by another scheduler until it is closed; `failed` gets their exceptions.

    While it is held callbacks wait, and run in their order after the release. `late` are the
    seconds after which the last callback that was to run soon had its turn, holds not counted.
    """

    def __init__(self, scheduler: Scheduler) -> None:
        self.failed: Callable[[Exception], object] = lambda _: None
        self.late = 0.0
        self._scheduler = scheduler
        self._is_closed = False
        self._holds = 0
        self._waiting: deque[Callback] = deque()

    @property
    def is_held(self) -> bool:
        """Whether callbacks wait."""
        return self._holds > 0

    def hold(self) -> None:
        """Let all callbacks wait, until as many calls of `release`."""
        self._holds += 1

    def release(self) -> None:
        """End a hold."""
        self._holds -= 1
        # Each may hold the others again.
        while self._waiting and not self._holds:
            self._run(self._waiting.popleft())

    def close(self) -> None:
        """Run no callback any more."""
        self._is_closed = True

    @override
    def now(self) -> float:
        return self._scheduler.now()

    @override
    def call_soon(self, callback: Callback) -> None:
        asked_at = self.now()
        self._scheduler.call_soon(lambda: self._run_now(callback, asked_at))

    @override
    def call_later(self, seconds: float, callback: Callback) -> Timer:
        return self._scheduler.call_later(seconds, lambda: self._run(callback))

    def _run_now(self, callback: Callback, asked_at: float) -> None:
        self.late = self.now() - asked_at
        self._run(callback)

    def _run(self, callback: Callback) -> None:
        if self._is_closed:
            return
        if self._holds:
            self._waiting.append(callback)
            return
        try:
            callback()
        except Exception as error:  # noqa: BLE001  # any exception of a game's code
            self.failed(error)
