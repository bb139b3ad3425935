"""Check a submission in a separate process, which is killed at the end."""

import os
from collections.abc import Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import NoReturn

from msgspec import Struct, msgpack

from cardhub.base.errors import CardhubError
from cardhub.bots.processes.child_process import ChildProcess
from cardhub.bots.processes.launch import Confinement
from cardhub.bots.processes.python_process import Channel, frame_codec, start_python
from cardhub.bots.processes.sandbox import Sandbox, python_files
from cardhub.plugins.registry import find_plugins
from cardhub.testing.bot_checks.bot_suite import check_spec

# Seconds for all checks: far above what they take, because the machine may be busy.
PATIENCE = 300.0
# Maximum length of the result in bytes.
MOST = 1 << 20
HANDSHAKE = "handshake"


class Checked(Struct, frozen=True):
    """The result of the checks: what is wrong, a line for each; `is_made`: the bot can be made."""

    problems: tuple[str, ...]
    is_made: bool


DECODER = msgpack.Decoder(Checked)


def check_submission(
    directories: Sequence[Path],
    file: Path,
    game: str,
    positions: int,
    seed: int,
    sandbox: Sandbox | None,
    patience: float = PATIENCE,
) -> Checked:
    """Return the result of all checks of a bot in a Python file."""
    results: SimpleQueue[Checked] = SimpleQueue()

    def on_message(_: ChildProcess[None, Checked], checked: Checked) -> None:
        results.put(checked)

    def on_exit(_: ChildProcess[None, Checked], code: int, error: object) -> None:
        results.put(Checked((f"its checks ended with exit code {code}",), is_made=False))

    readable = (*python_files(), *directories, file) if sandbox else ()
    process = start_python(
        "cardhub.testing.grading.check_process:serve_check",
        ([str(path) for path in directories], str(file), game, positions, seed),
        frame_codec(DECODER, MOST),
        on_message,
        on_exit,
        Confinement(sandbox=sandbox, readable=readable),
    )
    try:
        return results.get(timeout=patience)
    except Empty:
        return Checked((f"its checks did not end within {patience:g} seconds",), is_made=False)
    finally:
        process.kill()
        process.reap()


def serve_check(
    directories: Sequence[str], file: str, game: str, positions: int, seed: int
) -> NoReturn:
    """Check the bot of a file, and send the result."""
    channel = Channel(DECODER)
    try:
        registry = find_plugins(map(Path, directories))
        report = check_spec(registry, f"file:{file}", game, positions=positions, seed=seed)
    except CardhubError as error:
        channel.send(Checked((str(error),), is_made=False))
    else:
        problems = tuple(f"{finding.check}: {finding.problem}" for finding in report.findings)
        channel.send(Checked(problems, is_made=report.finding(HANDSHAKE) is None))
    os._exit(0)
