"""Other web sites cannot use a server through a player's browser."""

import json
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from tests.online.server.conftest import EchoTables

from cardhub.online.server.limits import TokenBucket
from cardhub.online.server.server_options import ServerOptions, read_origin, read_proxy
from cardhub.online.server.web.web_app import build_app

SITE = "https://cards.example.org"
PUBLIC = ServerOptions(origins=(SITE, "https://other.example:8443"))
LOCAL = ServerOptions()


def opens(options: ServerOptions, host: str, origin: str | None, scheme: str = "wss") -> bool:
    """Return whether a client with these headers gets to a table."""
    client = TestClient(build_app(EchoTables(), options))
    headers = {"host": host} | ({} if origin is None else {"origin": origin})
    try:
        with client.websocket_connect(f"{scheme}://x/ws/abc", headers=headers) as socket:
            socket.send_text(json.dumps({"type": "enter", "version": 2}))
            return bool(socket.receive_json()["type"] == "welcome")
    except WebSocketDisconnect:
        return False


def status(options: ServerOptions, host: str) -> int:
    """Return the status of a request to a host."""
    client = TestClient(build_app(EchoTables(), options))
    return int(client.get("/lobby", headers={"host": host}).status_code)


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("cards.example.org", SITE),
        ("cards.example.org", f"{SITE}:443"),
        ("CARDS.example.org", "https://CARDS.example.org"),
        ("other.example:8443", "https://other.example:8443"),
        ("cards.example.org", None),
    ],
)
def test_the_own_pages_and_programs_open_a_table(host: str, origin: str | None) -> None:
    """A program without an origin has no browser whose rights it could use."""
    assert opens(PUBLIC, host, origin)


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://cards.example.org",
        "https://cards.example.org:444",
        "https://cards.example.org.evil.example",
        "https://evilcards.example.org",
        "https://cards.example.org@evil.example",
        "null",
        "",
        "file://",
        "https://[",
        "https://cards.example.org:x",
    ],
)
def test_a_page_of_another_site_opens_no_table(origin: str) -> None:
    """Browsers let any page open a WebSocket to any server."""
    assert not opens(PUBLIC, "cards.example.org", origin)


@pytest.mark.parametrize("host", ["evil.example", "cards.example.org.evil.example", "10.0.0.1", ""])
def test_a_name_that_was_made_to_point_to_the_server_is_refused(host: str) -> None:
    """Without this check, pages of other sites could get the right origin (DNS rebinding)."""
    for options in (PUBLIC, LOCAL):
        assert status(options, host) == 421
        assert not opens(options, host, f"http://{host}", "ws")


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000", "localhost"])
def test_the_own_machine_is_served_under_any_port(host: str) -> None:
    """A port may be forwarded from another machine."""
    assert status(LOCAL, host) == 200
    assert opens(LOCAL, host, f"http://{host}", "ws")
    assert not opens(LOCAL, host, "http://localhost:1234", "ws")


def test_a_request_has_one_host_and_one_origin() -> None:
    """Two could be read differently by a proxy and by the server."""
    client = TestClient(build_app(EchoTables(), PUBLIC))
    two: list[tuple[str, str]] = [("host", "cards.example.org"), ("host", "evil.example")]
    assert client.get("/lobby", headers=two).status_code == 421
    both = [("host", "cards.example.org"), ("origin", SITE), ("origin", "https://evil.example")]
    body = json.dumps({"game": "gamon", "name": "Anna"})
    sent = [*both, ("content-type", "application/json")]
    assert client.post("/tables", content=body, headers=sent).status_code == 403


@pytest.mark.parametrize(
    ("text", "origin"),
    [
        ("https://Cards.Example.org/", SITE),
        ("https://cards.example.org:443", SITE),
        ("http://10.0.0.1:8000", "http://10.0.0.1:8000"),
        ("http://[::1]:80", "http://[::1]"),
    ],
)
def test_an_origin_is_read_in_one_form(text: str, origin: str) -> None:
    assert read_origin(text) == origin


@pytest.mark.parametrize(
    "text",
    ["cards.example.org", "ftp://a", "https://", "https://a/b", "https://a?b", "https://u@a"],
)
def test_other_texts_are_no_origins(text: str) -> None:
    """An error names the text and an example."""
    with pytest.raises(ValueError, match="fix: write https://"):
        read_origin(text)


def test_a_proxy_is_an_address_or_a_network() -> None:
    """No name: it would have to be resolved for each request."""
    assert read_proxy("127.0.0.1") == "127.0.0.1/32"
    assert read_proxy("10.1.0.0/16") == "10.1.0.0/16"
    with pytest.raises(ValueError, match="is not an address"):
        read_proxy("proxy.local")


@pytest.fixture(autouse=True)
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let limits count as if no time passed, on a slow machine as well."""
    monkeypatch.setattr(TokenBucket, "_fill", lambda self, now: None)


@pytest.fixture
def limited() -> Iterator[TestClient]:
    """Return a client of a server that others reach."""
    with TestClient(build_app(EchoTables(), PUBLIC), SITE) as client:
        yield client


def test_tokens_are_not_guessed(limited: TestClient) -> None:
    whys = []
    for guess in range(25):
        with limited.websocket_connect("wss://cards.example.org/ws/abc") as socket:
            socket.send_text(json.dumps({"type": "enter", "version": 2, "token": str(guess)}))
            whys.append(socket.receive_json()["why"])
    assert [why.startswith("unknown token") for why in whys] == [True] * 20 + [False] * 5
    assert whys[-1] == "your address has sent too many unknown tokens. fix: wait a minute"


def test_an_address_has_forty_connections(limited: TestClient) -> None:
    """The next one gets the reason of the refusal, and may retry."""
    sockets = [limited.websocket_connect("wss://cards.example.org/ws/abc") for _ in range(41)]
    for socket in sockets[:40]:
        socket.__enter__()
    with sockets[40] as last:
        closed = last.receive_json()
    for socket in sockets[:40]:
        socket.__exit__(None, None, None)
    assert closed["is_final"] is False
    assert "your address has 40 connections" in closed["why"]
