"""`cardhub serve` as people run it: its lines, its end by signals, and the next start."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from click.testing import Result
from tests.kit.waiting import PATIENCE
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from cardhub.base.errors import MissingLibraryError
from cardhub.cli.online.serve_tables import needs_web

Run = Callable[..., Result]


class Served:
    """A running `cardhub serve`; `origin` is its address."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        assert process.stdout is not None
        first = process.stdout.readline()
        match = re.search(r"Open (http://localhost:\d+) in a browser", first)
        assert match is not None, first + (process.stderr.read() if process.stderr else "")
        self.origin = match[1]
        self.place = process.stdout.readline()

    def create(self, **values: Any) -> dict[str, str]:
        """Make a table and return its id and token."""
        body = json.dumps({"game": "kuhn", "name": "Anna", **values}).encode()
        headers = {"Content-Type": "application/json", "Origin": self.origin}
        request = Request(f"{self.origin}/tables", body, headers)
        with urlopen(request) as answer:
            created: dict[str, str] = json.load(answer)
        return created

    @contextmanager
    def enter(self, table: str, token: str) -> Iterator[ClientConnection]:
        """Connect to a table, and wait for the greeting."""
        with connect(f"{self.origin.replace('http', 'ws')}/ws/{table}") as client:
            client.send(json.dumps({"type": "enter", "version": 2, "token": token}))
            assert heard(client)["type"] == "welcome"
            yield client

    def end(self, number: int) -> tuple[int, str]:
        """Send a signal; return the exit code and stderr."""
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, errors


def heard(client: ClientConnection) -> dict[str, Any]:
    """Return the next message."""
    message: dict[str, Any] = json.loads(client.recv(timeout=PATIENCE))
    return message


def last(client: ClientConnection) -> dict[str, Any]:
    """Return the last message before the connection ends."""
    message: dict[str, Any] = {}
    try:
        while True:
            message = heard(client)
    except ConnectionClosed:
        return message


@contextmanager
def serving(folder: Path) -> Iterator[Served]:
    """Run a server on a folder; it is killed at the end if it still runs."""
    words = ["serve", "--port", "0", "--folder", str(folder), "--workers", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "cardhub", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
    )
    try:
        yield Served(process)
    finally:
        process.kill()
        process.communicate()


def test_a_folder_that_cannot_be_written_is_refused(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No table could be kept: found at the start, not when the first person makes one."""
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    read_only = run("serve", "--port", "0", "--folder", tmp_path)
    (tmp_path / "file").write_text("")
    no_folder = run("serve", "--port", "0", "--folder", tmp_path / "file" / "tables")
    for refused in (read_only, no_folder):
        assert refused.exit_code == 1
        assert "fix: choose another folder with --folder" in refused.output


def test_tables_go_on_after_signals_and_kills(tmp_path: Path, run: Run) -> None:
    """After a signal clients get a message to reconnect; a token stays valid in both cases."""
    with serving(tmp_path) as served:
        made = served.create()
        assert str(tmp_path) in served.place
        busy = run("serve", "--port", "0", "--folder", tmp_path)
        assert busy.exit_code == 1
        assert "another server uses this folder. fix: " in busy.output
        port = served.origin.rpartition(":")[2]
        taken = run("serve", "--port", port, "--folder", tmp_path / "other")
        assert taken.exit_code == 1
        assert f"port {port} cannot be used" in taken.output
        with served.enter(**made) as client:
            served.process.send_signal(signal.SIGTERM)
            closed = last(client)
        assert (closed["type"], closed["is_final"]) == ("closed", False)
        assert served.process.wait(PATIENCE) == 0
        assert served.process.stderr is not None
        assert made["token"] not in served.process.stderr.read()
    with serving(tmp_path) as served, served.enter(**made):
        served.end(signal.SIGKILL)
    with serving(tmp_path) as served:
        with served.enter(**made) as client:
            assert heard(client)["type"] == "state"
        assert served.end(signal.SIGINT)[0] == 0
    stored = [path.read_text("utf-8") for path in tmp_path.rglob("*") if path.is_file()]
    assert len(stored) > 0
    assert not any(made["token"] in text for text in stored)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--public"], "--public needs --origin"),
        (["--origin", "cards.example.org"], "'cards.example.org' is not an origin. fix: "),
        (["--trust-proxy", "proxy"], "'proxy' is not an address. fix: "),
        (["--port", "70000"], "70000 is not in the range"),
    ],
)
def test_options_that_do_not_fit_are_usage_errors(run: Run, words: list[str], why: str) -> None:
    result = run("serve", *words)
    assert result.exit_code == 2
    assert why in result.output


def test_a_game_that_cannot_be_made_ends_the_server_at_its_start(run: Run, tmp_path: Path) -> None:
    """The host gets the error at the start, and no client later."""
    result = run("serve", "--folder", tmp_path / "tables", "--offer", "openspiel:tic_tac_tow")
    assert result.exit_code == 1
    assert "Did you mean 'tic_tac_toe'" in result.stderr


def test_a_missing_extra_is_named() -> None:
    match = r"fix: pip install '.\[web\]'"
    with pytest.raises(MissingLibraryError, match=match), needs_web("serve"):
        raise ModuleNotFoundError("no uvicorn", name="uvicorn.config")
    with pytest.raises(ModuleNotFoundError, match="other"), needs_web("serve"):
        raise ModuleNotFoundError("other", name="other")
