"""The events of a WebSocket that wait for its only reader."""

import asyncio
from typing import Any


class Inbox:
    """A queue for one task that takes what is put in.

    asyncio's queue has room for many tasks on both sides: 3 kB for each connection, most of which
    are at rest.
    """

    __slots__ = ("_events", "_reader")

    def __init__(self) -> None:
        self._events: list[Any] = []
        self._reader: asyncio.Future[None] | None = None

    def qsize(self) -> int:
        """Return the number of events."""
        return len(self._events)

    def empty(self) -> bool:
        """Return whether there is no event."""
        return not self._events

    def put_nowait(self, event: Any) -> None:
        """Add an event, and wake the reader."""
        self._events.append(event)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Any:
        """Remove and return the oldest event; waits until there is one."""
        while not self._events:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        return self._events.pop(0)
