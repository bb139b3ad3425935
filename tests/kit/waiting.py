"""Waiting for conditions, for as long as a slow and busy machine may need."""

import asyncio
from collections.abc import Callable, Iterator
from time import monotonic, sleep

# Only a failing test waits for this many seconds.
PATIENCE = 60.0
# The seconds between two looks: the first ones are close together, because most waits are short.
FIRST_PAUSE, LONGEST_PAUSE, GROWTH = 0.004, 0.025, 1.25


def wait_until(holds: Callable[[], object], describe: Callable[[], str] = str) -> None:
    """Wait until a function returns a true value; `describe` adds to the message of a failure."""
    for pause in _pauses(describe):
        if holds():
            return
        sleep(pause)


async def until_holds(holds: Callable[[], object], describe: Callable[[], str] = str) -> None:
    """Run the event loop until a function returns a true value."""
    for pause in _pauses(describe):
        if holds():
            return
        await asyncio.sleep(pause)


def _pauses(describe: Callable[[], str]) -> Iterator[float]:
    """Yield the seconds between looks until the patience ends."""
    end, pause = monotonic() + PATIENCE, FIRST_PAUSE
    while True:
        assert monotonic() < end, f"it did not come in time\n{describe()}"
        yield pause
        pause = min(pause * GROWTH, LONGEST_PAUSE)
