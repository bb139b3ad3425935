"""A sandbox for third-party programs, created by bubblewrap (`bwrap`) on Linux.

A program in it has no network and sees no other processes. It can read only the system's files and
explicitly named files. Its private folder is writable; other files that it writes are discarded.
"""

import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shutil import which

from cardhub.base.errors import SandboxError

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store")
SETTINGS = (
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
)
BASE = (
    "--unshare-all",
    "--die-with-parent",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    "--tmpfs",
    "/tmp",
)
# Timeout of the trial run of bwrap, in seconds.
PATIENCE = 10
# The folder of the scripts that tools for several versions of a language put into PATH.
SHIMS = "shims"
FIX = "fix: install bubblewrap (apt-get install bubblewrap), or leave `sandbox` out"


@dataclass(frozen=True, slots=True)
class Place:
    """A folder in which a program starts, and which it can read in a sandbox.

    `is_writable`: whether it can also write there.
    """

    folder: Path
    is_writable: bool = False


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The parameters of a sandbox.

    `hidden`: paths that programs must not see, for example the match file and the match folder.
    """

    hidden: tuple[Path, ...] = ()

    def wrapped(
        self,
        words: Sequence[str],
        folder: Path,
        readable: Iterable[Path],
        place: Place | None = None,
    ) -> list[str]:
        """Return the command that runs `words` in the sandbox; its private `folder` is writable.

        `place`: where it starts, or None for the private folder.
        """
        binds = [part for path in self.visible(readable) for part in _bind(path)]
        binds += ["--bind", str(folder), str(folder)]
        if place is not None:
            bind = "--bind" if place.is_writable else "--ro-bind"
            binds += [bind, str(place.folder), str(place.folder)]
        start = str(place.folder if place else folder)
        return [_bwrap(), *_base(), *binds, "--chdir", start, "--", *words]

    def visible(self, readable: Iterable[Path]) -> list[Path]:
        """Return the paths to bind for these files and folders, without hidden paths.

        For a program it is the folder of its installation, for another file its folder; if that
        folder contains a hidden path or a home folder, only the file is bound.
        """
        paths: dict[Path, None] = {}
        for path in readable:
            if path.exists():
                # A link needs its target, which the sandbox would not contain otherwise.
                paths.update(dict.fromkeys(self._around(path)))
                paths.update(dict.fromkeys(self._around(path.resolve())))
        system = [Path(name) for name in SYSTEM]
        return [
            path
            for path in sorted(paths)  # parents first, because a later bind covers an earlier one
            if not any(path.is_relative_to(folder) for folder in system)
        ]

    def _around(self, path: Path) -> Iterator[Path]:
        if path.is_dir():
            yield from [path] if self._is_open(path) else self._parts(path)
            return
        # A program in bin/ needs the neighbouring folders, for example lib/.
        around = path.parent.parent if path.parent.name in ("bin", "Scripts") else path.parent
        yield around if self._is_open(around) else path

    def _parts(self, folder: Path) -> Iterator[Path]:
        """Yield the Python files and packages of a folder that cannot be bound completely."""
        # For example a plugin folder that contains the match file: the code is needed, but the
        # other files may be secret.
        for path in folder.iterdir():
            if path.suffix == ".py" or (path / "__init__.py").is_file():
                yield path

    def _is_open(self, folder: Path) -> bool:
        # A folder that contains one of these paths would expose private files of other projects.
        homes = (Path.home(), Path("/root"), Path("/home"), Path("/tmp"))
        private = [path.resolve() for path in (*self.hidden, *homes)]
        return not any(path.is_relative_to(folder.resolve()) for path in private)


def check_sandbox() -> None:
    """Raise SandboxError, with a fix, unless programs can run in a sandbox on this system."""
    try:
        command = [_bwrap(), *_base(), "--", "true"]
        run = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SandboxError(f"no sandbox: bwrap cannot be run: {error}\n{FIX}") from error
    if run.returncode:
        reason = run.stderr.decode(errors="replace").strip()
        raise SandboxError(
            f"no sandbox: bwrap does not work on this system: {reason}\n"
            "fix: allow user namespaces on this system, or leave `sandbox` out"
        )


def refuse_shim(program: str) -> None:
    """Raise ValueError, with a fix, if a program is a shim of pyenv or of a similar tool."""
    path = Path(which(program) or program)
    if path.parent.name == SHIMS:
        raise ValueError(
            f"{path} is a script that looks for the program in folders that the sandbox does not "
            f"show\nfix: put the folder of the program itself first in PATH; `pyenv which "
            f"{path.name}` prints its path"
        )


def python_files() -> tuple[Path, ...]:
    """Return the paths of the running Python and its import path."""
    prefixes = (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix)
    return tuple(Path(name) for name in dict.fromkeys((*prefixes, *sys.path)) if name)


def _bwrap() -> str:
    program = which("bwrap")
    if program is None:
        raise SandboxError(f"no sandbox: the program 'bwrap' is not installed\n{FIX}")
    return program


@cache
def _base() -> tuple[str, ...]:
    # Debian's Java has its settings here, and does not start without them.
    settings = (*SETTINGS, *map(str, Path("/etc").glob("java-*-openjdk")))
    binds = (part for name in (*SYSTEM, *settings) for part in _system(Path(name)))
    return (*BASE, *binds)


def _system(path: Path) -> Sequence[str]:
    # On most systems /bin and /lib are links into /usr, which is already bound.
    if path.is_symlink() and path.name != "localtime":
        return ("--symlink", str(path.readlink()), str(path))
    return _bind(path) if path.exists() else ()


def _bind(path: Path) -> Sequence[str]:
    return ("--ro-bind", str(path), str(path))
