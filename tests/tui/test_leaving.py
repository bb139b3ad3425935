"""Leaving a table by keys, signals and errors, as a program in a terminal of its own."""

import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from select import select
from typing import Any

import pytest

from cardhub.errors import RecordError
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import record_to

PROGRAM = """
import sys
from pathlib import Path
from random import Random

from cardhub.bots import RandomBot
from cardhub.bots.asking import advise, choose
from cardhub.play.records.recording import record_to
from cardhub.play.seating import seat_players
from cardhub.play.setup import set_up
from cardhub.play.bot_process.client import ThreadBotClient
from cardhub.tui import run_table
from cardhub_gargon import Gargon

class Broken(Gargon):
    def scene(self, state, viewer):
        if state.laid[0]:
            raise RuntimeError("no scene today")
        return super().scene(state, viewer)

game = Broken() if "broken" in sys.argv else Gargon()
referee = set_up(game, seat_players([], 3, "random"), {}, 1)
record_to(referee, Path(sys.argv[1]))
referee.proceed()
bots = [RandomBot(Random(seat)) for seat in range(3)]
players = ThreadBotClient(bots.__getitem__, choose)
adviser = ThreadBotClient(bots.__getitem__, advise)
sys.exit(run_table(referee, players, adviser, hint="random", pace=0))
"""

ENTER_SCREEN, LEAVE_SCREEN = b"\x1b[?1049h", b"\x1b[?1049l"
MOUSE_ON, MOUSE_OFF = b"\x1b[?1000h", b"\x1b[?1000l"


class Program:
    """A table in a pseudo-terminal of 80 by 24."""

    def __init__(self, *arguments: str) -> None:
        self._terminal, inner = pty.openpty()
        environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
        command = [sys.executable, "-c", PROGRAM, *arguments]
        self._process = subprocess.Popen(
            command, stdin=inner, stdout=inner, stderr=inner, env=environment, close_fds=True
        )
        os.close(inner)
        self.output = b""

    def wait_for(self, text: bytes) -> None:
        """Read until a text appears."""
        end = time.monotonic() + 20
        while text not in self.output and time.monotonic() < end:
            self._read()
        assert text in self.output

    def press(self, key: bytes) -> None:
        """Type a key."""
        os.write(self._terminal, key)

    def send(self, number: int) -> None:
        """Send a signal to the program."""
        self._process.send_signal(number)

    def end(self) -> int:
        """Wait for the end; return the exit code."""
        last = time.monotonic() + 20
        while self._process.poll() is None:
            assert time.monotonic() < last, "it never ended"
            self._read()
        self._read()
        os.close(self._terminal)
        return self._process.returncode

    def kill(self) -> None:
        """End the program if it has not ended."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def _read(self) -> None:
        if select([self._terminal], [], [], 0.1)[0]:
            try:
                self.output += os.read(self._terminal, 65536)
            except OSError:
                return  # Linux says so when the other end is closed


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Return where the game is saved."""
    return tmp_path / "game.jsonl"


@pytest.fixture
def program(record: Path) -> Iterator[Program]:
    """Start a table, and wait for its first board."""
    running = Program(str(record))
    running.wait_for(b"left stack")
    yield running
    running.kill()


def assert_is_restored(output: bytes) -> None:
    """Check that the last word on each mode of the terminal turned it off."""
    assert output.rfind(LEAVE_SCREEN) > output.rfind(ENTER_SCREEN) >= 0
    assert output.rfind(MOUSE_OFF) > output.rfind(MOUSE_ON) >= 0


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
def test_a_signal_leaves_the_terminal_as_it_was(
    program: Program, record: Path, number: int, code: int
) -> None:
    """Killed or hung up: the screen and the mouse are given back, and the record can be read."""
    program.send(number)
    assert program.end() == code
    assert_is_restored(program.output)
    assert read_record(record).header.seed == 1


def test_leaving_by_key_is_a_success(program: Program) -> None:
    """The exit code tells scripts that all went well."""
    program.press(b"q")
    assert program.end() == 0
    assert_is_restored(program.output)


@pytest.mark.parametrize("before", [b"", b"?", b":"])
def test_ctrl_c_leaves_as_it_does_elsewhere(program: Program, before: bytes) -> None:
    """Exit code 130 and a whole terminal, from the table and from dialogs."""
    if before:
        program.press(before)
        program.wait_for({b"?": b"Keys", b":": b"Type an action"}[before])
    program.press(b"\x03")
    assert program.end() == 130
    assert_is_restored(program.output)


def test_a_fault_of_the_table_leaves_the_terminal_and_the_record_whole(record: Path) -> None:
    """After an internal error the program fails visibly, and the last action is saved."""
    running = Program(str(record), "broken")
    try:
        running.wait_for(b"left stack")
        running.press(b"\r")
        assert running.end() == 1
    finally:
        running.kill()
    assert_is_restored(running.output)
    assert b"no scene today" in running.output
    assert [line["seat"] for _, line in read_record(record).lines] == [0]


def test_naming_the_table_does_not_load_textual() -> None:
    """The command line starts fast: Textual is imported when a table is opened."""
    code = "import cardhub.tui, sys; sys.exit('textual' in sys.modules)"
    path = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": path})
    assert done.returncode == 0


async def test_a_record_that_cannot_be_written_ends_the_table(setting: Any, tmp_path: Path) -> None:
    """A full disk: the terminal is given back, and the caller learns which file and why."""
    table = setting(seats=3)
    path = tmp_path / "game.jsonl"
    record_to(table.referee, path)
    path.unlink()
    path.mkdir()
    async with table.running() as terminal:
        await terminal.press("enter")
    assert isinstance(table.app.return_value, RecordError)
    assert f"{path} cannot be written: " in str(table.app.return_value)
    assert table.app.return_code == 1
