"""Seconds from the shell to the help, to the home screen and to the first board.

Each command is started in a terminal of 80 x 24, in turn; a figure is the median over rounds. The
limits are for an idle core.
"""

import argparse
import os
import pty
import select
import signal
import struct
import sys
import tempfile
import termios
from fcntl import ioctl
from statistics import median
from time import perf_counter
from typing import NamedTuple

from speed import surroundings

# The longest time to wait for a text, in seconds.
LONGEST = 30
# The screens ask for the position of the cursor, to see how wide characters are.
QUESTION, ANSWER = b"\x1b[6n", b"\x1b[1;5R"


class Start(NamedTuple):
    """A start of the program: its arguments, the text to wait for, and the limit in seconds."""

    name: str
    arguments: tuple[str, ...]
    text: bytes
    limit: float


STARTS = (
    Start("cardhub --help", ("--help",), b"Exit codes", 0.15),
    Start("cardhub", (), b"new game", 1.0),
    Start("cardhub play gargon", ("play", "gargon", "--seed", "1"), b"YOUR TURN", 1.0),
    Start("cardhub play gamon", ("play", "gamon", "--seed", "1"), b"YOUR TURN", 1.0),
)


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CARDHUB_HOME"] = folder
        rounds_of_seconds = [[seconds_to(start) for start in STARTS] for _ in range(rounds)]
    print(surroundings(), f"{rounds} rounds", "", sep="\n")
    print(f"{'command':22}{'seconds':>8}{'least':>8}{'limit':>8}")
    for start, seconds in zip(STARTS, zip(*rounds_of_seconds, strict=True), strict=True):
        print(f"{start.name:22}{median(seconds):8.2f}{min(seconds):8.2f}{start.limit:8.2f}")


def seconds_to(start: Start) -> float:
    """Return the time from starting a command until its text is shown; the command is ended."""
    begun = perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        command = [sys.executable, "-m", "cardhub", *start.arguments]
        os.execve(sys.executable, command, os.environ | {"TERM": "xterm-256color"})
    ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    shown = read_until(terminal, start.text)
    passed = perf_counter() - begun
    os.kill(pid, signal.SIGTERM)
    read_until(terminal, None)
    os.close(terminal)
    os.waitpid(pid, 0)
    if start.text not in shown:
        sys.exit(f"{start.name}: no {start.text.decode()!r} within {LONGEST} seconds")
    return passed


def read_until(terminal: int, text: bytes | None) -> bytes:
    """Return what is written on a terminal until it holds a text, or until its program ends."""
    shown, end = b"", perf_counter() + LONGEST
    while text is None or text not in shown:
        if not select.select([terminal], [], [], max(0, end - perf_counter()))[0]:
            break
        try:
            written = os.read(terminal, 65536)
        except OSError:  # how Linux tells that the program has ended
            break
        if not written:
            break
        if QUESTION in written:
            os.write(terminal, ANSWER)
        shown += written
    return shown


if __name__ == "__main__":
    main()
