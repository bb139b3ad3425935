"""A process between cardhub and a program, which ends the program when cardhub ends.

It is run as a script on POSIX systems: `guard.py PID FOLDER WORD...`. It starts the command in a
new process group and waits. When the process PID ends or closes the program's standard input, the
guard waits for the program, then sends SIGTERM to its process group, then SIGKILL. After a SIGTERM
to itself the guard kills the group immediately. At the end it removes FOLDER, unless that is empty,
and exits with the program's exit code, or with 128 + n after signal n.

It does not import other modules of cardhub and has one thread, so processes can be forked safely.
"""

import os
import select
import signal
import sys
from contextlib import suppress
from time import monotonic
from typing import NoReturn

# Seconds from the end of a program's input to SIGTERM, and from there to SIGKILL.
GRACE, LAST_GRACE = 1.0, 0.5
# Seconds between two checks whether the process PID still runs.
CHECK_INTERVAL = 0.5
NOT_STARTED = 126

assert sys.platform != "win32"  # it starts and ends groups of processes, which Windows has not


class Guard:
    """The supervisor of a program, whose process group has the number `group`."""

    def __init__(self, host: int, group: int, woken: int) -> None:
        self._host = host
        self._group = group
        self._woken = woken
        self._poll = select.poll()
        self._poll.register(woken, select.POLLIN)
        self._poll.register(0, 0)  # reports only that the other end is closed
        self._stages = [(GRACE, signal.SIGTERM), (LAST_GRACE, signal.SIGKILL)]
        self._due: float | None = None

    def wait(self) -> int:
        """Wait for the end of the program, and return its exit code."""
        while True:
            pid, status = os.waitpid(self._group, os.WNOHANG)
            if pid:
                # Otherwise its child processes would continue and keep the pipes open.
                self.kill(signal.SIGKILL)
                return os.waitstatus_to_exitcode(status)
            # A killed host closes the pipe, unless one of its child processes holds the other end.
            # So check also the parent process, which changes when the host ends.
            is_input_closed = any(fd == 0 for fd, _ in self._poll.poll(0))
            if self._due is None and (is_input_closed or os.getppid() != self._host):
                self._due = monotonic() + self._stages[0][0]
            elif self._due is not None and monotonic() >= self._due:
                _, number = self._stages.pop(0)
                self.kill(number)
                self._due = monotonic() + self._stages[0][0] if self._stages else float("inf")
            self._sleep()

    def kill(self, number: int) -> None:
        """Send a signal to the program's process group."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._group, number)

    def _sleep(self) -> None:
        if self._due is None:
            self._poll.poll(CHECK_INTERVAL * 1000)
        else:  # do not poll, because it would report the closed input again immediately
            timeout = min(max(self._due - monotonic(), 0), CHECK_INTERVAL)
            select.select([self._woken], [], [], timeout)
        with suppress(BlockingIOError):
            os.read(self._woken, 512)


def main(host: int, folder: str, words: list[str]) -> NoReturn:
    """Start a program, wait for it, remove its folder and exit with its exit code."""
    woken, waker = os.pipe()
    os.set_blocking(woken, False)
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])  # until the program is started
    guard = Guard(host, _start(words, folder), woken)
    signal.signal(signal.SIGTERM, lambda *_: guard.kill(signal.SIGKILL))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTERM])
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)  # only the program holds the pipe, so cardhub notices when it is closed
    code = guard.wait()
    _remove(folder)
    os._exit(code if code >= 0 else 128 - code)


def _start(words: list[str], folder: str) -> int:
    """Start a program in a new process group and return its number, or exit with a message."""
    reset = {signal.SIGPIPE, signal.SIGXFSZ}  # Python ignores them; a program would inherit that
    try:
        return os.posix_spawnp(
            words[0], words, os.environ, setpgroup=0, setsigmask=(), setsigdef=reset
        )
    except OSError as error:
        os.write(2, f"{words[0]} cannot be started: {error.strerror}\n".encode())
        _remove(folder)
        os._exit(NOT_STARTED)


def _remove(folder: str) -> None:
    if folder:
        import shutil  # imported late, because it would delay the start of every program by 0.1 s

        os.chdir("/")
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3:])
