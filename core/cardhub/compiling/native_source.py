"""The text of a module as mypyc compiles it: the same code, with what mypyc needs to know.

The text differs from the source in declarations only: state classes get their attributes and
methods, classes are open to interpreted subclasses, constants are final.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from typing import cast

from typing_extensions import override

from cardhub.model.game.scene import PARTS
from cardhub.model.table.state_declaration import DEALT, INITIAL, StateDeclaration
from cardhub.model.table.state_source import native_methods

_CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]*")


# The statements that compute the value that an assignment unpacks, and those in its place.
Assignments = tuple[list[ast.stmt], list[ast.stmt]]


class Constants:
    """Rewrites the assignments of a module, and those in the bodies of its classes.

    mypyc does not take `A, B = range(2)` in the body of a class, and it reads constants without a
    look-up only if they are final.
    """

    def __init__(self, tree: ast.Module) -> None:
        # Functions assign global names as well.
        lists = (node.names for node in ast.walk(tree) if isinstance(node, ast.Global))
        self._once = _assigned_once(tree.body) - {name for names in lists for name in names}
        self._temporaries = 0

    def in_module(self, node: ast.stmt) -> list[ast.stmt]:
        """Return the statements in place of a statement of the module."""
        before, parts = self._rewritten(node, self._once)
        return [*before, *parts]

    def in_class(self, node: ast.ClassDef) -> list[ast.stmt]:
        """Rewrite the body of a class; return the statements that it needs before it."""
        # A class with bases may be an enumeration, or have constants that a subclass replaces.
        once = frozenset[str]() if node.bases else _assigned_once(node.body)
        rewritten = [self._rewritten(statement, once) for statement in node.body]
        node.body = [part for _, parts in rewritten for part in parts]
        return [statement for before, _ in rewritten for statement in before]

    def _rewritten(self, node: ast.stmt, once: frozenset[str]) -> Assignments:
        if isinstance(node, ast.AnnAssign) and node.value and _is_in(node.target, once):
            node.annotation = ast.Subscript(_name("_Final"), node.annotation, ast.Load())
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Tuple) and all(isinstance(t, ast.Name) for t in target.elts):
                return self._unpacked(target.elts, node, once)
            return [], [_assignment(target, node.value, node, once)]
        return [], [node]

    def _unpacked(
        self, targets: list[ast.expr], node: ast.Assign, once: frozenset[str]
    ) -> Assignments:
        values = _separate_values(node.value, len(targets))
        before: list[ast.stmt] = []
        if values is None:
            self._temporaries += 1
            name = f"_unpacked_{self._temporaries}"
            before = [_final(ast.Name(name, ast.Store()), node.value, node)]
            values = [
                ast.Subscript(_name(name), ast.Constant(index), ast.Load())
                for index in range(len(targets))
            ]
        pairs = zip(targets, values, strict=True)
        return before, [_assignment(t, value, node, once) for t, value in pairs]


def _assignment(
    target: ast.expr, value: ast.expr, node: ast.Assign, once: frozenset[str]
) -> ast.stmt:
    if _is_in(target, once) and not _is_display(value) and not _is_typing(value):
        return _final(target, value, node)
    return ast.copy_location(ast.Assign([target], value), node)


def _separate_values(value: ast.expr, number: int) -> list[ast.expr] | None:
    """Return one expression for each target of an unpacking, if the value shows them."""
    if isinstance(value, ast.Tuple) and len(value.elts) == number:
        return value.elts
    if re.fullmatch(r"range\(\d+\)", ast.unparse(value)):
        return [ast.Constant(index) for index in range(number)]
    return None


def _assigned_once(body: list[ast.stmt]) -> frozenset[str]:
    """Return the names of constants that statements assign once, and not under a condition."""
    seen: set[str] = set()
    again: set[str] = set()
    for statement in body:
        # What an `if` or `try` assigns, other branches may assign as well.
        is_plain = isinstance(statement, ast.Assign | ast.AnnAssign)
        for node in ast.walk(statement) if not _is_scope(statement) else ():
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                (again if node.id in seen or not is_plain else seen).add(node.id)
    return frozenset(name for name in seen - again if _CONSTANT.fullmatch(name))


def _is_scope(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)


def _is_in(target: ast.expr, names: frozenset[str]) -> bool:
    return isinstance(target, ast.Name) and target.id in names


def _is_display(value: ast.expr) -> bool:
    """Return whether a value is written as a tuple, or an empty list; mypyc mistypes final ones."""
    if isinstance(value, ast.List):
        return not value.elts
    return isinstance(value, ast.Tuple | ast.Dict | ast.Set)


def _is_typing(value: ast.expr) -> bool:
    """Return whether a value is a declaration for type checkers."""
    kinds = ("TypeVar", "ParamSpec", "NewType", "NamedTuple", "TypedDict")
    return isinstance(value, ast.Call) and ast.unparse(value.func).endswith(kinds)


def _final(target: ast.expr, value: ast.expr, node: ast.stmt) -> ast.stmt:
    assigned = ast.AnnAssign(cast("ast.Name", target), _name("_Final"), value, simple=1)
    return ast.copy_location(assigned, node)


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


_NAMES = frozenset(part.__name__ for part in PARTS)


class SceneParts(ast.NodeTransformer):
    """Replaces `Area(…)` by `_made_at(Area(…), __file__, line)`; so for all parts with a line.

    Uncompiled, a part finds this line in the frame of its caller, and compiled code has no frames.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.has_replaced = False
        self._names = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == "cardhub"
            for alias in node.names
            if alias.name in _NAMES
        }

    @override
    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.func.id not in self._names:
            return node
        self.has_replaced = True
        where = [ast.Name("__file__", ast.Load()), ast.Constant(node.lineno)]
        call = ast.Call(ast.Name("_made_at", ast.Load()), [node, *where], [])
        return ast.copy_location(call, node)


# The attribute and the variable names that hold the faces of a state.
_ATTRIBUTE = "face"


class FaceReads(ast.NodeTransformer):
    """Replaces `X[token]` by `_face_at(X, token)` where X is `….face`, or a variable bound to it.

    `_face_at` gives the same face and raises the same errors for every X: a missed read is only
    slower.
    """

    def __init__(self) -> None:
        self.has_replaced = False
        self._bound: set[str] = set()

    @override
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        outer, self._bound = self._bound, self._bound | _variables(node)
        self.generic_visit(node)
        self._bound = outer
        return node

    @override
    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or isinstance(node.slice, ast.Slice):
            return node
        is_faces = (
            node.value.id in self._bound
            if isinstance(node.value, ast.Name)
            else isinstance(node.value, ast.Attribute) and node.value.attr == _ATTRIBUTE
        )
        if not is_faces:
            return node
        self.has_replaced = True
        name = ast.Name("_face_at", ast.Load())
        return ast.copy_location(ast.Call(name, [node.value, node.slice], []), node)


def _variables(node: ast.FunctionDef) -> set[str]:
    """Return the variables of a function that are bound to the faces of a state."""
    names: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Assign):
            for target in part.targets:
                names |= _pairs(target, part.value)
    return names


def _pairs(target: ast.expr, value: ast.expr) -> set[str]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        pairs = zip(target.elts, value.elts, strict=False)
        return {name for pair in pairs for name in _pairs(*pair)}
    is_face = isinstance(value, ast.Attribute) and value.attr == _ATTRIBUTE
    return {target.id} if is_face and isinstance(target, ast.Name) else set()


# mypyc loops itself over a generator expression that one of these gets, but not over a list. From
# Python 3.12 on, `sum` rounds floats less often than a loop does.
IS_SUM_A_LOOP = sys.version_info < (3, 12)
_REDUCTIONS = frozenset({"all", "any", "sum"})
_LOOPS = (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.Starred)


class NativeIdioms(ast.NodeTransformer):
    """Rewrites expressions without a change of their values.

    `any(cards)` becomes `any(each for each in cards)`, and `rng.random() * len(cards)` becomes
    `rng.random() * float(len(cards))`: a product of an int and a float is left to Python.
    """

    def __init__(self, tree: ast.Module, *, is_sum_a_loop: bool = IS_SUM_A_LOOP) -> None:
        self._is_sum_a_loop = is_sum_a_loop
        # A module may give other things these names.
        self._reductions = _REDUCTIONS - {_bound_name(node) for node in ast.walk(tree)}

    @override
    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        is_reduction = isinstance(node.func, ast.Name) and node.func.id in self._reductions
        if is_reduction and ast.unparse(node.func) == "sum" and not self._is_sum_a_loop:
            node.args[:1] = [_as_list(value) for value in node.args[:1]]
        elif is_reduction and len(node.args) == 1 and not isinstance(node.args[0], _LOOPS):
            name, (values,) = "_each", node.args
            loop = ast.comprehension(ast.Name(name, ast.Store()), values, [], is_async=0)
            node.args = [ast.GeneratorExp(ast.Name(name, ast.Load()), [loop])]
        if isinstance(node.func, ast.Name) and node.func.id == "zip":
            # The default, but with any keyword mypyc calls Python.
            node.keywords = [keyword for keyword in node.keywords if not _is_lenient(keyword)]
        return node

    @override
    def visit_BinOp(self, node: ast.BinOp) -> ast.BinOp:
        self.generic_visit(node)
        is_index = _calls(node.left, "random") and _calls(node.right, "len")
        if is_index and isinstance(node.op, ast.Mult):
            node.right = ast.Call(ast.Name("float", ast.Load()), [node.right], [])
        return node


def _is_lenient(keyword: ast.keyword) -> bool:
    is_false = isinstance(keyword.value, ast.Constant) and keyword.value.value is False
    return keyword.arg == "strict" and is_false


def _as_list(node: ast.expr) -> ast.expr:
    """Return a list comprehension for a generator expression, which mypyc would loop over."""
    return ast.ListComp(node.elt, node.generators) if isinstance(node, ast.GeneratorExp) else node


def _bound_name(node: ast.AST) -> str:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return node.id
    if isinstance(node, ast.FunctionDef):
        return node.name
    return node.arg if isinstance(node, ast.arg) else ""


def _calls(node: ast.expr, name: str) -> bool:
    """Return whether an expression is a call of a function or method of this name."""
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    called = function.attr if isinstance(function, ast.Attribute) else None
    return name == (function.id if isinstance(function, ast.Name) else called)


# What the methods need, imported under names that cannot clash with names of the module.
IMPORTS = """\
from collections.abc import Iterable as _Iterable, Sequence as _Sequence
from cardhub.model.table.faces import Faces as _Faces
from cardhub.model.table.settings import Settings as _Settings
from cardhub.model.table.state import declare as _declare
from cardhub.model.table.ranges import BitsOf as _BitsOf, IndexOf as _IndexOf
from cardhub.model.table.ranges import Omitted as _Omitted, Range as _Range, Usual as _Usual
from cardhub.model.table.state_declaration import StateDeclaration as _StateDeclaration
from cardhub.model.table.state_declaration import Zone as _Zone
"""
_IMPORTED = frozenset(
    {
        *("Any", "Iterable", "Sequence", "Faces", "Settings", "declare"),
        *("StateDeclaration", "Zone"),
        *("BitsOf", "IndexOf", "Omitted", "Range", "Usual"),
    }
)


class NotCompilableError(Exception):
    """A class that cannot be written out for mypyc; `line` counts from 1."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line


def native_body(node: ast.ClassDef, declaration: StateDeclaration) -> list[ast.stmt]:
    """Return the body of a state class: attributes for its zones and fields, and all methods.

    Raises NotCompilableError for a default that is not a literal.
    """
    if not declaration.is_literal:
        raise NotCompilableError(node.lineno, "a field has a default that is no literal")
    zones = {zone.name: zone.count is None for zone in declaration.zones}
    own = {statement.name for statement in node.body if isinstance(statement, ast.FunctionDef)}
    body = [
        part
        for statement in node.body
        for part in _statement_state_class(statement, declaration, zones)
    ]
    return [*body, *_methods(node, declaration, own)]


def registration(name: str, declaration: StateDeclaration) -> Iterator[ast.stmt]:
    """Yield the statements after a compiled state class: its declaration, for the core."""
    # The representations of both dataclasses are calls of them.
    tree = _Renamed().visit(ast.parse(f"declare({name}, {declaration!r})"))
    statement: ast.stmt = tree.body[0]
    statement.lineno = 1
    yield statement


def _statement_state_class(
    node: ast.stmt, declaration: StateDeclaration, zones: dict[str, bool]
) -> Iterator[ast.stmt]:
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        name = node.targets[0].id
        if name in zones:
            yield _attribute(name, "list[int]" if zones[name] else "list[list[int]]", node)
            return
        if name in declaration.token_fields or name == declaration.choices:
            yield _attribute(name, "list[int]", node)
            return
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        name = node.target.id
        if name in (*DEALT, *INITIAL):
            return  # an attribute of every state
        if name in declaration.fields:
            node.value = None  # `__init__` assigns it
    yield node


def _attribute(name: str, kind: str, node: ast.stmt) -> ast.stmt:
    annotation = ast.parse(kind, mode="eval").body
    target = ast.Name(name, ast.Store())
    return ast.copy_location(ast.AnnAssign(target, annotation, None, simple=1), node)


def _methods(
    node: ast.ClassDef, declaration: StateDeclaration, own: set[str]
) -> Iterator[ast.stmt]:
    # Methods of the author stay; `move` puts by the author's `put`.
    left_out = own | ({"move"} if "put" in own else set())
    if own & {"__init__", "clone"}:
        listed = ", ".join(sorted(own & {"__init__", "clone"}))
        raise NotCompilableError(node.lineno, f"the class has its own {listed}")
    tree = _Renamed().visit(ast.parse(native_methods(declaration)))
    for method in tree.body:
        if isinstance(method, ast.FunctionDef) and method.name not in left_out:
            yield from _placed(method, node)


def _placed(method: ast.FunctionDef, node: ast.ClassDef) -> Iterator[ast.stmt]:
    """Yield a written method; all its lines have the line number of the class."""
    for part in ast.walk(method):
        if isinstance(part, ast.stmt):
            part.lineno = node.lineno
    yield method


class _Renamed(ast.NodeTransformer):
    """Renames what the methods need from other modules."""

    @override
    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id in _IMPORTED:
            node.id = f"_{node.id}"
        return node


# Classes that stay ordinary ones, as mypyc cannot make them native.
NOT_NATIVE = frozenset({"ShuffleLog"})
# Classes of the core that interpreted code derives from; state classes and games are open as well.
OPEN = frozenset(
    {
        *("State", "MaskedFaces", "GamePart", "Heuristics", "Display", "Game"),
        *("RunningTable", "ViewerSession"),
        *("Single", "Tokens", "Players", "Choice", "Sites", "Actions"),
    }
)
_IGNORE = re.compile(r"#\s*type:\s*ignore[^#\n]*")
# The names begin with `_`, so they cannot clash with names of the module. Without these lines a
# compiled module would have the path of its library, and no docstrings.
_START = """\
from typing import Any as _Any, Final as _Final
from mypy_extensions import mypyc_attr as _mypyc_attr
from cardhub.base.native.finder import document as _document, source_of as _source_of
__file__ = _source_of({name!r})
"""
_FACE_AT = "from cardhub.model.table.faces import face_at as _face_at\n"
_MADE_AT = "from cardhub.model.game.scene import made_at as _made_at\n"


def native_source(
    text: str, name: str, states: Mapping[str, StateDeclaration] | None = None
) -> tuple[str, Mapping[int, int]]:
    """Return the text that is compiled in place of a module, and by its lines those of `text`.

    `name`: the name of the module. `states` are the declarations of its state classes by name.
    """
    tree = ast.parse(text)
    tree = NativeIdioms(tree).visit(tree)
    start = _START.format(name=name)
    docstring = ast.get_docstring(tree, clean=False)
    if docstring is not None:
        start += f"__doc__ = {docstring!r}\n"
    for rewriter, needed in ((FaceReads(), _FACE_AT), (SceneParts(tree), _MADE_AT)):
        tree = rewriter.visit(tree)
        start += needed if rewriter.has_replaced else ""
    _rewrite_declarations(tree, states or {})
    _insert_first(tree, start + (IMPORTS if states else ""))
    ast.fix_missing_locations(tree)
    written = ast.unparse(tree)
    # Both trees have the same statements in the same order.
    old = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    new = [node for node in ast.walk(ast.parse(written)) if isinstance(node, ast.stmt)]
    lines = {after.lineno: before.lineno for before, after in zip(old, new, strict=True)}
    return _with_ignores(written, text, lines), lines


def _rewrite_declarations(tree: ast.Module, states: Mapping[str, StateDeclaration]) -> None:
    """Rewrite the declarations of classes and of constants."""
    constants = Constants(tree)
    body: list[ast.stmt] = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            body += _class(node, states.get(node.name), constants)
        else:
            body += constants.in_module(node)
    tree.body = body


def _class(
    node: ast.ClassDef, declaration: StateDeclaration | None, constants: Constants
) -> list[ast.stmt]:
    docstring = ast.get_docstring(node, clean=False)
    before, after = [], []
    if declaration is None:
        before = constants.in_class(node)
    else:
        node.body = native_body(node, declaration)
        after = [*registration(node.name, declaration)]
    if docstring is not None:
        after.append(_statement(f"_document({node.name}, {docstring!r})"))
    bases = {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases}
    if node.name in NOT_NATIVE:
        node.decorator_list.insert(0, _expression("_mypyc_attr(native_class=False)"))
    elif declaration or node.name in OPEN or bases & OPEN:
        open_class = _expression("_mypyc_attr(allow_interpreted_subclasses=True)")
        node.decorator_list.insert(0, open_class)
    return [*before, node, *after]


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _statement(text: str) -> ast.stmt:
    node = ast.parse(text).body[0]
    node.lineno = 1
    return node


def _insert_first(tree: ast.Module, text: str) -> None:
    """Insert statements where the first may be that are not part of the module's head."""
    first = 0
    for index, node in enumerate(tree.body):
        is_docstring = index == 0 and isinstance(node, ast.Expr)
        if is_docstring or (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
            first = index + 1
    added = ast.parse(text).body
    for node in added:
        node.lineno = node.end_lineno = 1
    tree.body[first:first] = added


def _with_ignores(written: str, text: str, lines: Mapping[int, int]) -> str:
    """Return the text with the comments of the original that turn type errors off."""
    comments = {
        number: match[0].rstrip()
        for number, line in enumerate(text.splitlines(), 1)
        if (match := _IGNORE.search(line))
    }
    if not comments:
        return written
    out = written.splitlines()
    for number, original in lines.items():
        if original in comments:
            out[number - 1] += "  " + comments[original]
    return "\n".join(out) + "\n"
