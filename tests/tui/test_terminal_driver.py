"""Output to a terminal that is closed, or refuses text."""

import os
import pty
from collections.abc import Iterator
from contextlib import suppress
from select import select
from threading import Thread
from typing import TextIO

import pytest
from tests.kit.waiting import PATIENCE
from textual.drivers._writer_thread import MAX_QUEUED_WRITES, WriterThread

from cardhub.tui.terminal_driver import TerminalOutput

FRAME = "a frame that is longer than what a terminal keeps for its reader; " * 200


@pytest.fixture
def terminal() -> Iterator[tuple[int, TextIO]]:
    """Return a terminal's file descriptor, and the file that a program in it writes to."""
    outer, inner = pty.openpty()
    file = os.fdopen(inner, "w")
    yield outer, file
    with suppress(OSError):
        os.close(outer)
    with suppress(OSError):
        file.close()


def write_frames(file: TextIO) -> Thread:
    """Write more frames than Textual's thread keeps; return the thread that waits for the end."""
    writer = WriterThread(TerminalOutput(file))  # type: ignore[arg-type]  # all that it uses
    writer.start()

    def write() -> None:
        for _ in range(2 * MAX_QUEUED_WRITES):
            writer.write(FRAME)
        writer.write("the end\n")
        writer.stop()

    writing = Thread(target=write, daemon=True)
    writing.start()
    return writing


def test_nobody_waits_for_a_terminal_that_was_closed(terminal: tuple[int, TextIO]) -> None:
    outer, file = terminal
    os.close(outer)
    writing = write_frames(file)
    writing.join(PATIENCE)
    assert not writing.is_alive()


def test_a_terminal_that_refuses_text_gets_the_last_frame(terminal: tuple[int, TextIO]) -> None:
    """Another program at the terminal has turned waiting off."""
    outer, file = terminal
    os.set_blocking(file.fileno(), False)
    writing, shown = write_frames(file), b""
    while b"the end" not in shown:
        assert select([outer], [], [], PATIENCE)[0], "nothing more is written"
        shown = shown[-10:] + os.read(outer, 65536)
    writing.join(PATIENCE)
    assert not writing.is_alive()
