"""Start third-party programs with a guard, confined to a private folder and environment.

A confined program starts in an empty private folder, which is removed afterwards, and gets only the
environment variables that systems need to run programs. It inherits only the three standard
streams, no other open files.
"""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, starmap
from pathlib import Path
from shutil import rmtree, which
from tempfile import mkdtemp
from typing import NamedTuple, Protocol

from cardhub.bots.processes import guard
from cardhub.bots.processes.control_groups import ControlGroup, ResourceLimits, new_group
from cardhub.bots.processes.sandbox import Place, Sandbox, refuse_shim

# The guard needs process groups and poll, which only POSIX has, and the path of an interpreter,
# which an embedded Python does not know.
IS_GUARDED = os.name == "posix" and bool(sys.executable)
# Variables that every program gets, together with all variables with the prefix LC_.
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
        "CARDHUB_NO_PLUGIN",  # the plugins that no process of cardhub may import
    }
)
# Options of Java whose value is a list of files and folders; `lib/*` is all archives in lib.
CLASS_PATHS = ("-cp", "-classpath", "--class-path")
ALL_ARCHIVES = "*"
# Variables that are set to the private folder.
HOMES = ("HOME", "TMPDIR", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA")


@dataclass(frozen=True, slots=True)
class Confinement:
    """The permissions of a program.

    `variables`: the names of further environment variables. `sandbox`: the sandbox, or None.
    `readable`: files that the program can read in the sandbox. `place`: the folder in which it
    starts, or None for its private one. `limits`: what it may use, or None.
    """

    variables: tuple[str, ...] = ()
    sandbox: Sandbox | None = None
    readable: tuple[Path, ...] = ()
    place: Place | None = None
    limits: ResourceLimits | None = None


UNSANDBOXED = Confinement()


class HasFileno(Protocol):
    """An open file."""

    def fileno(self) -> int:
        """Return the number of the open file."""
        ...


class Started(NamedTuple):
    """A started program with pipes, its private folder if it is confined, and its group if any."""

    process: "subprocess.Popen[bytes]"
    folder: Path | None
    group: ControlGroup | None


def start(
    words: Sequence[str],
    confinement: Confinement | None,
    *,
    stderr: int | HasFileno = subprocess.PIPE,
) -> Started:
    """Return a started program.

    `confinement`: the program's permissions, or None to inherit the working folder and environment.
    Raises OSError, or ValueError for a NUL in a word or a program that no sandbox can run; also
    LimitsError.
    """
    if confinement is None:
        return Started(_popen(words, None, None, stderr), None, None)
    folder = Path(mkdtemp(prefix="cardhub-")).resolve()
    place, limits = confinement.place, confinement.limits
    group = new_group(limits) if limits is not None and limits.needs_group else None
    try:
        command = with_absolute_paths(words) if place is None else list(words)
        if confinement.sandbox is not None:
            # The author of a command in a folder could name any file of this machine, so the
            # sandbox shows only the folder, and a program that is found by its name.
            refuse_shim(command[0])
            files = files_of_command(command) if place is None else _named_program(command)
            readable = [*confinement.readable, *files]
            command = confinement.sandbox.wrapped(command, folder, readable, place)
        environment = environment_in(folder, os.environ, confinement.variables)
        process = _popen(command, folder, environment, stderr, place, group)
        return Started(process, folder, group)
    except BaseException:
        rmtree(folder, ignore_errors=True)
        if group is not None:
            group.close()
        raise


def environment_in(
    folder: Path, environment: Mapping[str, str], variables: Sequence[str] = ()
) -> dict[str, str]:
    """Return the environment of a confined program, filtered from `environment`."""
    passed = {
        name: value
        for name, value in environment.items()
        if name.upper() in PASSED or name.startswith("LC_") or name in variables
    }
    # A variable named in `variables` overrides the private folder, even HOME.
    return dict.fromkeys(HOMES, str(folder)) | passed


def with_absolute_paths(words: Sequence[str]) -> list[str]:
    """Return a command that is valid in another working folder: with absolute paths."""
    program = words[0]
    path = which(program)
    if path is not None and (len(Path(program).parts) > 1 or not Path(path).is_absolute()):
        # Do not resolve links: a virtual environment's Python is a link that locates its packages.
        program = str(Path(path).absolute())
    return [program, *starmap(_with_absolute_path, pairwise(words))]


def files_of_command(words: Sequence[str]) -> list[Path]:
    """Return the files that a command with absolute paths names, its program first."""
    program = which(words[0])
    paths = [path for pair in pairwise(words) for path in _paths_in(*pair)]
    return [
        *([Path(program)] if program else []),
        *(path for path in paths if path.is_absolute() and path.exists()),
    ]


def _named_program(words: Sequence[str]) -> list[Path]:
    """Return the program of a command if it is found by its name, as `node` is."""
    program = None if os.sep in words[0] else which(words[0])
    return [Path(program)] if program else []


def _paths_in(before: str, word: str) -> list[Path]:
    """Return the paths in an argument; `before`: the word before it."""
    entries = class_path_entries(before, word)
    if entries:
        return list(map(Path, entries))
    _, value = _split_option(word)
    # In MODEL=net.bin the file name is the part after the equals sign, or all of it.
    return [Path(value), *([Path(value.rpartition("=")[2])] if "=" in value else [])]


def class_path_entries(before: str, word: str) -> list[str]:
    """Return the files and folders of a class path of Java, or no entries for another word.

    `before`: the word before it.
    """
    entries = _split_class_path(before, word)
    return [str(Path(e).parent) if Path(e).name == ALL_ARCHIVES else e for e in entries]


def _split_class_path(before: str, word: str) -> list[str]:
    option, value = _split_option(word)
    is_class_path = (option.removesuffix("=") or before) in CLASS_PATHS
    return value.split(os.pathsep) if is_class_path else []


def _with_absolute_path(before: str, word: str) -> str:
    option, value = _split_option(word)
    entries = _split_class_path(before, word)
    if entries:
        return option + os.pathsep.join(map(_absolute_entry, entries))
    may_be_folder = os.sep in value or value in (os.curdir, os.pardir)
    return option + _absolute(value, may_be_folder)


def _split_option(word: str) -> tuple[str, str]:
    """Return the option of a word, such as `--config=`, and the value; other words are values."""
    option, equals, value = word.rpartition("=") if word.startswith("-") else ("", "", word)
    return option + equals, value


def _absolute_entry(value: str) -> str:
    """Return an entry of a class path with its absolute path, if it exists."""
    path = Path(value)
    if path.name == ALL_ARCHIVES:
        return str(Path(_absolute(str(path.parent), may_be_folder=True)) / ALL_ARCHIVES)
    return _absolute(value, may_be_folder=True)


def _absolute(value: str, may_be_folder: bool) -> str:
    """Return the absolute path of a file or folder; other values are returned as they are."""
    path = Path(value)
    try:
        is_file_name = bool(value) and (path.is_file() or (may_be_folder and path.is_dir()))
    except OSError:
        is_file_name = False  # the system does not allow this file name
    return str(path.absolute()) if is_file_name else value


def _popen(
    words: Sequence[str],
    folder: Path | None,
    environment: Mapping[str, str] | None,
    stderr: int | HasFileno,
    place: Place | None = None,
    group: ControlGroup | None = None,
) -> "subprocess.Popen[bytes]":
    command, private, groups = list(words), str(folder or ""), ""
    if group is not None:
        command, groups = group.wrapped(command), os.pathsep.join(map(str, group.folders))
    if IS_GUARDED:
        # With -I, files in the working folder cannot replace standard modules; with -S, Python
        # starts faster, without site packages.
        host = str(os.getpid())
        command = [sys.executable, "-I", "-S", guard.__file__, host, private, groups, *command]
    return subprocess.Popen(
        command,
        # Unbuffered, because a message in a buffer would never be answered.
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr if isinstance(stderr, int) else stderr.fileno(),
        cwd=place.folder if place else folder,
        env=environment,
        # In a new session, Ctrl-C reaches only cardhub, which then ends its programs in order.
        start_new_session=IS_GUARDED,
    )


def processors() -> int:
    """Return the number of processors that this process may use, at least 1."""
    # In containers and under schedulers, it may be limited to fewer than there are.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
