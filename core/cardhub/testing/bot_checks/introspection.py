"""Whether a bot reaches for what it was not given: frames, the referee, the core's functions.

Three looks, none of which is a proof. An audit hook hears while the bot is asked when its own code
reads frames or lists the objects in memory. The core's functions are compared with its files. The
source of the bot is searched for the names by which any of this is done.
"""

import ast
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from inspect import isclass, isfunction
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, NamedTuple

from cardhub.plugins.discovery import parse_source
from cardhub.testing.bot_checks.bot_findings import Findings

STDLIB = Path(sysconfig.get_paths()["stdlib"])
EXPECTED = "it goes by its observation alone"
HEARD = {
    "sys._getframe": "it reads frames by sys._getframe",
    "sys._current_frames": "it reads frames by sys._current_frames",
    "sys.settrace": "it traces calls by sys.settrace",
    "sys.setprofile": "it traces calls by sys.setprofile",
    "gc.get_objects": "it searches memory by gc.get_objects",
    "gc.get_referrers": "it searches memory by gc.get_referrers",
}
"""What is found if the bot's own code causes one of these events."""
FRAMES = {"tb_frame": "it reads the frame of a traceback"}
"""Likewise for attributes whose reading is an event."""
NAMES = frozenset(
    {
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
    }
)
"""Names that a bot has no use for in its source."""
ROOMS = ("cardhub.play.referee", "cardhub.match", "cardhub.play.setup")
"""Modules of the core that hold true states."""


class Reach(NamedTuple):
    """What a bot reaches for, and where: file and line."""

    what: str
    where: str

    def __str__(self) -> str:
        return f"{self.what}, in {self.where}"


class _Listener:
    """What the audit hook, which can never be removed, does at the moment."""

    def __init__(self) -> None:
        self.own: tuple[Path, ...] = ()
        self.heard: dict[Reach, None] | None = None
        self._is_busy = False
        self._is_hooked = False

    def hook(self) -> None:
        """Begin to hear events, for as long as this process lasts."""
        if not self._is_hooked:
            self._is_hooked = True
            sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.heard is None or self._is_busy:
            return
        what = HEARD.get(event)
        if event == "object.__getattr__":
            what = FRAMES.get(arguments[1])
        if what is None:
            return
        self._is_busy = True
        try:
            frame = _beyond_inspect(sys._getframe(1))
            if frame is not None and _is_own(frame.f_code.co_filename, self.own):
                self.heard[Reach(what, f"{frame.f_code.co_filename}:{frame.f_lineno}")] = None
        finally:
            self._is_busy = False


_LISTENER = _Listener()


@contextmanager
def listening(own: tuple[Path, ...]) -> Iterator[dict[Reach, None]]:
    """Collect what code of these files, or of none, reaches for within the block."""
    _LISTENER.hook()
    _LISTENER.own, _LISTENER.heard = own, {}
    try:
        yield _LISTENER.heard
    finally:
        _LISTENER.heard = None


def check_reach(
    findings: Findings, bot: object, heard: Iterable[Reach], *, is_program: bool
) -> None:
    """Note what a bot reaches for; `heard` is what it did while it was asked."""
    if is_program:
        findings.skip(["reach"], "it is a program: what it does in its own process is not seen")
    elif not own_files(bot) and not _is_core(type(bot).__module__):
        findings.skip(["reach"], "its source cannot be read, and nothing else tells what it does")
    for reach in dict.fromkeys([*heard, *_patched(own_files(bot)), *_in_source(bot)]):
        findings.add("reach", str(reach), EXPECTED)


def own_files(bot: object) -> tuple[Path, ...]:
    """Return the files or packages of a bot's classes, without those of cardhub and of Python."""
    return tuple(dict.fromkeys(_package(module) for module in _modules(bot)))


def _modules(bot: object) -> list[ModuleType]:
    names = dict.fromkeys(kind.__module__ for kind in type(bot).__mro__)
    found = [sys.modules.get(name) for name in names if not _is_core(name)]
    return [
        module
        for module in found
        if module is not None
        and (file := getattr(module, "__file__", None))
        and file.endswith(".py")
        and not _is_in_stdlib(file)
    ]


def _package(module: ModuleType) -> Path:
    """Return the folder of the package that a module is in, or the module's own file."""
    path = Path(str(module.__file__)).resolve()
    depth = len(module.__package__.split(".")) if module.__package__ else 0
    if not depth:
        return path
    return path.parents[depth - 1]


def _is_own(file: str, own: Iterable[Path]) -> bool:
    """Return whether code of this file is the bot's own; code that was made on the spot is."""
    if file.startswith("<"):
        return not file.startswith("<frozen")
    path = Path(file).resolve()
    return any(path.is_relative_to(each) for each in own)


def _in_source(bot: object) -> Iterator[Reach]:
    """Yield what a bot's classes, and what they use of their modules, name without need."""
    classes = {kind.__name__ for kind in type(bot).__mro__}
    for module in _modules(bot):
        path = Path(str(module.__file__))
        tree = parse_source(path)
        for statement in _used(tree, classes) if tree else ():
            for what, line in _named(statement):
                yield Reach(what, f"{path}:{line}")


def _used(tree: ast.Module, names: set[str]) -> list[ast.stmt]:
    """Return the statements of a module that define these names, or what those use in turn."""
    left = list(tree.body)
    used: list[ast.stmt] = []
    known = set(names)
    while more := [each for each in left if _defines(each) & known or not _defines(each)]:
        left = [each for each in left if each not in more]
        used += more
        known |= {n.id for each in more for n in ast.walk(each) if isinstance(n, ast.Name)}
    return used


def _defines(statement: ast.stmt) -> set[str]:
    """Return the names that a function, class or import defines; of other statements none."""
    if isinstance(statement, ast.ClassDef | ast.FunctionDef):
        return {statement.name}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).partition(".")[0] for alias in statement.names}
    return set()


def _named(tree: ast.stmt) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in NAMES:
            yield f"its source names {node.attr}", node.lineno
        elif isinstance(node, ast.Constant) and node.value in NAMES:
            yield f"its source names {node.value!r}", node.lineno
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from _imported(node)


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, int]]:
    names = [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        names = [node.module, *names, *(f"{node.module}.{name}" for name in names)]
    for name in names:
        if name in NAMES or any(f"{name}.".startswith(f"{room}.") for room in ROOMS):
            yield f"it imports {name}", node.lineno
            return


def _patched(own: Iterable[Path]) -> Iterator[Reach]:
    """Yield the core's functions that have code of the bot's own."""
    for name, module in list(sys.modules.items()):
        if _is_core(name) and isinstance(module, ModuleType):
            for part, function in _functions(module):
                code = function.__code__
                if not code.co_filename.startswith("<") and _is_own(code.co_filename, own):
                    where = f"{code.co_filename}:{code.co_firstlineno}"
                    yield Reach(f"it replaces {name}.{part}", where)


def _functions(module: ModuleType) -> Iterator[tuple[str, Any]]:
    for name, value in list(vars(module).items()):
        if isfunction(value):
            yield name, value
        elif isclass(value) and value.__module__ == module.__name__:
            for part, inner in list(vars(value).items()):
                function = getattr(inner, "fget", None) or getattr(inner, "__func__", inner)
                if isfunction(function):
                    yield f"{name}.{part}", function


def _is_in_stdlib(file: str) -> bool:
    path = Path(file)
    return path.is_relative_to(STDLIB) and "site-packages" not in path.parts


def _is_core(name: str) -> bool:
    return name == "cardhub" or name.startswith("cardhub.")


def _beyond_inspect(frame: FrameType | None) -> FrameType | None:
    """Return the frame that has called the module `inspect`, or the frame itself."""
    while frame is not None and frame.f_code.co_filename == str(STDLIB / "inspect.py"):
        frame = frame.f_back
    return frame
