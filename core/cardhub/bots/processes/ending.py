"""The end of processes that are kept for several bots."""

import os
from typing import Protocol, TypeVar


class Kept(Protocol):
    """A process that is lent to one bot after another."""

    def close_input(self) -> None:
        """Let the process exit."""
        ...

    def end(self) -> None:
        """Wait for the end of the process, and kill it after a timeout."""
        ...


K = TypeVar("K", bound=Kept)


def end_all(living: list[K], owner: int) -> None:
    """End processes, which the process `owner` has started; used as a finalizer."""
    # A fork has the finalizer, too, but the processes belong to the one that started them.
    if os.getpid() != owner:
        return
    # Emptied first, as the finalizer may run after `close`. Input is closed for all before the
    # first is waited for, so that their grace periods pass at the same time.
    ending = living[:]
    living.clear()
    for process in ending:
        process.close_input()
    for process in ending:
        process.end()
