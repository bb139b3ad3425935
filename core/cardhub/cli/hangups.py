"""A terminal that is closed while a command works."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from typing import NoReturn

from cardhub.cli.exits import HUNG_UP


@contextmanager
def hearing_hangups() -> Iterator[None]:
    """Have SIGHUP raise SystemExit in the block, unless it is ignored, as nohup does."""
    if not _ends_the_program():
        yield
        return
    before = signal.signal(signal.SIGHUP, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGHUP, before)


def _ends_the_program() -> bool:
    """Return whether SIGHUP, which not all systems have, would end the program at once."""
    is_here = hasattr(signal, "SIGHUP") and current_thread() is main_thread()
    return is_here and signal.getsignal(signal.SIGHUP) is signal.SIG_DFL


def _leave(_number: int, _frame: object) -> NoReturn:
    raise SystemExit(HUNG_UP)
