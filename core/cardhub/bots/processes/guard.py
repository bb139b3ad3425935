"""A process between cardhub and a program, which ends the program when cardhub ends.

It is run as a script on POSIX systems: `guard.py PID FOLDER GROUPS WORD...`. It starts the command
in a new process group and waits. When the process PID ends or closes the program's standard input,
the guard waits for the program, then sends SIGTERM to its process group, then SIGKILL. After a
SIGTERM to itself the guard kills the group immediately. At the end it removes FOLDER, unless that
is empty, and exits with the program's exit code, or with 128 + n after signal n. After SIGUSR1 to
itself it stops the process group, after SIGUSR2 it continues it.

GROUPS are the folders of the program's control group, separated by colons. The process PID removes
them at the end; if it has ended before, the guard kills what is left in them and removes them.

It does not import other modules of cardhub and has one thread, so processes can be forked safely.
"""

import os
import select
import signal
import sys
from contextlib import suppress
from time import monotonic, sleep
from typing import NoReturn

# Seconds from the end of a program's input to SIGTERM, and from there to SIGKILL.
GRACE, LAST_GRACE = 1.0, 0.5
# Seconds between two checks whether the process PID still runs.
CHECK_INTERVAL = 0.5
NOT_STARTED = 126
# How often the removal of control groups is tried, and the seconds after each try.
REMOVALS, REMOVAL_PAUSE = 100, 0.02

assert sys.platform != "win32"  # it starts and ends groups of processes, which Windows has not


class Guard:
    """The supervisor of a program, whose process group has the number `group`."""

    def __init__(self, host: int, group: int, woken: int, folders: list[str]) -> None:
        self._host = host
        self._folders = folders
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
                self.thaw()
                self.kill(number)
                self._due = monotonic() + self._stages[0][0] if self._stages else float("inf")
            self._sleep()

    def kill(self, number: int) -> None:
        """Send a signal to the program's process group."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._group, number)

    def thaw(self) -> None:
        """Continue a frozen or stopped program, because it could not end otherwise."""
        for folder in self._folders:
            for name, text in (("freezer.state", "THAWED"), ("cgroup.freeze", "0")):
                with suppress(OSError), open(f"{folder}/{name}", "w") as file:  # noqa: PTH123  # pathlib is slow
                    file.write(text)
        self.kill(signal.SIGCONT)

    def remove_groups(self) -> None:
        """Kill the processes of the control group and remove it, if the host has ended."""
        tries = REMOVALS if os.getppid() != self._host else 0
        for _ in range(tries):
            if not any(map(os.path.exists, self._folders)):
                return
            for folder in self._folders:
                path = f"{folder}/cgroup.procs"
                with suppress(OSError), open(path) as file:  # noqa: PTH123  # pathlib is slow
                    for line in file:
                        os.kill(int(line), signal.SIGKILL)
                with suppress(OSError):
                    os.rmdir(folder)  # noqa: PTH106  # pathlib is slow
            sleep(REMOVAL_PAUSE)

    def _sleep(self) -> None:
        if self._due is None:
            self._poll.poll(CHECK_INTERVAL * 1000)
        else:  # do not poll, because it would report the closed input again immediately
            timeout = min(max(self._due - monotonic(), 0), CHECK_INTERVAL)
            select.select([self._woken], [], [], timeout)
        with suppress(BlockingIOError):
            os.read(self._woken, 512)


def main(host: int, folder: str, groups: str, words: list[str]) -> NoReturn:
    """Start a program, wait for it, remove its folder and exit with its exit code."""
    woken, waker = os.pipe()
    os.set_blocking(woken, False)
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    handled = [signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2]
    signal.pthread_sigmask(signal.SIG_BLOCK, handled)  # until the program is started
    guard = Guard(host, _start(words, folder), woken, groups.split(":") if groups else [])
    signal.signal(signal.SIGTERM, lambda *_: guard.kill(signal.SIGKILL))
    signal.signal(signal.SIGUSR1, lambda *_: guard.kill(signal.SIGSTOP))
    signal.signal(signal.SIGUSR2, lambda *_: guard.kill(signal.SIGCONT))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, handled)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)  # only the program holds the pipe, so cardhub notices when it is closed
    code = guard.wait()
    guard.remove_groups()
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
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:])
