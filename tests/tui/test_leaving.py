"""Leaving a table by keys, signals and errors, in a pseudo-terminal."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.kit.waiting import PATIENCE
from tests.tui.pseudo_terminal import ONE_CELL, TWO_CELLS, Program

from cardhub.base.errors import RecordError
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import record_to
from cardhub.tui.app import QUESTION

PROGRAM = f"""
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
from cardhub.tui import app, run_table
from cardhub_gargon import Gargon
from cardhub_gargon.display.display import GargonDisplay

app.PATIENCE = {PATIENCE}

class BrokenDisplay(GargonDisplay):
    def scene(self, state, viewer):
        if state.laid[0]:
            raise RuntimeError("no scene today")
        return super().scene(state, viewer)

class Broken(Gargon):
    display_type = BrokenDisplay

def host_of(game, path):
    referee = set_up(game, seat_players([], 3, "random"), {{}}, 1)
    record_to(referee, Path(path))
    referee.proceed()
    bots = [RandomBot(Random(seat)) for seat in range(3)]
    players = ThreadBotClient(bots.__getitem__, choose)
    adviser = ThreadBotClient(bots.__getitem__, advise)
    return Host(referee, players, adviser, LoopScheduler(), hint="random")

while True:
    kind, path = input().split()
    code = run_table(host_of(Broken() if kind == "broken" else Gargon(), path))
    print("ended with", code, "", flush=True)
"""
ENDED = re.compile(rb"ended with (\d+) ")

ENTER_SCREEN, LEAVE_SCREEN = b"\x1b[?1049h", b"\x1b[?1049l"
MOUSE_ON, MOUSE_OFF = b"\x1b[?1000h", b"\x1b[?1000l"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Return the path at which the game is saved."""
    return tmp_path / "game.jsonl"


@pytest.fixture(scope="module")
def program() -> Iterator[Program]:
    """Start a program for the tests of this module."""
    running = start_program()
    yield running
    running.close()


def open_table(program: Program, kind: str, record: Path) -> None:
    """Open the next table, and wait for its first board."""
    program.forget()
    program.press(f"{kind} {record}\n".encode())
    program.until_shown(b"left stack")


def start_program() -> Program:
    """Start PROGRAM in a pseudo-terminal, where it opens a table after each typed line."""
    path = os.pathsep.join(filter(None, sys.path))
    return Program([sys.executable, "-c", PROGRAM], {"PYTHONPATH": path})


@pytest.fixture
def table(program: Program, record: Path) -> Program:
    """Return the program at its next table."""
    open_table(program, "whole", record)
    return program


def exit_code(program: Program) -> int:
    """Wait until the table is left; return its code."""
    program.until(lambda: ENDED.search(program.output) is not None)
    ended = ENDED.search(program.output)
    assert ended is not None
    return int(ended[1])


def assert_is_restored(output: bytes) -> None:
    """Check that the last sequence for each mode of the terminal turned it off."""
    assert output.rfind(LEAVE_SCREEN) > output.rfind(ENTER_SCREEN) >= 0
    assert output.rfind(MOUSE_OFF) > output.rfind(MOUSE_ON) >= 0


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
def test_a_signal_leaves_the_terminal_as_it_was(
    table: Program, record: Path, number: int, code: int
) -> None:
    table.send(number)
    assert exit_code(table) == code
    assert_is_restored(table.output)
    assert read_record(record).header.seed == 1


def test_a_closed_terminal_ends_the_program(record: Path) -> None:
    """Textual alone would wait for ever until the terminal takes its output."""
    running = start_program()
    open_table(running, "whole", record)
    running.hang_up()
    assert read_record(record).header.seed == 1


def test_a_terminal_says_whether_its_characters_are_wide(program: Program, record: Path) -> None:
    for answer, has_frames in ((TWO_CELLS, False), (ONE_CELL, True)):
        program.answer = answer
        open_table(program, "whole", record.with_suffix(f".{has_frames}"))
        shown = program.output.replace(QUESTION.encode(), b"").decode(errors="ignore")
        assert ("─" in shown) is has_frames
        program.press(b"q")
        exit_code(program)


def test_leaving_by_key_is_a_success(table: Program) -> None:
    table.press(b"q")
    assert exit_code(table) == 0
    assert_is_restored(table.output)


@pytest.mark.parametrize("before", [b"", b"?", b":"])
def test_ctrl_c_leaves_as_it_does_elsewhere(table: Program, before: bytes) -> None:
    if before:
        table.press(before)
        table.until_shown({b"?": b"Your task", b":": b"Type an action"}[before])
    table.press(b"\x03")
    assert exit_code(table) == 130
    assert_is_restored(table.output)


def test_a_fault_of_the_table_leaves_the_terminal_and_the_record_whole(
    program: Program, record: Path
) -> None:
    open_table(program, "broken", record)
    program.press(b"\r")
    assert exit_code(program) == 1
    assert_is_restored(program.output)
    assert b"no scene today" in program.output
    assert [line["seat"] for _, line in read_record(record).lines] == [0]


IMPORTS = """
import cardhub.tui, sys
print("textual" in sys.modules)
import cardhub.tui.app
later = ("tui.replay", "tui.results", "lessons", "game_analysis", "lesson_screen")
print([name for name in sys.modules if name.endswith(later)])
"""


def test_a_table_loads_textual_when_it_opens_and_later_screens_on_use() -> None:
    """The command line must start fast; so must a table, without result, replay and lessons."""
    path = os.pathsep.join(filter(None, sys.path))
    command = [sys.executable, "-c", IMPORTS]
    output = subprocess.check_output(command, env=os.environ | {"PYTHONPATH": path}, text=True)
    assert output == "False\n[]\n"


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
