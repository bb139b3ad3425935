"""Open the table on a terminal of 80 x 24, see that it is drawn, and leave it."""

import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable
from fcntl import ioctl

SECONDS = 60
PROMPT = b"YOUR TURN"
TERMINATED = 143


def main() -> None:
    """Run the command given, and exit with 1 unless it shows a prompt and leaves when told to."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe(sys.argv[1], sys.argv[1:], os.environ | {"TERM": "xterm-256color"})
    ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    shown = read(terminal, lambda text: PROMPT in text)
    os.kill(pid, signal.SIGTERM)
    read(terminal, lambda _: False)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if PROMPT not in shown or code != TERMINATED:
        sys.exit(f"no table (exit code {code}):\n{shown.decode(errors='replace')}")


def read(terminal: int, is_enough: Callable[[bytes], bool]) -> bytes:
    """Return what is written on a terminal until it is enough or nobody writes any more."""
    text, end = b"", time.monotonic() + SECONDS
    while not is_enough(text):
        if not select.select([terminal], [], [], max(0, end - time.monotonic()))[0]:
            break
        try:
            text += os.read(terminal, 65536)
        except OSError:  # how Linux says that the other side has closed
            break
    return text


main()
