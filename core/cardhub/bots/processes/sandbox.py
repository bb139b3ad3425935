"""A sandbox for third-party programs, made by bubblewrap (`bwrap`) on Linux.

Inside there are no network, no other processes, and only the system's files and named ones,
read-only. The private folder is writable; other files that programs write are discarded.
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
FIX = "fix: install bubblewrap (apt-get install bubblewrap), or leave `sandbox` out"


@dataclass(frozen=True, slots=True)
class Sandbox:
    """Parameters of the sandbox: paths hidden from programs, such as the match file and folder."""

    hidden: tuple[Path, ...] = ()

    def wrapped(self, words: Sequence[str], folder: Path, readable: Iterable[Path]) -> list[str]:
        """Return the command that runs another one in the sandbox; only `folder` is writable."""
        binds = [part for path in self.shown(readable) for part in _bind(path)]
        own = ["--bind", str(folder), str(folder), "--chdir", str(folder)]
        return [_bwrap(), *_base(), *binds, *own, "--", *words]

    def shown(self, readable: Iterable[Path]) -> list[Path]:
        """Return the paths to bind for these files and folders, without any hidden one.

        For a program it is the folder of its installation, for another file its own folder; if that
        contains a hidden path or a home, the file only.
        """
        shown: dict[Path, None] = {}
        for path in readable:
            if path.exists():
                # A link needs its target as well: the sandbox has no other way to it.
                shown.update(dict.fromkeys(self._around(path)))
                shown.update(dict.fromkeys(self._around(path.resolve())))
        system = [Path(name) for name in SYSTEM]
        return [
            path
            for path in sorted(shown)  # parents first, as a later bind covers an earlier one
            if not any(path.is_relative_to(each) for each in system)
        ]

    def _around(self, path: Path) -> Iterator[Path]:
        if path.is_dir():
            yield from [path] if self._is_open(path) else self._parts(path)
            return
        # A program in bin/ needs the folders beside it, such as lib/.
        around = path.parent.parent if path.parent.name in ("bin", "Scripts") else path.parent
        yield around if self._is_open(around) else path

    def _parts(self, folder: Path) -> Iterator[Path]:
        """Yield the Python files and packages of a folder that cannot be shown as a whole."""
        # A plugin folder beside the match file: its code is needed, the other files may be secret.
        for path in folder.iterdir():
            if path.suffix == ".py" or (path / "__init__.py").is_file():
                yield path

    def _is_open(self, folder: Path) -> bool:
        # A folder that contains one of these would show private files of other projects.
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
        why = run.stderr.decode(errors="replace").strip()
        raise SandboxError(
            f"no sandbox: bwrap does not work here: {why}\n"
            "fix: allow user namespaces on this system, or leave `sandbox` out"
        )


def python_files() -> tuple[Path, ...]:
    """Return the paths of this Python and its import path."""
    prefixes = (sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix)
    return tuple(Path(name) for name in dict.fromkeys((*prefixes, *sys.path)) if name)


def _bwrap() -> str:
    found = which("bwrap")
    if found is None:
        raise SandboxError(f"no sandbox: there is no program 'bwrap' here\n{FIX}")
    return found


@cache
def _base() -> tuple[str, ...]:
    binds = (part for name in (*SYSTEM, *SETTINGS) for part in _system(Path(name)))
    return (*BASE, *binds)


def _system(path: Path) -> Sequence[str]:
    # On most systems /bin and /lib are links into /usr, which is bound already.
    if path.is_symlink() and path.name != "localtime":
        return ("--symlink", str(path.readlink()), str(path))
    return _bind(path) if path.exists() else ()


def _bind(path: Path) -> Sequence[str]:
    return ("--ro-bind", str(path), str(path))
