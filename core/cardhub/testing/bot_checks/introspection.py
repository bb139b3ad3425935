"""Check that a bot reaches only for its observations.

It may not read frames, search memory, import modules with true states, or replace functions of the
core. Three methods look for that, and none of them is a proof: an audit hook while the bot is
asked, a comparison of the core's functions with the bot's files, and a search of its source.
"""

import ast
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from inspect import isclass, isfunction
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import cardhub.lab.match
from cardhub.play import referee, setup
from cardhub.plugins.discovery import parse_source
from cardhub.testing.bot_checks.bot_findings import BotFindings

STDLIB = Path(sysconfig.get_paths()["stdlib"])
EXPECTED = "it goes by its observation alone"
# Findings by the audit event that the bot's own code raises.
EVENTS = {
    "sys._getframe": "it reads frames by sys._getframe",
    "sys._current_frames": "it reads frames by sys._current_frames",
    "sys.settrace": "it traces calls by sys.settrace",
    "sys.setprofile": "it traces calls by sys.setprofile",
    "gc.get_objects": "it searches memory by gc.get_objects",
    "gc.get_referrers": "it searches memory by gc.get_referrers",
}
# Findings by the attribute whose access raises an audit event.
ATTRIBUTE_EVENTS = {"tb_frame": "it reads the frame of a traceback"}
# Names that no bot needs in its source.
NAMES = frozenset(
    [
        "_getframe",
        "_current_frames",
        "settrace",
        "setprofile",
        "get_objects",
        "get_referrers",
        "currentframe",
        "getouterframes",
        "getinnerframes",
        "walk_stack",
        "walk_tb",
        "f_back",
        "f_locals",
        "f_globals",
        "tb_frame",
        "gi_frame",
        "cr_frame",
        "__closure__",
        "ctypes",
    ]
)
# Modules of the core that hold true states; no bot needs to import them.
TRUE_STATES = (referee.__name__, setup.__name__, cardhub.lab.match.__name__)


class _AuditHook:
    """The audit hook: Python cannot remove one, so there is one per process, usually inactive."""

    def __init__(self) -> None:
        self.own: tuple[Path, ...] = ()
        self.heard: dict[str, None] | None = None
        self._is_busy = False
        self._is_installed = False

    def install(self) -> None:
        if not self._is_installed:
            self._is_installed = True
            # Never twice: a hook cannot be removed, and each one is called for every event.
            sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.heard is None or self._is_busy:
            return
        # Python audits many calls: two dict lookups first, frames only for the few that matter.
        problem = EVENTS.get(event)
        if event == "object.__getattr__":
            problem = ATTRIBUTE_EVENTS.get(arguments[1])
        if problem is None:
            return
        self._is_busy = True  # reading the frame below raises an audit event itself
        try:
            frame = _caller(sys._getframe(1))
            if frame is not None and _is_own(frame.f_code.co_filename, self.own):
                self.heard[_reach(problem, frame.f_code.co_filename, frame.f_lineno)] = None
        finally:
            self._is_busy = False


_AUDIT_HOOK = _AuditHook()


@contextmanager
def listening(own: tuple[Path, ...]) -> Iterator[dict[str, None]]:
    """Collect audit events that code in the files `own`, or generated code, raises in the block.

    The keys of the dict are sentences about them, in order.
    """
    _AUDIT_HOOK.install()
    _AUDIT_HOOK.own, _AUDIT_HOOK.heard = own, {}
    try:
        yield _AUDIT_HOOK.heard
    finally:
        _AUDIT_HOOK.heard = None


def check_reach(
    findings: BotFindings, bot: object, heard: Iterable[str], *, is_program: bool
) -> None:
    """Add the findings on a bot; `heard` are the sentences of the audit hook."""
    if is_program:
        findings.skip(["reach"], "it is a program: what it does in its own process is not seen")
    elif not own_files(bot) and not _is_core(type(bot).__module__):
        findings.skip(["reach"], "its source cannot be read, and nothing else tells what it does")
    for problem in dict.fromkeys([*heard, *_replaced(own_files(bot)), *_in_source(bot)]):
        findings.add("reach", problem, EXPECTED)


def _reach(problem: str, path: object, line: int) -> str:
    return f"{problem}, in {path}:{line}"


def own_files(bot: object) -> tuple[Path, ...]:
    """Return the files or packages of a bot's classes, except cardhub's and Python's."""
    return tuple(dict.fromkeys(_package(module) for module in _modules(bot)))


def _modules(bot: object) -> list[ModuleType]:
    names = dict.fromkeys(kind.__module__ for kind in type(bot).__mro__)
    modules = [sys.modules.get(name) for name in names if not _is_core(name)]
    return [module for module in modules if module is not None and _is_third_party(module)]


def _is_third_party(module: ModuleType) -> bool:
    file = getattr(module, "__file__", None)
    if not file or not file.endswith(".py"):
        return False
    path = Path(file)
    return not path.is_relative_to(STDLIB) or "site-packages" in path.parts


def _package(module: ModuleType) -> Path:
    """Return the folder of a module's top package, or its file if it is in none."""
    path = Path(str(module.__file__)).resolve()
    if not module.__package__:
        return path
    return path.parents[module.__package__.count(".")]


def _is_own(file: str, own: Iterable[Path]) -> bool:
    if file.startswith("<"):  # code compiled from a string, except Python's frozen modules
        return not file.startswith("<frozen")
    return any(_resolved(file).is_relative_to(folder) for folder in own)


@cache
def _resolved(file: str) -> Path:
    return Path(file).resolve()


def _in_source(bot: object) -> Iterator[str]:
    # Other classes of the module are left out: a file may hold a bot and a referee of its author.
    classes = {kind.__name__ for kind in type(bot).__mro__}
    for module in _modules(bot):
        path = Path(str(module.__file__))
        tree = parse_source(path)
        for statement in _used(tree, classes) if tree else ():
            for problem, line in _suspicious(statement):
                yield _reach(problem, path, line)


def _used(tree: ast.Module, names: set[str]) -> list[ast.stmt]:
    """Return the statements that define these names, and those that they use in turn."""
    left = list(tree.body)
    used: list[ast.stmt] = []
    known = set(names)
    while more := [
        statement for statement in left if _defines(statement) & known or not _defines(statement)
    ]:
        left = [statement for statement in left if statement not in more]
        used += more
        known |= {
            n.id for statement in more for n in ast.walk(statement) if isinstance(n, ast.Name)
        }
    return used


def _defines(statement: ast.stmt) -> set[str]:
    """Return the names that a function, class or import defines; of other statements none."""
    if isinstance(statement, ast.ClassDef | ast.FunctionDef):
        return {statement.name}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).partition(".")[0] for alias in statement.names}
    return set()


def _suspicious(tree: ast.stmt) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        # Names in strings as well: getattr and importlib take them.
        if isinstance(node, ast.Attribute) and node.attr in NAMES:
            yield f"its source names {node.attr}", node.lineno
        elif isinstance(node, ast.Constant) and node.value in NAMES:
            yield f"its source names {node.value!r}", node.lineno
        elif isinstance(node, ast.Import | ast.ImportFrom):
            for name in filter(_is_forbidden, _imported(node)):
                yield f"it imports {name}", node.lineno
                break


def _imported(node: ast.Import | ast.ImportFrom) -> list[str]:
    names = [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        return [node.module, *names, *(f"{node.module}.{name}" for name in names)]
    return names


def _is_forbidden(name: str) -> bool:
    return name in NAMES or any(f"{name}.".startswith(f"{module}.") for module in TRUE_STATES)


def _replaced(own: Iterable[Path]) -> Iterator[str]:
    """Yield sentences about the core's functions whose code is in the bot's files."""
    # A copy of the items: another thread may import a module during the loop.
    for name, module in list(sys.modules.items()):
        if _is_core(name) and isinstance(module, ModuleType):
            for part, function in _functions(module):
                code = function.__code__
                if not code.co_filename.startswith("<") and _is_own(code.co_filename, own):
                    problem = f"it replaces {name}.{part}"
                    yield _reach(problem, code.co_filename, code.co_firstlineno)


def _functions(module: ModuleType) -> Iterator[tuple[str, Any]]:
    for name, value in list(vars(module).items()):
        if isfunction(value):
            yield name, value
        elif isclass(value) and value.__module__ == module.__name__:
            for part, member in list(vars(value).items()):
                function = getattr(member, "fget", None) or getattr(member, "__func__", member)
                if isfunction(function):
                    yield f"{name}.{part}", function


def _is_core(name: str) -> bool:
    return name == cardhub.__name__ or name.startswith(f"{cardhub.__name__}.")


def _caller(frame: FrameType | None) -> FrameType | None:
    """Return the frame, or the first one outside the module `inspect`, which reads for others."""
    while frame is not None and frame.f_code.co_filename == str(STDLIB / "inspect.py"):
        frame = frame.f_back
    return frame
