"""A trial of one mutant in a separate process: the checks, then the tests of the package.

The changed module is compiled from its tree: no file is written, and none is read in another form.
"""

import ast
import io
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from time import process_time
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from typing_extensions import override

from cardhub.model.game.game import Game
from cardhub.testing.game_checks.contract import PROMISES
from cardhub.testing.game_checks.game_report import inspect_game
from cardhub.testing.mutation.mutants import Mutant, mutated_tree

if sys.platform != "win32":
    import resource

# Texts of what notices a mutant.
BY_TESTS, BY_END, BY_TIME = "the tests", "the end of the process", "the time"


class Task(NamedTuple):
    """What a trial needs: the game by module and class, the files of its package, and its tests.

    `files` are the paths of the modules by name. `seconds` is the processor time of a trial, None
    for as long as it takes.
    """

    module: str
    kind: str
    files: Mapping[str, str]
    path: Sequence[str]
    records: Path | None
    tests: Path | None
    seed: int
    seconds: float | None = None


class Outcome(NamedTuple):
    """What noticed a mutant, an empty text if it is unnoticed, and the used processor time."""

    noticed_by: str
    seconds: float


def run_trial(task: Task, mutant: Mutant | None, connection: Any) -> None:
    """Run checks and tests with a mutant, or without one, and send the outcome."""
    if task.seconds is not None:
        _limit(task.seconds)
    sys.dont_write_bytecode = True
    sys.path[:] = task.path
    sys.meta_path.insert(0, _Finder(task.files, mutant))
    began = process_time()
    # Rules may print, and so do tests.
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        noticed = _first_notice(task)
    with suppress(OSError):  # the parent has ended
        connection.send(Outcome(noticed, process_time() - began))
    connection.close()


def _first_notice(task: Task) -> str:
    try:
        game: Game[Any] = getattr(import_module(task.module), task.kind)()
        report = inspect_game(
            game, games=1, seed=task.seed, records=task.records, is_measured=False
        )
    except Exception as error:  # noqa: BLE001  # broken rules may raise anything
        return f"{type(error).__name__} when the game is made"
    if report.findings:
        return f"the check {report.findings[0].check}"
    return BY_TESTS if task.tests and _has_failing_test(task.tests) else ""


def _has_failing_test(tests: Path) -> bool:
    import pytest  # cardhub depends on it for tests only

    quiet = ("-x", "-q", "-o", "addopts=", "-p", "no:cacheprovider")
    # As `python -m pytest` does: tests may import one another from there.
    sys.path.insert(0, str(Path.cwd()))
    words = [*quiet, "--import-mode=importlib", str(tests)]
    code = pytest.main(words, plugins=[_WithoutChecks()])
    return code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


class _WithoutChecks:
    """A plugin of pytest that leaves out the cases of `checks`, which have run already."""

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [item for item in items if not self._is_check(item)]

    def _is_check(self, item: Any) -> bool:
        parameters = getattr(getattr(item, "callspec", None), "params", {})
        return parameters.get("check") in PROMISES


class _Finder(MetaPathFinder):
    """Finder of the modules of a package at their known paths, one of them with a change."""

    def __init__(self, files: Mapping[str, str], mutant: Mutant | None) -> None:
        self._files = files
        self._mutant = mutant

    @override
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a module of the package, None for any other."""
        file = self._files.get(fullname)
        if file is None:
            return None
        is_changed = self._mutant is not None and self._mutant.module == fullname
        loader = _Loader(fullname, file, self._mutant if is_changed else None)
        folder = [str(Path(file).parent)] if Path(file).name == "__init__.py" else None
        return spec_from_file_location(
            fullname, file, loader=loader, submodule_search_locations=folder
        )


class _Loader(SourceFileLoader):
    """Loader of a module from its source, with the change of a mutant."""

    def __init__(self, fullname: str, path: str, mutant: Mutant | None) -> None:
        super().__init__(fullname, path)
        self._mutant = mutant

    @override
    def get_code(self, fullname: str) -> CodeType | None:
        """Return the compiled source, never cached bytecode."""
        text = Path(self.path).read_text("utf-8")
        tree = ast.parse(text) if self._mutant is None else mutated_tree(self._mutant, text)
        code: CodeType = compile(tree, self.path, "exec", dont_inherit=True)
        return code


def _limit(seconds: float) -> None:
    """End this process by the system after a processor time, even within a loop."""
    if sys.platform != "win32":
        most = int(seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
