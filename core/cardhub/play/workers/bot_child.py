"""A process in which bots run: its start, and its replies as answers and faults."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from math import isfinite
from pathlib import Path
from typing import TypeAlias

from cardhub.base.errors import BotCrashError, BotFaultError, BotGarbageError, BotIllegalError
from cardhub.bots.bot import Rated
from cardhub.bots.processes.child_process import ChildProcess, FrameError
from cardhub.bots.processes.launch import Confinement
from cardhub.model.hidden.observation import Step
from cardhub.play.workers.bot_messages import (
    FRAMES,
    Advised,
    Begin,
    Chosen,
    Failed,
    Order,
    Ready,
    Reply,
    Setup,
)
from cardhub.play.workers.lineup import Lineup

# Code that the process runs; its first line of input is the module search path.
# A buffered read of that line could also take bytes of the messages after it.
BOOT = """\
import json, sys
sys.path[:] = json.loads(sys.stdin.buffer.raw.readline())
from cardhub.play.workers.{module} import serve
serve()
"""
# Exit codes above it are this number plus a signal's.
KILLED = 128

BotChild: TypeAlias = ChildProcess[Order, Reply]


def start_bots(
    module: str,
    directories: Iterable[Path],
    heard: Callable[[BotChild, Reply], object],
    ended: Callable[[BotChild, FrameError | None], object],
    confinement: Confinement | None = None,
) -> BotChild:
    """Start a process that runs `serve` of a module of this room; see ChildProcess."""
    is_confined = confinement is not None
    modules = import_path(Path.cwd()) if is_confined else sys.path
    process: BotChild = ChildProcess(
        [sys.executable, "-c", BOOT.format(module=module)],
        FRAMES,
        heard,
        ended,
        confinement,
        first=json.dumps(modules).encode() + b"\n",
    )
    process.send(Setup([os.fspath(path) for path in directories], is_confined))
    return process


def import_path(folder: Path) -> list[str]:
    """Return the module search path, without `folder` unless packages are installed there.

    Python adds the folder it is started in.
    """
    installed = ("cardhub", "*.dist-info", "*.egg-info")
    if any(any(folder.glob(pattern)) for pattern in installed):
        return sys.path
    return [entry for entry in sys.path if entry and Path(entry) != folder]


def build_begin(lineup: Lineup, workers: int = 1) -> Begin:
    """Return the message that starts the game of a lineup."""
    return Begin(
        lineup.game,
        dict(lineup.specs),
        dict(lineup.seeds),
        lineup.advises,
        workers,
        lineup.seats,
        dict(lineup.options),
    )


def build_lineup(begin: Begin, directories: tuple[Path, ...]) -> Lineup:
    """Return the lineup of such a message."""
    return Lineup(
        directories,
        begin.game,
        begin.specs,
        begin.seeds,
        begin.advises,
        begin.seats,
        begin.options,
    )


def answer_of(
    reply: Reply, legal: Sequence[int] | None
) -> bool | int | list[Rated] | BotFaultError:
    """Return the content of a reply; `legal` are the actions to rate, None where one is chosen."""
    if isinstance(reply, Failed):
        kinds = {kind.fault: kind for kind in BotFaultError.__subclasses__()}
        return kinds.get(reply.kind, BotFaultError)(reply.message, details=reply.details)
    if isinstance(reply, Ready):
        return True
    if isinstance(reply, Chosen) and legal is None:
        return reply.action
    if isinstance(reply, Advised) and legal is not None:
        rated = [
            Rated(action, visits, value, tuple(Step(*step) for step in line))
            for action, visits, value, line in reply.rated
        ]
        if rated and all(r.action in legal and isfinite(r.value) for r in rated):
            return rated
    return BotIllegalError("its process returned an invalid answer")


def end_fault(code: int, wrong: FrameError | None) -> BotFaultError:
    """Return the fault of a process that ended with an exit code, or after an invalid message."""
    if wrong is not None:
        return BotGarbageError(f"its process wrote an invalid message: {wrong}")
    return BotCrashError(_cause(code))


def _cause(code: int) -> str:
    how = f"was killed by signal {code - KILLED}" if code > KILLED else f"ended with code {code}"
    return f"its process {how}; a new bot without memory of this game takes over"
