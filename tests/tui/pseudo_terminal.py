"""Programs in pseudo-terminals."""

import os
import pty
import signal
import subprocess
from collections.abc import Callable, Sequence
from select import select
from time import monotonic

from tests.kit.waiting import PATIENCE

from cardhub.tui.app import QUESTION, SAMPLE

# The positions of the cursor after the sample of the question.
ONE_CELL = b"\x1b[1;%dR" % (len(SAMPLE) + 1)
TWO_CELLS = b"\x1b[1;%dR" % (2 * len(SAMPLE) + 1)


class Program:
    """A program in a pseudo-terminal of 80 by 24; its output is read during each wait.

    `answer`: what the terminal says if the program asks how wide characters are.
    """

    def __init__(
        self, command: Sequence[str], environment: dict[str, str], answer: bytes = ONE_CELL
    ) -> None:
        self._terminal, inner = pty.openpty()
        size = {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
        self._process = subprocess.Popen(
            command, stdin=inner, stdout=inner, stderr=inner, env=os.environ | size | environment
        )
        os.close(inner)
        self.output = b""
        self.answer = answer
        self._answered = 0

    def until(self, holds: Callable[[], bool]) -> None:
        """Read until a condition holds."""
        end = monotonic() + PATIENCE
        while not holds():
            assert monotonic() < end, self.output.decode(errors="replace")[-2000:]
            self._read()

    def until_shown(self, text: bytes) -> None:
        """Read until a text appears."""
        self.until(lambda: text in self.output)

    def forget(self) -> None:
        """Drop the output until now."""
        self.output, self._answered = b"", 0

    def press(self, key: bytes) -> None:
        """Type a key."""
        os.write(self._terminal, key)

    def send(self, number: int) -> None:
        """Send a signal to the program."""
        self._process.send_signal(number)

    def wait(self) -> int:
        """Return the exit code."""
        self.until(lambda: self._process.poll() is not None)
        self._read()
        return self._process.returncode

    def hang_up(self) -> None:
        """Close the terminal like a window, and wait for the end of the program."""
        os.close(self._terminal)
        # The system sends both to the programs of a terminal that is closed.
        for number in (signal.SIGHUP, signal.SIGCONT):
            self.send(number)
        try:
            self._process.wait(PATIENCE)
        finally:
            self._process.kill()

    def close(self) -> None:
        """End the process and close its terminal."""
        self._process.kill()
        self._process.wait()
        os.close(self._terminal)

    def _read(self) -> None:
        if select([self._terminal], [], [], 0.02)[0]:
            try:
                self.output += os.read(self._terminal, 65536)
            except OSError:
                return  # Linux says so when the other end is closed
            while self.output.count(QUESTION.encode()) > self._answered:
                self.press(self.answer)
                self._answered += 1
