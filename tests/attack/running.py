"""Running commands: in forks of a warm process, or as real processes."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from tests.kit.paths import ROOT

# Seconds for a command to end after SIGTERM.
GRACE = 60
REAL = (sys.executable, "-m", "cardhub")


class Outcome(NamedTuple):
    """The exit code and output of a command."""

    code: int
    out: bytes
    err: bytes
    stopped: bool = False
    killed: bool = False


class Command(NamedTuple):
    """A command line, its working folder and its typed input.

    After `patience` seconds, a command that `stops` may be terminated.
    """

    words: Sequence[str]
    folder: Path
    typed: bytes = b""
    patience: float = 60.0
    stops: bool = False


def environment(folder: Path) -> dict[str, str]:
    """Return a small environment without the user's own variables."""
    kept = {key: os.environ[key] for key in ("PATH", "LANG", "TMPDIR") if key in os.environ}
    return kept | {
        "HOME": str(folder),
        "CARDHUB_HOME": str(folder / "home"),
        "COLUMNS": "80",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUTF8": "1",
    }


class Runner:
    """Runs commands in forks of a process that has imported cardhub already."""

    def __init__(self, scratch: Path) -> None:
        self._streams = [scratch / name for name in ("stdin", "stdout", "stderr")]
        self._server = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "tests.attack.forkserver"],
            cwd=ROOT,
            env=environment(scratch),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._server.stdin is not None
        self._server.stdin.close()
        self._server.wait()
        assert self._server.stdout is not None
        self._server.stdout.close()

    def run(self, command: Command) -> Outcome:
        """Run a command in a fork and return how it ended."""
        typed, out, err = self._streams
        typed.write_bytes(command.typed)
        out.write_bytes(b"")
        err.write_bytes(b"")
        request = {
            "words": list(command.words),
            "folder": str(command.folder),
            "environment": environment(command.folder),
            "streams": [str(path) for path in self._streams],
            "patience": command.patience,
            "stops": command.stops,
        }
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        print(json.dumps(request), file=self._server.stdin, flush=True)
        reply: Mapping[str, int] = json.loads(self._server.stdout.readline())
        stopped, killed = bool(reply["stopped"]), bool(reply["killed"])
        return Outcome(reply["code"], out.read_bytes(), err.read_bytes(), stopped, killed)


def run_real(command: Command) -> Outcome:
    """Run a command in a separate process instead of a fork."""
    with subprocess.Popen(
        [*REAL, *command.words],
        cwd=command.folder,
        env=environment(command.folder),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        stopped = killed = False
        try:
            out, err = process.communicate(command.typed, command.patience + 10)
        except subprocess.TimeoutExpired:
            stopped = True
            process.send_signal(signal.SIGTERM if command.stops else signal.SIGKILL)
            try:
                out, err = process.communicate(timeout=GRACE)
            except subprocess.TimeoutExpired:
                killed = True
                process.kill()
                out, err = process.communicate()
            killed = killed or not command.stops
        with suppress(ProcessLookupError):  # whatever it has left behind
            os.killpg(process.pid, signal.SIGKILL)
        return Outcome(process.returncode, out, err, stopped, killed)
