"""The configuration files of the documentation fit the server."""

import re
import shlex
from configparser import ConfigParser

import click
import pytest
from tests.kit.paths import ROOT

from cardhub.cli.main import cli
from cardhub.cli.online.serve_tables import serve
from cardhub.online.server.web.serving import PING_EVERY

FOLDER = ROOT / "docs" / "hosting"
PAGE = FOLDER.with_suffix(".md").read_text("utf-8")
COMMAND = re.compile(r"cardhub serve ?([^\n`…]*)")


def read(name: str) -> str:
    """Return a file."""
    return (FOLDER / name).read_text("utf-8")


def commands() -> list[str]:
    """Return the options of all commands `cardhub serve` in the files and on the page."""
    texts = [PAGE, *(path.read_text("utf-8") for path in FOLDER.iterdir())]
    matches = [match for text in texts for match in COMMAND.findall(text)]
    return sorted({match.strip() for match in matches if match.startswith("--")})


def test_every_file_is_on_the_page() -> None:
    assert [path.name for path in FOLDER.iterdir() if f"(hosting/{path.name})" not in PAGE] == []


@pytest.mark.parametrize("options", commands())
def test_every_command_is_understood(options: str) -> None:
    parent = cli.make_context("cardhub", ["serve"])  # it has the plugins, and so the games
    context = serve.make_context("serve", shlex.split(options), parent)
    assert context.params["origins"] == ("http://192.168.1.20:8000",) or (
        context.params["origins"] == ("https://cards.example.org",)
    )
    assert context.params["is_public"] is not bool(context.params["proxies"])


def test_the_service_runs_a_command_that_is_understood() -> None:
    unit = ConfigParser(strict=False, interpolation=None)
    # The way that its documentation gives to keep the case of names.
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read_string(read("cardhub.service"))
    service = unit["Service"]
    words = shlex.split(service["ExecStart"])
    assert words[:2] == ["/opt/cardhub/bin/cardhub", "serve"]
    assert isinstance(serve.make_context("serve", words[2:]), click.Context)
    assert (service["Restart"], service["DynamicUser"]) == ("always", "yes")
    assert service["Environment"].partition("=")[2] == f"/var/lib/{service['StateDirectory']}"


@pytest.mark.parametrize("name", ["nginx.conf", "nginx-shards.conf"])
def test_nginx_passes_what_the_server_needs(name: str) -> None:
    """The host, WebSockets, and the address of the client alone; it waits for heartbeats."""
    text = read(name)
    assert text.count("{") == text.count("}")
    for line in (
        "proxy_set_header Host $http_host;",
        "proxy_set_header Upgrade $http_upgrade;",
        "proxy_set_header Connection $connection_upgrade;",
        "proxy_set_header X-Forwarded-For $remote_addr;",
    ):
        assert line in text
    waits = [int(seconds) for seconds in re.findall(r"proxy_\w+_timeout (\d+)s;", text)]
    assert len(waits) == 2
    assert min(waits) > 2 * PING_EVERY


@pytest.mark.parametrize("name", ["nginx-shards.conf", "Caddyfile-shards"])
def test_proxies_find_the_shard_of_a_table(name: str) -> None:
    text = read(name)
    patterns = dict(re.findall(r"(?:@\w path_regexp |~)(\^\S+?([ab]))\s", text))
    assert sorted(patterns.values()) == ["a", "b"]
    for letter, port in (("a", 8001), ("b", 8002)):
        pattern = next(port_pattern for port_pattern, of in patterns.items() if of == letter)
        for kind in ("t", "ws", "bot"):
            assert re.match(pattern, f"/{kind}/{letter}bc")
            assert not re.match(pattern, f"/{kind}/{'b' if letter == 'a' else 'a'}bc")
        assert not re.match(pattern, "/tables")
        assert not re.match(pattern, "/assets/abc/cardhub.js")
        assert f"127.0.0.1:{port}" in text
