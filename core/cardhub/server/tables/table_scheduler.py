"""The scheduler of one table: an exception in a callback concerns that table only."""

from collections.abc import Callable

from typing_extensions import override

from cardhub.host.scheduler import Callback, Scheduler, Timer


class TableScheduler(Scheduler):
    """Runs callbacks by another scheduler until it is closed; `failed` gets their exceptions."""

    def __init__(self, scheduler: Scheduler) -> None:
        self.failed: Callable[[Exception], object] = lambda _: None
        self._scheduler = scheduler
        self._is_closed = False

    def close(self) -> None:
        """Run no callback any more."""
        self._is_closed = True

    @override
    def now(self) -> float:
        return self._scheduler.now()

    @override
    def call_soon(self, callback: Callback) -> None:
        self._scheduler.call_soon(lambda: self._run(callback))

    @override
    def call_later(self, seconds: float, callback: Callback) -> Timer:
        return self._scheduler.call_later(seconds, lambda: self._run(callback))

    def _run(self, callback: Callback) -> None:
        if self._is_closed:
            return
        try:
            callback()
        except Exception as error:  # noqa: BLE001  # any exception of a game's code
            self.failed(error)
