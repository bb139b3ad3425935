"""The events of a WebSocket, for its only reader."""

import asyncio

import pytest

from cardhub.online.server.web.uvicorn_protocols import Inbox


async def test_events_are_taken_in_their_order_also_by_a_reader_that_waited() -> None:
    """Two may come before the reader has its turn."""
    inbox = Inbox()
    reader = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    inbox.put_nowait("first")
    inbox.put_nowait("second")
    assert await reader == "first"
    assert (inbox.qsize(), inbox.empty()) == (1, False)
    assert await inbox.get() == "second"
    assert inbox.empty()


async def test_a_reader_that_gives_up_loses_no_event() -> None:
    """A client that sends nothing in time is told so, and its messages may still come."""
    inbox = Inbox()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(inbox.get(), 0.001)
    inbox.put_nowait("late")
    assert await inbox.get() == "late"


async def test_a_reader_that_ends_as_an_event_comes_loses_no_event() -> None:
    inbox = Inbox()
    reader = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    inbox.put_nowait("late")
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader
    assert await inbox.get() == "late"
