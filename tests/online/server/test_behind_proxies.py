"""A server of tables behind nginx and Caddy, with the files of the documentation."""

import http.client
import json
import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any, cast
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from tests.kit.paths import ROOT
from tests.kit.waiting import PATIENCE, wait_until
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from cardhub.online.server.server_options import ServerOptions
from cardhub.online.server.tables.lobby import Lobby
from cardhub.online.server.web.serving import listen, table_server
from cardhub.play.host.opening import Opener
from cardhub.play.host.scheduler import LoopScheduler
from cardhub.plugins.registry import find_plugins

DOCS = ROOT / "docs" / "hosting"
PLACES = f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin"
PROXIES = {name: shutil.which(name, path=PLACES) for name in ("nginx", "caddy")}

# What surrounds a file of conf.d; all that nginx writes is in the folder of the test.
AROUND = """
worker_processes 1;
pid nginx.pid;
events {{ worker_connections 256; }}
http {{
    access_log access.log;
    client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi; scgi_temp_path scgi;
    {site}
}}
"""


class Site:
    """The address of a proxy, and the folder in which it writes."""

    def __init__(self, port: int, folder: Path) -> None:
        self.port, self.folder = port, folder
        self.host = f"127.0.0.1:{port}"

    def make(self, source: str = "127.0.0.1", **headers: str) -> tuple[int, dict[str, Any]]:
        """Make a table from an address of this machine; return the status and the answer."""
        asking = http.client.HTTPConnection("127.0.0.1", self.port, 10, source_address=(source, 0))
        body = json.dumps({"game": "kuhn", "name": "Anna"})
        given = {"Origin": f"http://{self.host}", "Content-Type": "application/json", **headers}
        asking.request("POST", "/tables", body, given)
        answer = asking.getresponse()
        made: dict[str, Any] = json.loads(answer.read())
        asking.close()
        return answer.status, made

    @contextmanager
    def visit(
        self, made: Mapping[str, Any], source: str = "127.0.0.1", origin: str | None = None
    ) -> Iterator[ClientConnection]:
        """Open a WebSocket to a table from an address of this machine."""
        url, asked = f"ws://{self.host}/ws/{made['table']}", cast("Origin | None", origin)
        with connect(url, source_address=(source, 0), origin=asked, max_queue=None) as client:
            yield client

    @contextmanager
    def enter(
        self, made: Mapping[str, Any], token: str, **given: str
    ) -> Iterator[ClientConnection]:
        """Enter a table."""
        with self.visit(made, **given) as client:
            client.send(json.dumps({"type": "enter", "version": 2, "token": token}))
            yield client


@contextmanager
def serving(folder: Path, port: int, origin: str, shard: str = "") -> Iterator[None]:
    """Serve tables in a thread, for a proxy on this machine."""
    options = ServerOptions(port=port, origins=(origin,), proxies=("127.0.0.1",))
    opener = Opener(find_plugins(), LoopScheduler(), pace=0, is_inline=True)
    with listen(options) as listening:
        server = table_server(Lobby(folder, opener, shard=shard), options, listening)
        thread = Thread(target=server.run)
        thread.start()
        try:
            wait_until(lambda: server.started)
            yield
        finally:
            server.should_exit = True
            thread.join(PATIENCE)


def nginx(folder: Path, name: str, own: int) -> tuple[str, list[str]]:
    """Return a file of the documentation without TLS, and the options of nginx."""
    site = (DOCS / f"{name}.conf").read_text("utf-8")
    site = re.sub(r"\n *(listen \[|ssl_)[^\n]*", "", site)
    site = site.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{own};")
    user = "user root; " if os.geteuid() == 0 else ""
    options = ["-p", str(folder), "-c", "proxy.conf", "-e", "error.log"]
    return AROUND.format(site=site), [*options, "-g", f"{user}daemon off;"]


def caddy(folder: Path, name: str, own: int) -> tuple[str, list[str]]:
    """Return a file of the documentation without TLS, and the options of Caddy."""
    site = (DOCS / name.replace("nginx", "Caddyfile")).read_text("utf-8")
    named = f"http://127.0.0.1:{own} {{\n\tlog {{\n\t\toutput file {folder}/access.log\n\t}}"
    site = site.replace("cards.example.org {", named)
    options = ["--config", str(folder / "proxy.conf"), "--adapter", "caddyfile"]
    return f"{{\n\tadmin off\n}}\n{site}", ["run", *options]


@contextmanager
def proxy(kind: str, folder: Path, name: str, own: int, ports: Mapping[int, int]) -> Iterator[Site]:
    """Run a proxy with a file of the documentation, on ports of the test."""
    text, options = {"nginx": nginx, "caddy": caddy}[kind](folder, name, own)
    for documented, used in ports.items():
        text = text.replace(f"127.0.0.1:{documented}", f"127.0.0.1:{used}")
    (folder / "proxy.conf").write_text(text)
    env = os.environ | {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "told").open("w") as log:
        process = subprocess.Popen([str(PROXIES[kind]), *options], env=env, stderr=log)
    try:
        site = Site(own, folder)
        wait_until(lambda: answers(site.host))
        yield site
    finally:
        process.terminate()
        process.wait(PATIENCE)


def answers(host: str) -> bool:
    """Return whether a server answers."""
    try:
        with urlopen(f"http://{host}/healthz") as answer:
            return bool(answer.status == 200)
    except (URLError, ConnectionError):
        return False


def free_port() -> int:
    """Return a port that is free."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def heard(client: ClientConnection) -> dict[str, Any]:
    """Return the next message."""
    message: dict[str, Any] = json.loads(client.recv(timeout=PATIENCE))
    return message


@contextmanager
def behind(kind: str, folder: Path, name: str, shards: Mapping[int, str]) -> Iterator[Site]:
    """Run the servers of a file's ports, by the letters of their tables, behind a proxy."""
    if PROXIES[kind] is None:
        pytest.skip(f"needs {kind}")
    own, ports = free_port(), {port: free_port() for port in shards}
    with ExitStack() as stack:
        for port, shard in shards.items():
            place = folder / f"tables{shard}"
            stack.enter_context(serving(place, ports[port], f"http://127.0.0.1:{own}", shard))
        yield stack.enter_context(proxy(kind, folder, name, own, ports))


@pytest.fixture(scope="module", params=PROXIES)
def alone(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """Return one server behind each proxy."""
    with behind(request.param, tmp_path_factory.mktemp("alone"), "nginx", {8000: ""}) as site:
        yield site


@pytest.fixture(scope="module", params=PROXIES)
def sharded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """Return two shards behind each proxy."""
    folder, shards = tmp_path_factory.mktemp("shards"), {8001: "a", 8002: "b"}
    with behind(request.param, folder, "nginx-shards", shards) as site:
        yield site


def test_limits_are_those_of_the_client_behind_a_proxy(alone: Site) -> None:
    """An address that a client invents does not count; other clients are not limited by it."""
    asked = [alone.make(**{"X-Forwarded-For": f"203.0.113.{n}"})[0] for n in range(12)]
    assert asked == [201] * 10 + [429] * 2
    assert alone.make("127.0.0.2")[0] == 201
    files = [path.read_text("utf-8") for path in alone.folder.glob("tables/*/table.json")]
    assert len(files) == 11
    assert not any("203.0.113" in text for text in files)


def test_connections_are_counted_for_the_client_behind_a_proxy(alone: Site) -> None:
    with ExitStack() as stack:
        made = alone.make("127.0.0.3")[1]
        for source, count in (("127.0.0.3", 20), ("127.0.0.4", 2)):
            for _ in range(count):
                client = stack.enter_context(alone.enter(made, "", source=source))
                assert heard(client)["type"] == "welcome"
        one_more = stack.enter_context(alone.visit(made, "127.0.0.3"))
        assert "20 connections" in heard(one_more)["why"]


def test_a_websocket_of_another_site_is_refused_behind_a_proxy(alone: Site) -> None:
    """The header `Origin` passes unchanged."""
    made = alone.make("127.0.0.5")[1]
    with pytest.raises(InvalidStatus), alone.enter(made, "", origin="https://evil.example"):
        pass
    with alone.enter(made, made["token"], origin=f"http://{alone.host}") as client:
        assert heard(client)["viewer"] == 0


def test_tables_of_two_shards_are_reached_through_a_proxy(sharded: Site) -> None:
    """Each by the letter of its id: its WebSocket, its page and its QR code."""
    tables = {made["table"][0]: made for made in (sharded.make()[1] for _ in range(6))}
    assert sorted(tables) == ["a", "b"]
    for made in tables.values():
        with sharded.enter(made, made["token"]) as client:
            assert heard(client)["viewer"] == 0
            client.send('{"type":"ping"}')
            while heard(client)["type"] != "pong":
                pass
        with urlopen(f"http://{sharded.host}/t/{made['table']}/qr.svg") as answer:
            assert answer.headers["Content-Type"] == "image/svg+xml"
    log = (sharded.folder / "access.log").read_text("utf-8")
    assert all(made["table"] in log and made["token"] not in log for made in tables.values())
