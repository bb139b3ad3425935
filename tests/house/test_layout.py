"""Folders, modules and classes have a size that a reader can remember."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import grimp
from tests.house.syntax import nodes_of, tree
from tests.kit.paths import ROOT

import cardhub
import cardhub.testing

CORE = ROOT / "core" / "cardhub"
PRODUCT = sorted([*ROOT.glob("core/**/*.py"), *ROOT.glob("games/**/*.py")])
GAME_PACKAGES = [path.name for path in ROOT.glob("games/*/cardhub_*")]
ROOMS = ("core", "games", "examples", "benchmarks", "docs", "tests")
SOURCES = sorted(path for room in ROOMS for path in ROOT.glob(f"{room}/**/*.py"))
UNCOUNTED = {"__init__.py", "__main__.py", "py.typed", "__pycache__"}

ENTRIES, WINGS = 25, 14
MODULE_LINES, CLASS_LINES = 600, 300
# A module with fewer lines needs a reason to stand apart from its only importer.
SMALL_MODULE = 80
# Words with which the first line of a small module gives its reason.
REASON = re.compile(r"\b(because|imported without|not compiled|stands apart)\b", re.IGNORECASE)
# A class with at least this many public methods that call one other object does no work itself.
METHODS, FORWARDED = 6, 0.7
# Records with fewer fields in common are alike by chance, such as messages with a number.
TWIN_FIELDS = 3


def name_of(path: Path) -> str:
    """Return the path of a file in the repository."""
    return path.relative_to(ROOT).as_posix()


def code_of_core() -> Iterator[Path]:
    """Yield the modules of core, without the templates of new plugins."""
    return (path for path in PRODUCT if CORE in path.parents and "templates" not in path.parts)


def classes(path: Path) -> Iterator[ast.ClassDef]:
    """Yield the classes of a module, inner ones included."""
    return (node for node in nodes_of(path) if isinstance(node, ast.ClassDef))


def lines_of(node: ast.AST) -> int:
    """Return the number of lines of a class."""
    assert isinstance(node, ast.ClassDef)
    return (node.end_lineno or 0) - node.lineno + 1


def entries(folder: Path) -> set[str]:
    """Return the names of modules, data files and inner rooms of a folder."""
    paths = (path for path in folder.iterdir() if path.is_file() or any(path.rglob("*.py")))
    return {path.name for path in paths} - UNCOUNTED


def test_no_folder_has_more_than_25_entries() -> None:
    counts = {folder: len(entries(folder)) for folder in {path.parent for path in PRODUCT}}
    assert {name_of(folder): n for folder, n in counts.items() if n > ENTRIES} == {}


def test_the_map_of_core_fits_one_look() -> None:
    wings = [path.name for path in CORE.iterdir() if any(path.glob("*.py"))]
    assert len(wings) <= WINGS


def test_no_module_is_longer_than_600_lines() -> None:
    lengths = {name_of(path): len(path.read_text("utf-8").splitlines()) for path in SOURCES}
    assert {name: n for name, n in lengths.items() if n > MODULE_LINES} == {}


def test_no_class_is_longer_than_300_lines() -> None:
    lengths = {
        f"{name_of(path)} {node.name}": lines_of(node) for path in SOURCES for node in classes(path)
    }
    assert {name: n for name, n in lengths.items() if n > CLASS_LINES} == {}


def test_an_exported_name_stands_for_one_class() -> None:
    exported = {*cardhub.__all__, *cardhub.testing.__all__}
    public = Counter(
        node.name
        for path in code_of_core()
        for node in tree(path).body
        if isinstance(node, ast.ClassDef) and node.name in exported
    )
    assert {name: n for name, n in public.items() if n > 1} == {}


def test_no_docstring_only_refers_to_another_one() -> None:
    """A method that overrides another is marked @override instead."""
    references = [
        f"{name_of(path)}:{node.lineno}"
        for path in PRODUCT
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and re.fullmatch(r"See \S+", ast.get_docstring(node) or "")
    ]
    assert references == []


def test_a_small_module_belongs_to_its_only_importer() -> None:
    """It stands apart for a reason: the first line of its docstring gives it."""
    graph = grimp.build_graph("cardhub", *GAME_PACKAGES, cache_dir=None)
    lonely = []
    for path in code_of_core():
        module = ".".join(path.relative_to(ROOT / "core").with_suffix("").parts)
        if path.name in UNCOUNTED or len(path.read_text("utf-8").splitlines()) >= SMALL_MODULE:
            continue
        importers = graph.find_modules_that_directly_import(module)
        folder = module.rpartition(".")[0]
        first_line, *_ = (ast.get_docstring(tree(path)) or "").split("\n\n")
        if [name.rpartition(".")[0] for name in importers] == [folder]:
            importer = path.with_name(next(iter(importers)).rpartition(".")[2] + ".py")
            if importer.exists() and not REASON.search(first_line):
                lonely.append(f"{name_of(path)} belongs to {importer.name}, or says why not")
    assert lonely == []


def target(method: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Return the object that a method calls as its only statement, or an empty text."""
    body = [node for node in method.body if not _is_docstring(node)]
    match body:
        case [
            ast.Return(ast.Call(ast.Attribute(value))) | ast.Expr(ast.Call(ast.Attribute(value)))
        ]:
            called = ast.unparse(value)
            return "" if called == "super()" else called
    return ""


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def forwards_only(node: ast.ClassDef) -> bool:
    """Return whether most public methods of a class only call one other object."""
    public = [
        method
        for method in node.body
        if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef) and method.name[:1] != "_"
    ]
    targets = Counter(filter(None, map(target, public)))
    most = max(targets.values(), default=0)
    return len(public) >= METHODS and most >= FORWARDED * len(public)


def test_no_class_only_forwards() -> None:
    idle = [
        f"{name_of(path)} {node.name}"
        for path in code_of_core()
        for node in classes(path)
        if forwards_only(node)
    ]
    assert idle == []


def fields(node: ast.ClassDef) -> frozenset[tuple[str, str]]:
    """Return the names and types of the fields of a record; empty for other classes."""
    kinds = " ".join(map(ast.unparse, [*node.bases, *node.decorator_list]))
    if not re.search(r"NamedTuple|Struct|dataclass", kinds):
        return frozenset()
    return frozenset(
        (field.target.id, ast.unparse(field.annotation))
        for field in node.body
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
    )


def twins(records: dict[str, ast.ClassDef]) -> set[frozenset[str]]:
    """Return the groups of records with the same fields."""
    groups = defaultdict(set)
    for name, node in records.items():
        groups[fields(node)].add(name)
    return {
        frozenset(names)
        for same, names in groups.items()
        if len(names) > 1 and len(same) >= TWIN_FIELDS
    }


def test_no_two_records_have_the_same_fields() -> None:
    """A concept has one type, which is converted nowhere."""
    records = {
        f"{path.relative_to(CORE).as_posix()}:{node.name}": node
        for path in code_of_core()
        for node in classes(path)
    }
    assert len(records) > 500
    assert twins(records) == set()


def test_planted_faults_are_seen() -> None:
    calls = "\n".join(f"  def m{i}(self):\n    return self._other.m{i}()" for i in range(6))
    (idle,) = ast.parse(f"class Idle:\n{calls}").body
    assert isinstance(idle, ast.ClassDef)
    assert forwards_only(idle)
    text = "class {}(NamedTuple):\n  a: int\n  b: int\n  c: {}\n"
    bodies = [
        ast.parse(text.format(name, kind)).body[0]
        for name, kind in (("A", "int"), ("B", "int"), ("C", "str"))
    ]
    records = {node.name: node for node in bodies if isinstance(node, ast.ClassDef)}
    assert twins(records) == {frozenset({"A", "B"})}
