"""Distinguish signals to this program from exceptions of bots."""

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
    """Yield a list of the signals received during the block; their handlers still run.

    Bots may raise SystemExit or KeyboardInterrupt themselves: such an exception is caused by a
    signal only if one was received.
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
