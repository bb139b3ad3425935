"""`cardhub bot connect`: bots of other processes at one table of a server."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Thread, Timer
from typing import Any
from urllib.request import Request, urlopen

import pytest
from tests.kit.paths import ROOT
from tests.kit.waiting import PATIENCE, wait_until
from websockets.sync.client import ClientConnection, connect

from cardhub.online.server.server_options import ServerOptions
from cardhub.online.server.server_resources import ResourceOptions, open_tables
from cardhub.online.server.web.serving import listen, table_server
from cardhub.online.wire.client_messages import WIRE_VERSION
from cardhub.plugins.registry import find_plugins

from ..conftest import Run, Start

SIMPLE_BOT = ROOT / "examples" / "bots" / "simple_bot.py"


@pytest.fixture
def origin(tmp_path: Path) -> Iterator[str]:
    """Return the address of a running server of tables."""
    options = ServerOptions(port=0)
    house = ResourceOptions(tmp_path / "tables", workers=1)
    with open_tables(find_plugins(), house) as tables, listen(options) as listening:
        server = table_server(tables, options, listening)
        thread = Thread(target=server.run)
        thread.start()
        wait_until(lambda: server.started)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive()


def create(origin: str, **values: Any) -> dict[str, str]:
    """Make a table for bots over the network; return its id and the token of its owner."""
    body = {"game": "kuhn", "name": "", "bots": ["network", "network"], **values}
    headers = {"Content-Type": "application/json", "Origin": origin}
    with urlopen(Request(f"{origin}/tables", json.dumps(body).encode(), headers)) as answer:
        created: dict[str, str] = json.load(answer)
    return created


def hear(owner: ClientConnection, holds: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """Return the next message for which a condition holds."""
    while True:
        message: dict[str, Any] = json.loads(owner.recv(timeout=PATIENCE))
        if holds(message):
            return message


def output_until(process: subprocess.Popen[str], last: str) -> str:
    """Return the output of a process up to a line."""
    output = ""
    patience = Timer(PATIENCE, process.kill)
    patience.start()
    try:
        while last not in output:
            line = process.stdout.readline() if process.stdout else ""
            assert line, f"it ended, and printed only: {output}"
            output += line
    finally:
        patience.cancel()
    return output


def test_bots_of_two_processes_play_a_game(origin: str, start: Start) -> None:
    """One is a bot of Python, the other a program; the owner of the table only watches."""
    table = create(origin)
    with (
        ExitStack() as processes_left,
        connect(f"{origin.replace('http', 'ws')}/ws/{table['table']}", max_size=None) as owner,
    ):
        owner.send(json.dumps({"type": "enter", "version": WIRE_VERSION, "token": table["token"]}))
        processes = []
        for seat, bot in enumerate(("random", f"cmd:{sys.executable} {SIMPLE_BOT}")):
            owner.send(json.dumps({"type": "reissue", "seat": seat}))
            token = hear(owner, lambda message: message["type"] == "issued")["token"]
            link = f"{origin}/t/{table['table']}#seat={token}"
            processes.append(processes_left.enter_context(start("bot", "connect", link, bot)))
            processes_left.callback(processes[-1].kill)
        hear(owner, lambda message: all(s.get("is_here") for s in message.get("seats", [{}])))
        owner.send(json.dumps({"type": "start"}))
        hear(owner, lambda message: message.get("result"))
        for process in processes:
            output = output_until(process, "The game is over. It waits for the next one.")
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=PATIENCE)
            assert process.returncode == 130
            assert "It plays kuhn in seat" in output
            assert "fault" not in err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("http://127.0.0.1:9/t/abc", "random"), "the link does not contain a seat. fix: quote it"),
        (("ftp://127.0.0.1/t/abc#seat=x", "random"), "is not the address of a table"),
    ],
)
def test_a_link_that_is_no_seat_is_refused(run: Run, words: tuple[str, ...], why: str) -> None:
    result = run("bot", "connect", *words)
    assert result.exit_code == 2
    assert why in result.output


def test_a_server_that_does_not_answer_is_told_of(run: Run) -> None:
    result = run("bot", "connect", "http://127.0.0.1:9/t/abc#seat=x", "random")
    assert result.exit_code == 1
    assert "fix: check the address" in result.output
