"""Leaving a table by keys, signals and errors, in a pseudo-terminal."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.tui.pseudo_terminal import Program

from cardhub.base.errors import RecordError
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import record_to

PROGRAM = """
import sys
from pathlib import Path
from random import Random

from cardhub.bots import RandomBot
from cardhub.bots.asking import advise, choose
from cardhub.play.host.scheduler import LoopScheduler
from cardhub.play.host.table_host import Host
from cardhub.play.records.recording import record_to
from cardhub.play.seating import seat_players
from cardhub.play.setup import set_up
from tests.kit.thread_bot_client import ThreadBotClient
from cardhub.tui import run_table
from cardhub_gargon import Gargon
from cardhub_gargon.display.display import GargonDisplay

class BrokenDisplay(GargonDisplay):
    def scene(self, state, viewer):
        if state.laid[0]:
            raise RuntimeError("no scene today")
        return super().scene(state, viewer)

class Broken(Gargon):
    display_type = BrokenDisplay

game = Broken() if "broken" in sys.argv else Gargon()
referee = set_up(game, seat_players([], 3, "random"), {}, 1)
record_to(referee, Path(sys.argv[1]))
referee.proceed()
bots = [RandomBot(Random(seat)) for seat in range(3)]
players = ThreadBotClient(bots.__getitem__, choose)
adviser = ThreadBotClient(bots.__getitem__, advise)
host = Host(referee, players, adviser, LoopScheduler(), hint="random")
sys.exit(run_table(host))
"""

ENTER_SCREEN, LEAVE_SCREEN = b"\x1b[?1049h", b"\x1b[?1049l"
MOUSE_ON, MOUSE_OFF = b"\x1b[?1000h", b"\x1b[?1000l"


def start(*arguments: str) -> Program:
    """Start PROGRAM in a pseudo-terminal."""
    path = os.pathsep.join(filter(None, sys.path))
    return Program([sys.executable, "-c", PROGRAM, *arguments], {"PYTHONPATH": path})


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Return the path at which the game is saved."""
    return tmp_path / "game.jsonl"


@pytest.fixture
def program(record: Path) -> Iterator[Program]:
    """Start a table, and wait for its first board."""
    running = start(str(record))
    running.until_shown(b"left stack")
    yield running
    running.close()


def assert_is_restored(output: bytes) -> None:
    """Check that the last sequence for each mode of the terminal turned it off."""
    assert output.rfind(LEAVE_SCREEN) > output.rfind(ENTER_SCREEN) >= 0
    assert output.rfind(MOUSE_OFF) > output.rfind(MOUSE_ON) >= 0


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
def test_a_signal_leaves_the_terminal_as_it_was(
    program: Program, record: Path, number: int, code: int
) -> None:
    program.send(number)
    assert program.wait() == code
    assert_is_restored(program.output)
    assert read_record(record).header.seed == 1


def test_leaving_by_key_is_a_success(program: Program) -> None:
    program.press(b"q")
    assert program.wait() == 0
    assert_is_restored(program.output)


@pytest.mark.parametrize("before", [b"", b"?", b":"])
def test_ctrl_c_leaves_as_it_does_elsewhere(program: Program, before: bytes) -> None:
    if before:
        program.press(before)
        program.until_shown({b"?": b"Your task", b":": b"Type an action"}[before])
    program.press(b"\x03")
    assert program.wait() == 130
    assert_is_restored(program.output)


def test_a_fault_of_the_table_leaves_the_terminal_and_the_record_whole(record: Path) -> None:
    running = start(str(record), "broken")
    try:
        running.until_shown(b"left stack")
        running.press(b"\r")
        assert running.wait() == 1
    finally:
        running.close()
    assert_is_restored(running.output)
    assert b"no scene today" in running.output
    assert [line["seat"] for _, line in read_record(record).lines] == [0]


def test_naming_the_table_does_not_load_textual() -> None:
    """The command line must start fast: opening a table imports Textual."""
    code = "import cardhub.tui, sys; sys.exit('textual' in sys.modules)"
    path = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": path})
    assert done.returncode == 0


def test_a_table_opens_without_the_screens_that_come_after_it() -> None:
    """Result, replay, analysis and lessons are imported on use."""
    later = ("tui.replay", "tui.results", "lessons", "game_analysis", "lesson_screen")
    code = f"import cardhub.tui.app, sys; print([m for m in sys.modules if m.endswith({later})])"
    path = os.pathsep.join(filter(None, sys.path))
    command = [sys.executable, "-c", code]
    output = subprocess.check_output(command, env=os.environ | {"PYTHONPATH": path}, text=True)
    assert output == "[]\n"


async def test_a_record_that_cannot_be_written_ends_the_table(setting: Any, tmp_path: Path) -> None:
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
