"""Webhooks: their body, the allowed addresses, and retries."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue
from threading import Thread
from typing import Any

import pytest
from tests.kit.waiting import PATIENCE, wait_until

from cardhub.online.server.tables.webhooks import WebhookError, Webhooks, check_address, is_public


@contextmanager
def receiving(*statuses: int) -> Iterator[tuple[str, "Queue[dict[str, Any]]"]]:
    """Run a server that answers with these statuses, and then always with the last one."""
    answers, got = list(statuses), Queue[dict[str, Any]]()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            size = int(self.headers["Content-Length"])
            got.put({"path": self.path, "type": self.headers["Content-Type"]})
            got.put(json.loads(self.rfile.read(size)))
            self.send_response(answers.pop(0) if len(answers) > 1 else answers[0])
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def log_message(self, *arguments: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/turn?key=1", got
    finally:
        server.shutdown()
        server.server_close()


def test_a_turn_is_told_as_json() -> None:
    with receiving(200) as (address, got):
        hooks = Webhooks(lambda table: f"https://cards.example.org/t/{table}", allows_local=True)
        hooks.call_person(address, "abc", "Gamon", "Anna")
        assert got.get(timeout=PATIENCE) == {"path": "/turn?key=1", "type": "application/json"}
        assert got.get(timeout=PATIENCE) == {
            "table": "abc",
            "title": "Gamon",
            "name": "Anna",
            "url": "https://cards.example.org/t/abc",
        }


def test_a_call_that_fails_is_repeated_and_redirects_are_not_followed() -> None:
    """Two more times; an answer such as 302 is one."""
    with receiving(500, 302) as (address, got):
        hooks = Webhooks(str, allows_local=True, retry_after=(0.05, 0.05))
        hooks.call_person(address, "abc", "Gamon", "Anna")
        paths = [got.get(timeout=PATIENCE).get("path") for _ in range(4)]
        assert paths == ["/turn?key=1", None] * 2
        hooks.call_person(address, "last", "Gamon", "Anna")
        got.get(timeout=PATIENCE)
        assert got.get(timeout=PATIENCE)["table"] == "last"


def test_a_webhook_that_never_answers_does_not_delay_others() -> None:
    """Its connection is accepted by the system, but nobody reads from it."""
    with socket.create_server(("127.0.0.1", 0)) as silent, receiving(200) as (address, got):
        hooks = Webhooks(str, allows_local=True)
        for table in "abcd":
            hooks.call_person(
                f"http://127.0.0.1:{silent.getsockname()[1]}/", table, "Gamon", "Anna", "hog"
            )
        hooks.call_person(address, "abc", "Gamon", "Anna", "honest")
        assert got.get(timeout=PATIENCE)["path"] == "/turn?key=1"
        # The first call has not ended, so the call of the other network has not waited for it.
        assert "a" in [call.table for call in hooks._queue._running]


def test_a_webhook_that_fails_is_logged_once_with_its_table_and_host(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Its address may contain a secret."""
    with receiving(500) as (address, got):
        hooks = Webhooks(str, allows_local=True, retry_after=())
        for _ in range(3):
            hooks.call_person(address, "abc", "Gamon", "Anna")
            assert got.get(timeout=PATIENCE)
            assert got.get(timeout=PATIENCE)
        wait_until(lambda: not hooks._queue._running)
    assert caplog.messages == [
        "the webhook of table abc at 127.0.0.1 failed: no success after 1 attempt: "
        "the server answered 500"
    ]


def test_this_machine_is_not_called(caplog: pytest.LogCaptureFixture) -> None:
    with receiving(200) as (address, got):
        hooks = Webhooks(str)
        with pytest.raises(WebhookError, match="not on the public Internet"):
            hooks._connection(check_address(address))
        with pytest.raises(WebhookError, match="not on the public Internet"):
            hooks._connection(check_address(address.replace("127.0.0.1", "localhost")))
        assert got.empty()


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.0.1", "169.254.169.254", "0.0.0.0"),
        *("100.64.0.1", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1%eth0", "fc00::1"),
        *("fec0::1", "::127.0.0.1"),
        *("::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "ff02::1", "2001:db8::1"),
    ],
)
def test_addresses_of_no_public_host_are_known(address: str) -> None:
    assert not is_public(address)
    assert is_public("93.184.216.34")
    assert is_public("2606:2800:220:1:248:1893:25c8:1946")


@pytest.mark.parametrize(
    "address",
    [
        *("ftp://example.org", "https://", "example.org", "https://user@example.org/", "//x/y"),
        *("http://example.org:99999/", "http://example.org:0/", "http://[::1", "http://ex ample/"),
        *("http://example.org/\r\nHost: x", "http://exämple.org/"),
    ],
)
def test_an_address_that_is_no_webhook_is_refused(address: str) -> None:
    with pytest.raises(WebhookError, match="fix: "):
        check_address(address)
