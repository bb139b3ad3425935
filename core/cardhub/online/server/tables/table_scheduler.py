"""The scheduler of one table: an exception in a callback affects only this table."""

from collections import deque
from collections.abc import Callable

from typing_extensions import override

from cardhub.play.host.scheduler import Callback, Scheduler, Timer


class TableScheduler(Scheduler):
    """Runs callbacks with another scheduler until it is closed.

    `on_error` gets the exceptions of callbacks. During a hold callbacks wait; after the release
    they run in order. `late`: the delay in seconds of the last `call_soon` callback, without holds.
    """

    def __init__(self, scheduler: Scheduler) -> None:
        self.on_error: Callable[[Exception], object] = lambda _: None
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
        """Suspend callbacks; each hold needs one `release`."""
        self._holds += 1

    def release(self) -> None:
        """End a hold."""
        self._holds -= 1
        # A callback may start another hold.
        while self._waiting and not self._holds:
            self._run(self._waiting.popleft())

    def close(self) -> None:
        """Drop all further callbacks."""
        self._is_closed = True

    @override
    def now(self) -> float:
        return self._scheduler.now()

    @override
    def call_soon(self, callback: Callback) -> None:
        scheduled_at = self.now()
        self._scheduler.call_soon(lambda: self._run_soon(callback, scheduled_at))

    @override
    def call_later(self, seconds: float, callback: Callback) -> Timer:
        return self._scheduler.call_later(seconds, lambda: self._run(callback))

    def _run_soon(self, callback: Callback, scheduled_at: float) -> None:
        self.late = self.now() - scheduled_at
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
            self.on_error(error)
