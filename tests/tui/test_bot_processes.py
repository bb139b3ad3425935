"""The processes of a table's bots end with it, however it ends."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.kit.paths import TESTS
from tests.kit.processes import is_running
from tests.tui.pseudo_terminal import Program

THINKERS = TESTS / "play" / "workers" / "thinkers"
LOOP, HOG = 0, 1


Stuck = Callable[[int], tuple[Program, int]]


@pytest.fixture
def stuck(tmp_path: Path, trouble: Path) -> Iterator[Stuck]:
    """Return a function that opens a table with a hanging bot, and returns the bot's process id."""
    programs = []

    def begin(way: int) -> tuple[Program, int]:
        words = ["play", "gargon", "--players", "3", "--seed", "1", "--pace", "0"]
        words += ["--seat", f"Bob=failing:{way}", "--seat", "Anna=human"]
        command = [sys.executable, "-m", "cardhub", "--plugins-dir", str(THINKERS), *words]
        program = Program(command, {"CARDHUB_HOME": str(tmp_path / "home")})
        programs.append(program)
        program.until(lambda: bool(trouble.read_text()))
        return program, int(trouble.read_text())

    yield begin
    for program in programs:
        program.close()


pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks into /proc")


def test_a_table_that_is_killed_takes_its_bots_with_it(stuck: Stuck) -> None:
    program, pid = stuck(HOG)
    assert is_running(pid)
    program.send(signal.SIGKILL)
    program.until(lambda: not is_running(pid))


def test_a_bot_that_never_ends_does_not_keep_the_program(stuck: Stuck) -> None:
    program, pid = stuck(HOG)
    program.press(b"\x03")
    start = time.monotonic()
    assert program.wait() == 130
    assert time.monotonic() - start < 30
    assert b"\x1b[?1049l" in program.output
    program.until(lambda: not is_running(pid))


def test_killing_the_process_of_a_bot_does_not_break_the_table(stuck: Stuck) -> None:
    program, pid = stuck(LOOP)
    os.kill(pid, signal.SIGKILL)
    program.until(lambda: b"ended while it was asked" in program.output)
    program.press(b"q")
    assert program.wait() == 3
    assert b"the bot Bob (failing:0) ended while it was asked" in program.output
    assert b"cardhub bot repro" in program.output
