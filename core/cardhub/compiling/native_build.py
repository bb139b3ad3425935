"""A build of compiled modules: text for mypyc, the compiler, and the folder of the result."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from cardhub.base.errors import CardhubError
from cardhub.base.files import reserve
from cardhub.base.native.finder import LIBRARY, digest, manifest_of
from cardhub.base.native.folder import MANIFEST, VARIABLE
from cardhub.compiling.hot_modules import generator_sources
from cardhub.compiling.mypyc_run import PROGRESS, RESULT
from cardhub.compiling.native_source import NotCompilableError, native_source
from cardhub.model.table.state_declaration import StateDeclaration

# A message of mypy or mypyc: file, line, kind and text.
_MESSAGE = re.compile(r"^(.+?\.py):(\d+): (error|note|warning): (.*)$", re.MULTILINE)
# The variables that name the folder of temporary files, on one system or another.
_TEMPORARY = ("TMPDIR", "TMP", "TEMP")
# The number of rounds in which modules that mypyc refuses are left out.
_ROUNDS = 20


@dataclass(slots=True)
class BuildResult:
    """The modules of a build by name and file, and why others stay interpreted."""

    files: dict[str, str] = field(default_factory=dict)
    obstacles: list[str] = field(default_factory=list)
    """What mypyc cannot compile, with the file and line of the original source."""
    rules: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By game, why its rules are not in C as well; nothing if they are."""


@dataclass(frozen=True, slots=True)
class BuildRequest:
    """All that is compiled: by module its source, and the declarations of its state classes.

    `packages` are the folders of all packages, which mypy reads for types.
    """

    modules: Mapping[str, Path]
    packages: Mapping[str, Path]
    states: Mapping[str, Mapping[str, StateDeclaration]]
    optimization: str = "3"


# Adds modules with rules in C to the folder of a build; returns by game why there is none.
AddRules = Callable[[Path, Callable[[str], None]], Mapping[str, tuple[str, ...]]]


def silent(_text: str) -> None:
    """Ignore the progress of a build."""


def no_rules(_folder: Path, _progress: Callable[[str], None]) -> Mapping[str, tuple[str, ...]]:
    """Add no rules in C to a build."""
    return {}


class NativeBuild:
    """One build in a temporary folder."""

    def __init__(
        self, request: BuildRequest, folder: Path, progress: Callable[[str], None] = silent
    ) -> None:
        self._request = request
        self._progress = progress
        self._folder = folder
        self._modules: dict[str, str] = {}  # by file
        self._lines: dict[str, Mapping[int, int]] = {}  # by file: lines of the original by line
        self.result = BuildResult()

    def run(self) -> None:
        """Compile as many modules as mypyc takes; raises CardhubError if the compiler fails."""
        for name, source in self._request.packages.items():
            _copy_package(name, source, self._folder)
        for name, path in self._request.modules.items():
            self._write(name, path)
        for _ in range(_ROUNDS):
            done = self._compile()
            if done is not None:
                self.result.files = {
                    file.partition(".")[0].replace("/", "."): file for file in done
                }
                return
        raise CardhubError("mypyc refuses too many modules. fix: compile fewer games at once")

    def _write(self, name: str, path: Path) -> None:
        states = self._request.states.get(name, {})
        try:
            text, lines = native_source(path.read_text("utf-8"), name, states)
        except NotCompilableError as error:
            self.result.obstacles.append(f"{path}:{error.line}: {error}")
            return
        file = f"{name.replace('.', '/')}.py"
        (self._folder / file).write_text(text, "utf-8")
        self._modules[file], self._lines[file] = name, lines

    def _compile(self) -> list[str] | None:
        """Return the built files; None after leaving out modules that mypyc refuses."""
        output = self._output()
        if output is None:
            built: list[str] = json.loads((self._folder / RESULT).read_text("utf-8"))
            return built
        refused = list(self._refused(output))
        if not refused:
            last = "\n".join(output.splitlines()[-15:])
            raise CardhubError(f"the build failed:\n{last}")
        for file, obstacle in refused:
            self.result.obstacles.append(obstacle)
            # The original again, for the types of the other modules.
            del self._lines[file]
            shutil.copyfile(self._request.modules[self._modules[file]], self._folder / file)
            self._progress(f"left out: {obstacle}")
        return None

    def _output(self) -> str | None:
        """Run mypyc and the C compiler; return their output, None if they succeeded."""
        message = json.dumps({"lines": self._lines, "optimization": self._request.optimization})
        command = [sys.executable, "-m", "cardhub.compiling.mypyc_run"]
        with subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=self._folder,
            # A compiler that is killed leaves its temporary files: they go with the folder.
            env={**os.environ, **dict.fromkeys(_TEMPORARY, str(self._folder))},
            start_new_session=True,
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                # A compiler that ends at once says why in its output.
                with suppress(BrokenPipeError):
                    process.stdin.write(message)
                    process.stdin.close()
                output = list(self._without_progress(process.stdout))
            except BaseException:
                _end(process)
                raise
        return "".join(output) if process.returncode else None

    def _without_progress(self, output: Iterable[str]) -> Iterator[str]:
        for line in output:
            if line.startswith(PROGRESS):
                self._progress(line.removeprefix(PROGRESS).rstrip())
            else:
                yield line

    def _refused(self, output: str) -> Iterator[tuple[str, str]]:
        """Yield each module that mypyc refuses, with its first obstacle."""
        seen: set[str] = set()
        for file, line, kind, text in _MESSAGE.findall(output):
            if kind == "error" and file in self._lines and file not in seen:
                seen.add(file)
                number = self._lines[file].get(int(line), int(line))
                yield file, f"{self._request.modules[self._modules[file]]}:{number}: {text}"


def _end(process: subprocess.Popen[str]) -> None:
    """End a process and those that it started: C compilers would write into a deleted folder."""
    if sys.platform != "win32":
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def _copy_package(name: str, source: Path, folder: Path) -> None:
    target = folder / name.replace(".", "/")
    for path in source.rglob("*.py"):
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)


@contextmanager
def reserved(target: Path) -> Iterator[None]:
    """Lock a folder against other builds; raises CardhubError if another program builds there."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        busy = "another program is compiling into it. fix: wait until that has ended"
        with reserve(target, busy, is_new=True):
            yield
    except OSError as error:
        raise CardhubError(
            f"cannot write into {error.filename or target.parent}: {error.strerror}. "
            f"fix: name another folder, in the variable {VARIABLE} for this and all later commands"
        ) from error


def build(
    request: BuildRequest,
    target: Path,
    games: Iterable[str],
    progress: Callable[[str], None] = silent,
    add_rules: AddRules = no_rules,
) -> BuildResult:
    """Build into `target`, which is replaced as a whole once the build has succeeded.

    `progress` is called with each step of the build. Raises CardhubError if the folder cannot be
    written, or the compiler fails.
    """
    with reserved(target), TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as new:
        # Before they are compiled: a source that changes during the build then differs from its
        # hash.
        read = (*request.modules.values(), *generator_sources())
        hashes = {path: digest(path) for path in read}
        with TemporaryDirectory(prefix="cardhub-build-") as temporary:
            native = NativeBuild(request, Path(temporary), progress)
            native.run()
            shutil.copytree(Path(temporary, "out"), Path(new, "new"))
        result = native.result
        result.rules = add_rules(Path(new, "new"), progress)
        rules = {name: next(iter(reasons), "") for name, reasons in result.rules.items()}
        modules = {name: request.modules[name] for name in result.files if name != LIBRARY}
        manifest = manifest_of(games, modules, hashes, rules)
        Path(new, "new", MANIFEST).write_text(manifest.as_json(), "utf-8")
        # Programs that start at this moment see a whole build or none.
        if target.exists():
            target.rename(Path(new, "old"))
        Path(new, "new").rename(target)
        return result


def remove(target: Path) -> bool:
    """Delete a build; return whether there was one."""
    if not target.exists():
        return False
    with reserved(target), TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as old:
        target.rename(Path(old, "old"))
    return True
