"""Telling a signal to this program from an exception of a bot that looks like one."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from threading import current_thread, main_thread
from types import FrameType
from typing import Any

NOTED = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


@contextmanager
def noted_signals() -> Iterator[list[int]]:
    """Yield a list of the signals received while the block lasts; their handlers run as before.

    A bot may raise SystemExit or KeyboardInterrupt itself, so their type tells nothing: they are
    this program's own only if it has received a signal.
    """
    received: list[int] = []
    before: dict[int, Any] = {}
    if current_thread() is main_thread():  # no other thread runs handlers
        before = {number: signal.getsignal(number) for number in NOTED}
    try:
        for number, handler in before.items():
            if callable(handler):
                signal.signal(number, partial(_note, received, handler))
        yield received
    finally:
        for number, handler in before.items():
            if callable(handler):
                signal.signal(number, handler)


def _note(received: list[int], handler: Any, number: int, frame: FrameType | None) -> None:
    received.append(number)
    handler(number, frame)
