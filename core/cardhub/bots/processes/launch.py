"""Start third-party programs: guarded, and confined to a folder and an environment of their own.

A confined program starts in an empty private folder, which is removed afterwards, and gets only the
environment variables that systems need to run programs. It inherits no open files but the three
standard streams.
"""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree, which
from tempfile import mkdtemp
from typing import IO, Protocol, TypeVar

from cardhub.bots.processes import guard
from cardhub.bots.processes.sandbox import Sandbox

# The guard needs process groups and poll, which only POSIX has, and an interpreter to run it, which
# an embedded Python does not know.
IS_GUARDED = os.name == "posix" and bool(sys.executable)
# Variables that every program gets, besides those with the prefix LC_.
PASSED = frozenset(
    {
        "PATH",
        "LANG",
        "LANGUAGE",
        "TZ",
        "LD_LIBRARY_PATH",
        "DYLD_LIBRARY_PATH",
        "PYTHONHASHSEED",
        "PYTHONUTF8",
        "PYTHONDONTWRITEBYTECODE",
        "SYSTEMROOT",
        "SYSTEMDRIVE",
        "WINDIR",
        "COMSPEC",
        "PATHEXT",
        "NUMBER_OF_PROCESSORS",
        "PROCESSOR_ARCHITECTURE",
    }
)
# Variables that are set to the private folder.
HOMES = ("HOME", "TMPDIR", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA")


@dataclass(frozen=True, slots=True)
class Confinement:
    """Permissions of a program: further variables by name, and readable files in a sandbox."""

    variables: tuple[str, ...] = ()
    sandbox: Sandbox | None = None
    readable: tuple[Path, ...] = ()


UNSANDBOXED = Confinement()


@dataclass(frozen=True, slots=True)
class Started:
    """A process, and its private folder if it is confined."""

    process: "subprocess.Popen[bytes]"
    folder: Path | None

    def clean_up(self) -> None:
        """Remove the folder of a process that has ended, if its guard has not done so."""
        if self.folder is not None:
            rmtree(self.folder, ignore_errors=True)


def start(
    words: Sequence[str],
    confinement: Confinement | None,
    *,
    stderr: int | IO[bytes] = subprocess.PIPE,
) -> Started:
    """Start a program with pipes to it; raises OSError, or ValueError for a NUL in a word.

    Without a confinement it gets the folder and the environment of this process.
    """
    if confinement is None:
        return Started(_popen(words, "", None, stderr), None)
    folder = Path(mkdtemp(prefix="cardhub-")).resolve()
    try:
        command = located(words)
        if confinement.sandbox is not None:
            readable = [*confinement.readable, *own_files(command)]
            command = confinement.sandbox.wrapped(command, folder, readable)
        environment = environment_in(folder, os.environ, confinement.variables)
        return Started(_popen(command, str(folder), environment, stderr), folder)
    except BaseException:
        rmtree(folder, ignore_errors=True)
        raise


def environment_in(
    folder: Path, given: Mapping[str, str], variables: Sequence[str] = ()
) -> dict[str, str]:
    """Return the environment of a confined program, filtered from `given`."""
    kept = {
        name: value
        for name, value in given.items()
        if name.upper() in PASSED or name.startswith("LC_") or name in variables
    }
    # A variable passed on by name overrides these, even HOME.
    return dict.fromkeys(HOMES, str(folder)) | kept


def located(words: Sequence[str]) -> list[str]:
    """Return a command that is valid in another folder: with absolute paths."""
    program = words[0]
    found = which(program)
    if found is not None and (len(Path(program).parts) > 1 or not Path(found).is_absolute()):
        # A link is kept: a virtual environment's Python is one, and finds its packages by it.
        program = str(Path(found).absolute())
    return [program, *map(_located, words[1:])]


def own_files(words: Sequence[str]) -> list[Path]:
    """Return the files named by a located command, its program first."""
    program = which(words[0])
    named = (Path(word.rpartition("=")[2]) for word in words[1:])
    return [
        *([Path(program)] if program else []),
        *(path for path in named if path.is_absolute() and path.exists()),
    ]


def _located(word: str) -> str:
    # In --config=model.json the file name is the part after the equals sign.
    option, equals, value = word.rpartition("=") if word.startswith("-") else ("", "", word)
    path = Path(value)
    may_be_folder = os.sep in value or value in (os.curdir, os.pardir)
    try:
        is_there = bool(value) and (path.is_file() or (may_be_folder and path.is_dir()))
    except OSError:
        is_there = False  # no file can have such a name
    return f"{option}{equals}{path.absolute()}" if is_there else word


def _popen(
    words: Sequence[str],
    folder: str,
    environment: Mapping[str, str] | None,
    stderr: int | IO[bytes],
) -> "subprocess.Popen[bytes]":
    command = list(words)
    if IS_GUARDED:
        # -I and -S: no file in the working folder is imported instead of a standard module, and
        # without site packages Python starts faster.
        command = [sys.executable, "-I", "-S", guard.__file__, str(os.getpid()), folder, *words]
    return subprocess.Popen(
        command,
        # Unbuffered: a message that waits in a buffer would never be answered.
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        cwd=folder or None,
        env=environment,
        # Ctrl-C in the terminal reaches cardhub only, which then ends its programs in order.
        start_new_session=IS_GUARDED,
    )


def processors() -> int:
    """Return the number of processors that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Kept(Protocol):
    """A process that is lent to one bot after another."""

    def close_input(self) -> None:
        """Let the process exit."""
        ...

    def end(self) -> None:
        """Wait for the end of the process, and kill it after a timeout."""
        ...


K = TypeVar("K", bound=Kept)


def end_all(living: list[K], owner: int) -> None:
    """End processes, which the process `owner` has started; used as a finalizer."""
    # A fork has the finalizer, too, but the processes belong to the one that started them.
    if os.getpid() != owner:
        return
    # Emptied first, as the finalizer may run after `close`. Input is closed for all before the
    # first is waited for, so that their grace periods pass at the same time.
    ending = living[:]
    living.clear()
    for process in ending:
        process.close_input()
    for process in ending:
        process.end()
