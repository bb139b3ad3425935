"""Waiting for conditions, for as long as a slow and busy machine may need."""

import asyncio
from collections.abc import Callable
from time import monotonic, sleep

# Only a failing test waits for this many seconds.
PATIENCE = 60.0


def wait_until(holds: Callable[[], object], describe: Callable[[], str] = str) -> None:
    """Wait until a function returns a true value; `describe` adds to the message of a failure."""
    end = monotonic() + PATIENCE
    while not holds():
        assert monotonic() < end, f"it did not come in time\n{describe()}"
        sleep(0.01)


async def until_holds(holds: Callable[[], object], describe: Callable[[], str] = str) -> None:
    """Run the event loop until a function returns a true value."""
    end = monotonic() + PATIENCE
    while not holds():
        assert monotonic() < end, f"it did not come in time\n{describe()}"
        await asyncio.sleep(0.005)
