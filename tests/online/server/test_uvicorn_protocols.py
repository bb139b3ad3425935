"""The inbox of a WebSocket, and the internals of uvicorn that its subclasses rely on."""

import asyncio
import inspect
from collections.abc import Callable
from importlib.metadata import version

import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from cardhub.online.server.web import uvicorn_protocols
from cardhub.online.server.web.uvicorn_protocols import (
    UVICORN_NAMES,
    UVICORN_VERSION,
    AbortableWebSocket,
    Inbox,
    PatientHttp,
)

CHANGED = (
    f"uvicorn {version('uvicorn')} differs from {UVICORN_VERSION}, for which the subclasses in "
    f"{uvicorn_protocols.__name__} are written. Compare its protocol classes with them"
)


async def no_app(scope: object, receive: object, send: object) -> None:
    """Ignore all requests."""


def protocol_of(base: type[asyncio.Protocol]) -> asyncio.Protocol:
    """Return an object of a protocol class of uvicorn, which sets attributes when it is made."""
    config = Config(no_app, interface="asgi3", log_config=None)
    config.load()
    make: Callable[..., asyncio.Protocol] = base
    return make(config, ServerState(), {}, asyncio.get_running_loop())


async def test_uvicorn_has_the_internals_that_the_subclasses_rely_on() -> None:
    for base, names in UVICORN_NAMES.items():
        protocol = protocol_of(base)
        missing = [name for name in names if not hasattr(protocol, name)]
        assert not missing, f"{base.__name__} lacks {missing}: {CHANGED}"


@pytest.mark.parametrize("subclass", [PatientHttp, AbortableWebSocket])
def test_overridden_methods_have_the_parameters_of_uvicorn(
    subclass: type[asyncio.Protocol],
) -> None:
    [base] = subclass.__bases__
    for name, method in inspect.getmembers(subclass, inspect.isfunction):
        if name in vars(subclass) and hasattr(base, name):
            expected = list(inspect.signature(getattr(base, name)).parameters)
            assert list(inspect.signature(method).parameters) == expected, f"{name}: {CHANGED}"


@pytest.mark.parametrize("subclass", [PatientHttp, AbortableWebSocket])
async def test_new_names_of_the_subclasses_are_not_names_of_uvicorn(
    subclass: type[asyncio.Protocol],
) -> None:
    [base] = subclass.__bases__
    protocol = protocol_of(base)
    names = {n for n in vars(subclass) if hasattr(protocol, n) and not n.startswith("__")}
    assert names <= {*UVICORN_NAMES[base]}, CHANGED


async def test_events_are_taken_in_their_order_also_by_a_reader_that_waited() -> None:
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
