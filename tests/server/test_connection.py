"""A client's connection: greeting, messages both ways, and its end."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from tests.server.conftest import TOKEN, RunningServer, until
from websockets.sync.client import ClientConnection, connect


@contextmanager
def enter(live: RunningServer, table: str = "abc", **values: Any) -> Iterator[ClientConnection]:
    """Connect and send the first message."""
    with connect(f"ws://{live.address}/ws/{table}") as socket:
        socket.send(json.dumps({"type": "enter", "version": 1, **values}))
        yield socket


def heard(socket: ClientConnection) -> dict[str, Any]:
    """Return the next message."""
    message = json.loads(socket.recv(timeout=5))
    assert isinstance(message, dict)
    return message


def test_a_client_that_enters_is_greeted_and_hears_what_the_table_says(live: RunningServer) -> None:
    """And the table knows when it has gone."""
    left = live.table.left
    with enter(live, token=TOKEN) as socket:
        assert heard(socket)["type"] == "welcome"
        socket.send(json.dumps({"type": "say", "text": "hello"}))
        assert heard(socket)["lines"][0]["text"] == "hello"
        socket.send(json.dumps({"type": "ping"}))
        assert heard(socket) == {"type": "pong"}
    until(lambda: live.table.left == left + 1)


@pytest.mark.parametrize("table", ["xyz", "%00", "..", "a" * 2000])
def test_an_unknown_table_is_closed_with_the_reason(live: RunningServer, table: str) -> None:
    """For good, as `is_final` is true where it is left out."""
    with enter(live, table) as socket:
        assert heard(socket) == {
            "type": "closed",
            "why": "there is no such table. fix: ask for its link again",
        }
