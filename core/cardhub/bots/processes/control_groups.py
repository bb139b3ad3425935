"""Control groups of Linux: limits of memory, processors and processes for a program, and its use.

Version 2 is used if it is delegated, else version 1 if its hierarchies can be written. Groups are
made below the group of this process, so its own limits hold as well.
"""

import os
import signal
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import count
from math import fsum
from pathlib import Path
from time import monotonic, sleep
from typing import NamedTuple

from typing_extensions import override

from cardhub.base.errors import LimitsError

ROOT = Path("/sys/fs/cgroup")
PROCESSES = "cgroup.procs"
# The hierarchies of version 1 that are used, and the controllers of version 2.
HIERARCHIES = ("memory", "cpu", "cpuacct", "pids", "freezer")
CONTROLLERS = ("memory", "cpu", "pids")
# The group in which cardhub puts itself, because processes may not stand beside child groups.
OWN = "cardhub"
# Microseconds in which a program may use its share of the processors.
PERIOD = 100_000
# Seconds to wait for the end of killed processes, and between two looks.
PATIENCE, PAUSE = 2.0, 0.01
# A program joins its groups before it starts, and does not start if it cannot.
JOIN = (
    'n=$1; shift; while [ $n -gt 0 ]; do echo 0 >"$1"/cgroup.procs || exit 125; shift; '
    'n=$((n-1)); done; exec "$@"'
)
FIX = (
    "fix: start cardhub in a group of its own, as in `systemd-run --user --scope -p Delegate=yes "
    "cardhub ...`, or leave `memory`, `processors` and `processes` out of `limits`"
)


@dataclass(frozen=True, slots=True)
class ResourceLimits:
    """What a bot may use: bytes of memory, a number of processors, and processes with threads.

    None stands for any number. `ponder`: whether it may think while it is not asked; else it stops.
    """

    memory: int | None = None
    processors: float | None = None
    processes: int | None = None
    ponder: bool = False

    @property
    def needs_group(self) -> bool:
        """Whether the limits need a control group."""
        return (self.memory, self.processors, self.processes) != (None, None, None)


class Usage(NamedTuple):
    """What the processes of a group have used, in seconds, and their highest memory in bytes.

    `waited`: while they could have computed, but had no processor. `killed`: how many were killed
    because of the limit of memory; `refused`: how often the limit of processes was reached.
    """

    processor: float = 0.0
    waited: float = 0.0
    memory: int = 0
    killed: int = 0
    refused: int = 0

    def since(self, before: "Usage") -> "Usage":
        """Return the use since an earlier one, with the highest memory of all time."""
        return Usage(
            self.processor - before.processor,
            max(self.waited - before.waited, 0.0),  # of processes that have ended it is unknown
            self.memory,
            self.killed - before.killed,
            self.refused - before.refused,
        )

    def joined(self, other: "Usage") -> "Usage":
        """Return the sum of both, with the higher memory."""
        return Usage(
            self.processor + other.processor,
            self.waited + other.waited,
            max(self.memory, other.memory),
            self.killed + other.killed,
            self.refused + other.refused,
        )


NO_USAGE = Usage()


class ControlGroup(ABC):
    """A group for one program; `folders` are its folders, one in each hierarchy.

    Raises LimitsError if the group cannot be made.
    """

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self._at = dict(folders)

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders that a program joins."""
        return tuple(dict.fromkeys(self._at.values()))

    def wrapped(self, words: list[str]) -> list[str]:
        """Return the command that joins the group and then runs `words`."""
        folders = list(map(str, self.folders))
        return ["/bin/sh", "-c", JOIN, "sh", str(len(folders)), *folders, *words]

    def make(self, limits: ResourceLimits) -> None:
        """Make the folders and set the limits; raises OSError."""
        for folder in self.folders:
            folder.mkdir()
        self._set(limits)

    def close(self) -> None:
        """Kill the remaining processes, and remove the group as soon as they have ended."""
        self.thaw()
        end = monotonic() + PATIENCE
        while not self._remove() and monotonic() < end:
            sleep(PAUSE)

    @abstractmethod
    def freeze(self) -> None:
        """Stop all processes, including new ones."""

    @abstractmethod
    def thaw(self) -> None:
        """Continue the processes."""

    @abstractmethod
    def usage(self) -> Usage:
        """Return the use of the processes since their start."""

    @abstractmethod
    def _set(self, limits: ResourceLimits) -> None: ...

    def _remove(self) -> bool:
        """Kill all processes and remove the folders; return whether they are gone."""
        if sys.platform == "win32":  # control groups are Linux's
            return True
        for folder in self.folders:
            for pid in _pids(folder):
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            with suppress(OSError):
                folder.rmdir()
        return not any(folder.exists() for folder in self.folders)

    def _waited(self, folder: Path, throttled: float) -> float:
        """Return the seconds in which living threads waited for a processor."""
        return throttled + fsum(_run_delay(pid) for pid in _pids(folder))


class FirstGroup(ControlGroup):
    """A group in hierarchies of version 1."""

    @override
    def freeze(self) -> None:
        _write(self._at["freezer"] / "freezer.state", "FROZEN")

    @override
    def thaw(self) -> None:
        _write(self._at["freezer"] / "freezer.state", "THAWED")

    @override
    def usage(self) -> Usage:
        at = self._at
        throttled = _table(at["cpu"] / "cpu.stat").get("throttled_time", 0) / 1e9
        return Usage(
            _number(at["cpuacct"] / "cpuacct.usage") / 1e9,
            self._waited(at["cpu"], throttled),
            _number(at["memory"] / "memory.max_usage_in_bytes"),
            _table(at["memory"] / "memory.oom_control").get("oom_kill", 0),
            _table(at["pids"] / "pids.events").get("max", 0),
        )

    @override
    def _set(self, limits: ResourceLimits) -> None:
        if limits.memory is not None:
            folder = self._at["memory"]
            (folder / "memory.limit_in_bytes").write_text(str(limits.memory))
            with suppress(FileNotFoundError):  # where swap is not counted
                (folder / "memory.memsw.limit_in_bytes").write_text(str(limits.memory))
        if limits.processors is not None:
            (self._at["cpu"] / "cpu.cfs_period_us").write_text(str(PERIOD))
            (self._at["cpu"] / "cpu.cfs_quota_us").write_text(str(_quota(limits.processors)))
        if limits.processes is not None:
            (self._at["pids"] / "pids.max").write_text(str(limits.processes))


class SecondGroup(ControlGroup):
    """A group in the hierarchy of version 2."""

    @override
    def freeze(self) -> None:
        _write(self._folder / "cgroup.freeze", "1")

    @override
    def thaw(self) -> None:
        _write(self._folder / "cgroup.freeze", "0")

    @override
    def usage(self) -> Usage:
        stat = _table(self._folder / "cpu.stat")
        return Usage(
            stat.get("usage_usec", 0) / 1e6,
            self._waited(self._folder, stat.get("throttled_usec", 0) / 1e6),
            _number(self._folder / "memory.peak"),
            _table(self._folder / "memory.events").get("oom_kill", 0),
            _table(self._folder / "pids.events").get("max", 0),
        )

    @property
    def _folder(self) -> Path:
        return self._at[""]

    @override
    def _set(self, limits: ResourceLimits) -> None:
        if limits.memory is not None:
            (self._folder / "memory.max").write_text(str(limits.memory))
            with suppress(FileNotFoundError):  # where swap is not counted
                (self._folder / "memory.swap.max").write_text("0")
        if limits.processors is not None:
            (self._folder / "cpu.max").write_text(f"{_quota(limits.processors)} {PERIOD}")
        if limits.processes is not None:
            (self._folder / "pids.max").write_text(str(limits.processes))


_NUMBERS = count()


def new_group(limits: ResourceLimits) -> ControlGroup:
    """Return a new group with limits; raises LimitsError."""
    name = f"cardhub-{os.getpid()}-{next(_NUMBERS)}"
    parents = _parents()
    places = {key: folder / name for key, folder in parents.items()}
    group = SecondGroup(places) if "" in parents else FirstGroup(places)
    try:
        group.make(limits)
    except OSError as error:
        group.close()
        raise LimitsError(f"no limits: {error.filename}: {error.strerror}\n{FIX}") from error
    return group


def check_limits(limits: ResourceLimits) -> None:
    """Raise LimitsError, with a fix, unless programs can run with these limits on this system."""
    if not limits.needs_group:
        return
    _remove_abandoned()
    group = new_group(limits)
    try:
        run = subprocess.run(group.wrapped(["true"]), capture_output=True, check=False)
    finally:
        group.close()
    if run.returncode:
        reason = run.stderr.decode(errors="replace").strip()
        raise LimitsError(f"no limits: a program cannot be started with them: {reason}\n{FIX}")


def _remove_abandoned() -> None:
    """Remove empty groups of processes that have ended before they could do so."""
    for parent in _parents().values():
        for folder in parent.glob("cardhub-*-*"):
            if not Path("/proc", folder.name.split("-")[1]).exists():
                with suppress(OSError):  # it has processes
                    folder.rmdir()


@cache
def _parents() -> dict[str, Path]:
    """Return the folders below which groups are made: of version 1 by hierarchy, or "" for 2."""
    own = dict(_own_groups())
    if not own:
        raise LimitsError("no limits: this system has no control groups, which only Linux has")
    if "" in own and (ROOT / "cgroup.controllers").exists():
        return {"": _delegated(_inside(ROOT, own[""]))}
    missing = [name for name in HIERARCHIES if name not in own or not (ROOT / name).is_dir()]
    if missing:
        raise LimitsError(f"no limits: no hierarchy {', '.join(missing)} of control groups\n{FIX}")
    return {name: _inside(ROOT / name, own[name]) for name in HIERARCHIES}


def _own_groups() -> Iterator[tuple[str, str]]:
    """Yield the path of this process's group by hierarchy, with an empty name for version 2."""
    with suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, names, path = line.split(":", 2)
            yield from ((name, path) for name in names.split(","))


def _inside(root: Path, path: str) -> Path:
    # In a container the path can be valid on the host only.
    folder = root / path.strip("/")
    return folder if folder.is_dir() else root


def _delegated(folder: Path) -> Path:
    """Return the folder of version 2 for groups of programs, after its controllers are enabled.

    Raises LimitsError unless the folder is delegated to this process.
    """
    parent = folder.parent if folder.name == OWN else folder
    missing = {*CONTROLLERS} - {*(parent / "cgroup.controllers").read_text().split()}
    if missing:
        names = ", ".join(sorted(missing))
        raise LimitsError(f"no limits: the control group {parent} has no controller {names}\n{FIX}")
    try:
        if parent != ROOT and parent == folder:
            _move_into_child(parent)
        enabled = " ".join(f"+{name}" for name in CONTROLLERS)
        (parent / "cgroup.subtree_control").write_text(enabled)
    except OSError as error:
        raise LimitsError(f"no limits: {error.filename}: {error.strerror}\n{FIX}") from error
    return parent


def _move_into_child(parent: Path) -> None:
    """Move this process into a child of its group; raises LimitsError if it is not alone."""
    if _pids(parent) != [os.getpid()]:
        raise LimitsError(f"no limits: the control group {parent} has other processes\n{FIX}")
    (parent / OWN).mkdir(exist_ok=True)
    (parent / OWN / PROCESSES).write_text(str(os.getpid()))


def _quota(processors: float) -> int:
    return max(round(processors * PERIOD), 1000)  # the least that the system accepts


def _write(path: Path, text: str) -> None:
    with suppress(OSError):  # the group may have been removed
        path.write_text(text)


def _pids(folder: Path) -> list[int]:
    with suppress(OSError):
        return [int(word) for word in (folder / PROCESSES).read_text().split()]
    return []


def _number(path: Path) -> int:
    with suppress(OSError, ValueError):
        return int(path.read_text())
    return 0


def _table(path: Path) -> dict[str, int]:
    """Return a file with a name and a number in each line."""
    with suppress(OSError):
        rows = (line.split() for line in path.read_text().splitlines())
        return {row[0]: int(row[1]) for row in rows if len(row) > 1 and row[1].isdecimal()}
    return {}


def _run_delay(pid: int) -> float:
    """Return the seconds in which the threads of a process waited for a processor."""
    delay = 0
    with suppress(OSError, ValueError, IndexError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            delay += int((task / "schedstat").read_text().split()[1])
    return delay / 1e9
