"""Assistants at a server's tables over HTTP: a game with a person and a bot, keys and refusals."""

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from tests.kit.table_server import LiveServer, live_server
from tests.online.assistant.test_assistant import CHOICE, Call, caller, take_first, wait_for

from cardhub.online.remote.table_address import TableAddress
from cardhub.online.remote.table_client import connect_in_thread, open_table
from cardhub.online.wire.client_messages import Start
from cardhub.play.host.scheduler import BlockingScheduler

mcp = pytest.importorskip("mcp", reason="mcp is not installed: pip install -e '.[dev]'")
http_assistants = pytest.importorskip("cardhub.online.assistant.http_assistants")
KEY = re.compile(r"The key of your seat, which the other tools need: (\S+)")


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveServer]:
    """Run a server at which assistants may sit down."""
    monkeypatch.setenv("CARDHUB_HOME", str(tmp_path / "home"))
    with live_server(tmp_path / "tables", has_assistants=True) as server:
        yield server


def url_of(address: TableAddress) -> str:
    """Return the address that a person gives to an assistant."""
    return f"{address.page}/mcp"


async def refusal(client: Any, tool: str, **arguments: object) -> str:
    """Return why a tool refuses a request."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    text = result.content[0].text
    assert isinstance(text, str)
    return text


async def play_beside(call: Call, key: str, act: Callable[[], None]) -> str:
    """Play a game of Roses to its end, beside a person whose turns are `act`; then leave."""
    text = ""
    while "# The table" not in text:
        text = await call("wait", key=key, seconds=0.1)
    assert "Roses" in await call("rules", key=key)
    while "# The result" not in text:
        act()
        choice = CHOICE.search(text)
        if choice is None:
            text = await call("wait", key=key, seconds=0.05)
        else:
            text = await call("act", key=key, action=choice[1])
    await call("leave", key=key)
    return text


def test_an_assistant_a_person_and_a_bot_play_a_game_to_its_end(server: LiveServer) -> None:
    address = server.create("roses", seats=3, bots=["", "", "easy"])
    scheduler = BlockingScheduler()
    olga = open_table(address, scheduler)
    connect_in_thread(olga)

    async def play() -> str:
        async with mcp.Client(url_of(address)) as client:
            call = caller(client)
            room = await call("sit", name="Robot")
            assert "Robot (you)" in room
            key = KEY.match(room)
            assert key is not None
            wait_for(scheduler, lambda: olga.state and olga.state.seats[1].name == "Robot")
            assert "Olga" in await call("table", key=key[1])
            olga.send(Start())
            wait_for(scheduler, lambda: olga.model is not None)
            return await play_beside(call, key[1], lambda: take_first(scheduler, olga.model))

    try:
        said = asyncio.run(play())
        model = olga.model
        assert model is not None
        wait_for(scheduler, lambda: model.view().is_over)
        result = model.result()
    finally:
        olga.leave()
    assert result is not None
    assert result.sentence in said


def test_a_key_leads_back_to_its_seat_and_belongs_to_one_table(server: LiveServer) -> None:
    """The server stores no key, so another assistant with the same name gets no seat of it."""
    address, other = server.create("kuhn"), server.create("kuhn")

    async def play() -> None:
        async with mcp.Client(url_of(address)) as client:
            key = KEY.match(await caller(client)("sit", name="Robot"))
            assert key is not None
            assert "no free seat" in await refusal(client, "sit", name="Robot")
            assert "the key of a seat" in await refusal(client, "table", key="x" * 32)
        server.stop()
        server.start()
        async with mcp.Client(url_of(address)) as client:
            call = caller(client)
            assert "Robot (you)" in await call("table", key=key[1])
            await call("leave", key=key[1])
            assert "Robot (you)" in await call("table", key=key[1])
        async with mcp.Client(url_of(other)) as client:
            assert "the key of a seat" in await refusal(client, "table", key=key[1])
            assert "invalid player name" in await refusal(client, "sit", name="\x1b[2J")

    asyncio.run(play())
    assert not [*(Path(server.folder).parent / "home").rglob("*.json")]


def test_assistants_are_counted_by_address(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_assistants, "MOST_BY_ADDRESS", 1)
    address = server.create("gargon")

    async def play() -> None:
        async with mcp.Client(url_of(address)) as client:
            call = caller(client)
            key = KEY.match(await call("sit", name="Robot"))
            assert key is not None
            assert "too many assistants" in await refusal(client, "sit", name="Second")
            await call("leave", key=key[1])
            await call("sit", name="Second")

    asyncio.run(play())


INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


def status(url: str, body: bytes, **headers: str) -> int:
    """Return the status of the response to a request of a program."""
    try:
        with urlopen(Request(url, body, {**JSON, **headers})) as answer:  # http
            return int(answer.status)
    except HTTPError as error:
        return error.code
    except OSError:  # the server may close the connection before it has read a large request
        return 413


def test_pages_of_other_servers_and_large_requests_are_refused(server: LiveServer) -> None:
    url, body = url_of(server.create("kuhn")), json.dumps(INITIALIZE).encode()
    assert status(url, body) == 200
    assert status(url, body, Origin=server.origin) == 200
    assert status(url, body, Origin="https://evil.example") == 403
    assert status(url, body, Host="evil.example") == 421
    assert status(url, body + b" " * 10**6) == 413
    for hostile in (b"[" * 10_000, b"\xff", b"", b"{}", b"null"):
        assert 400 <= status(url, hostile) < 500


def test_a_server_answers_no_assistant_by_default(tmp_path: Path) -> None:
    with live_server(tmp_path / "tables") as server:
        assert status(url_of(server.create("kuhn")), json.dumps(INITIALIZE).encode()) == 404
